import { goKeyOf, navigationScreens } from '../keys/navigation-screens.ts';
import { may } from '../session/permissions.ts';
import { signOut } from '../session/session.ts';
import { chooseLanguage, language, LANGUAGES, words } from '../shell/language.ts';
import { overlay } from '../shell/overlay.ts';
import { LANGUAGE_NAMES } from '../shell/preferences.tsx';
import { theme, THEMES } from '../shell/theme.ts';
import type { PaletteItem } from './item.ts';

/**
 * Returns an item for each screen of the navigation. The palette finds an item by its name and by the words of its
 * path.
 */
export const screenItems = (): readonly PaletteItem[] =>
  navigationScreens().map(({ path, name, icon }) => {
    const key = goKeyOf(path);
    return {
      id: `screen ${path}`,
      group: 'screens',
      icon,
      name: words.value.screens[name],
      otherWords: path.slice(1),
      ...(key !== null && { keys: ['g', key] }),
      to: path,
    };
  });

/** Returns the actions that create something and that the user's role permits. */
const creations = (): readonly PaletteItem[] => {
  const { newCheck, newHeartbeat, newIncident } = words.value.palette;
  const group = 'actions' as const;
  return [
    ...(may('POST /v1/checks')
      ? [{ id: 'new check', group, icon: 'add' as const, name: newCheck, otherWords: 'new check', to: '/checks/new' }]
      : []),
    ...(may('POST /v1/heartbeats')
      ? [
          {
            id: 'new heartbeat',
            group,
            icon: 'add' as const,
            name: newHeartbeat,
            otherWords: 'new heartbeat',
            to: '/heartbeats/new',
          },
        ]
      : []),
    ...(may('POST /v1/pages/{page_id}/incidents')
      ? [
          {
            id: 'new incident',
            group,
            icon: 'add' as const,
            name: newIncident,
            otherWords: 'new incident',
            keys: ['i'],
            keepsOpen: true,
            act: () => {
              overlay.value = 'new incident';
            },
          },
        ]
      : []),
  ];
};

const preferences = (): readonly PaletteItem[] => {
  const { palette: says, shell } = words.value;
  const themes = [null, ...THEMES]
    .filter((option) => option !== theme.value)
    .map((option): PaletteItem => ({
      id: `theme ${option ?? 'system'}`,
      group: 'actions',
      icon: 'overview',
      name: says.choice(shell.theme, shell.themes[option ?? 'system']),
      otherWords: `theme ${option ?? 'system'}`,
      onlyWhenTyped: true,
      act: () => {
        theme.value = option;
      },
    }));
  const languages = LANGUAGES.filter((one) => one !== language.value).map((one): PaletteItem => ({
    id: `language ${one}`,
    group: 'actions',
    icon: 'documentation',
    name: says.choice(shell.language, LANGUAGE_NAMES[one]),
    otherWords: `language ${one}`,
    onlyWhenTyped: true,
    act: () => chooseLanguage(one),
  }));
  return [...themes, ...languages];
};

/** Returns the actions that are available on every screen. */
export const actionItems = (): readonly PaletteItem[] => {
  const { shell, shortcuts } = words.value;
  return [
    ...creations(),
    ...preferences(),
    {
      id: 'keys',
      group: 'actions',
      icon: 'documentation',
      name: shortcuts.title,
      otherWords: 'keyboard shortcuts help',
      keys: ['?'],
      act: () => {
        overlay.value = 'help';
      },
    },
    {
      id: 'sign out',
      group: 'actions',
      icon: 'leave',
      name: shell.signOut,
      otherWords: 'sign out',
      keepsOpen: true,
      act: signOut,
    },
  ];
};
