import { navigationScreens } from '../keys/navigation-screens.ts';
import type { IconName } from '../parts/icon.tsx';
import { words } from '../shell/language.ts';
import { actionItems, screenItems } from './commands.ts';
import type { PaletteItem } from './item.ts';
import { rankedMatches } from './ranking.ts';
import type { OpenedScreen } from './opened-screens.ts';

/** Maximum number of recently opened items offered before anything is typed. */
const MOST_RECENT = 6;

/** The order of the groups. */
const GROUPS: readonly PaletteItem['group'][] = [
  'recent',
  'screens',
  'actions',
  'checks',
  'heartbeats',
  'pages',
  'more',
];

export interface ItemGroup {
  name: PaletteItem['group'];
  items: readonly PaletteItem[];
}

const iconOf = (to: string): IconName => {
  if (to.includes('/incidents/')) return 'incidents';
  return navigationScreens().find(({ path }) => path !== '/' && to.startsWith(`${path}/`))?.icon ?? 'documentation';
};

const recentItems = (opened: readonly OpenedScreen[], here: string): readonly PaletteItem[] =>
  opened
    .filter(({ to }) => to !== here)
    .map(({ to, name }) => ({ id: `recent ${to}`, group: 'recent', icon: iconOf(to), name, isName: true, to }));

const textOf = ({ name, note = '', otherWords = '' }: PaletteItem): string => `${name} ${note} ${otherWords}`;

/** Returns the item that filters the check list by the typed text. */
const inList = (typed: string): PaletteItem => ({
  id: 'in list',
  group: 'more',
  icon: 'search',
  name: words.value.palette.inList(typed),
  isName: true,
  to: `/checks?${new URLSearchParams({ filter: typed }).toString()}`,
});

/** Results from the service. Results for an earlier text stay visible as long as they match the current text. */
export interface ServerResults {
  text: string;
  items: readonly PaletteItem[];
}

/** Returns the items of the palette, in groups. @param here the current path */
export const visibleGroups = (
  typed: string,
  found: ServerResults,
  opened: readonly OpenedScreen[],
  here: string,
): readonly ItemGroup[] => {
  const recent = recentItems(opened, here);
  const own = [...screenItems(), ...actionItems()];
  if (typed === '')
    return groupItems([...recent.slice(0, MOST_RECENT), ...own.filter(({ onlyWhenTyped }) => !onlyWhenTyped)]);
  const fitting = found.text === typed ? found.items : rankedMatches(found.items, typed, textOf);
  const known = new Set(fitting.map(({ to }) => to));
  return groupItems([
    ...rankedMatches(recent, typed, textOf).filter(({ to }) => !known.has(to)),
    ...rankedMatches(own, typed, textOf),
    ...fitting,
    inList(typed),
  ]);
};

/** Items in the order of their groups. */
export const groupItems = (items: readonly PaletteItem[]): readonly ItemGroup[] =>
  GROUPS.map((name) => ({ name, items: items.filter(({ group }) => group === name) })).filter(
    ({ items: own }) => own.length > 0,
  );
