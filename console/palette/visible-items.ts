import { navigationPlaces } from '../keys/navigation-screens.ts';
import type { IconName } from '../parts/icon.tsx';
import { words } from '../shell/language.ts';
import { actionItems, screenItems } from './commands.ts';
import type { Item } from './item.ts';
import { matching } from './ranking.ts';
import type { Opened } from './opened-screens.ts';

/** Maximum number of recently opened items offered before anything is typed. */
const MOST_RECENT = 6;

/** The order of the groups. */
const GROUPS: readonly Item['group'][] = ['recent', 'screens', 'actions', 'checks', 'heartbeats', 'pages', 'more'];

export interface Group {
  name: Item['group'];
  items: readonly Item[];
}

const iconOf = (to: string): IconName => {
  if (to.includes('/incidents/')) return 'incidents';
  return navigationPlaces().find(({ path }) => path !== '/' && to.startsWith(`${path}/`))?.icon ?? 'documentation';
};

const recentItems = (opened: readonly Opened[], here: string): readonly Item[] =>
  opened
    .filter(({ to }) => to !== here)
    .map(({ to, name }) => ({ id: `recent ${to}`, group: 'recent', icon: iconOf(to), name, isName: true, to }));

const textOf = ({ name, note = '', otherWords = '' }: Item): string => `${name} ${note} ${otherWords}`;

/** The item that filters the check list by the typed text. */
const inList = (typed: string): Item => ({
  id: 'in list',
  group: 'more',
  icon: 'search',
  name: words.value.palette.inList(typed),
  isName: true,
  to: `/checks?${new URLSearchParams({ filter: typed }).toString()}`,
});

/** Results from the service. Results for an earlier text stay while they match. */
export interface Found {
  text: string;
  items: readonly Item[];
}

/** The items of the palette, in groups. @param here the current path */
export const linesOf = (typed: string, found: Found, opened: readonly Opened[], here: string): readonly Group[] => {
  const recent = recentItems(opened, here);
  const own = [...screenItems(), ...actionItems()];
  if (typed === '') return grouped([...recent.slice(0, MOST_RECENT), ...own.filter(({ onlyTyped }) => !onlyTyped)]);
  const fitting = found.text === typed ? found.items : matching(found.items, typed, textOf);
  const known = new Set(fitting.map(({ to }) => to));
  return grouped([
    ...matching(recent, typed, textOf).filter(({ to }) => !known.has(to)),
    ...matching(own, typed, textOf),
    ...fitting,
    inList(typed),
  ]);
};

/** Items in the order of their groups. */
export const grouped = (items: readonly Item[]): readonly Group[] =>
  GROUPS.map((name) => ({ name, items: items.filter(({ group }) => group === name) })).filter(
    ({ items: own }) => own.length > 0,
  );
