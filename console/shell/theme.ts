import { choice } from './choice.ts';

export const THEMES = ['light', 'dark'] as const;

/** The theme that was chosen; null: that of the system. */
export const theme = choice('theme', THEMES);

/** Shows the theme from now on. */
export const startTheme = (): void => {
  theme.subscribe((chosen) => {
    if (chosen === null) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  });
};
