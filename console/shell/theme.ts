import { storedPreference } from './stored-preference.ts';

export const THEMES = ['light', 'dark'] as const;

/** The chosen theme; null: the theme of the operating system. */
export const theme = storedPreference('theme', THEMES);

/** Applies the chosen theme now and after each change. */
export const startTheme = (): void => {
  theme.subscribe((chosen) => {
    if (chosen === null) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  });
};
