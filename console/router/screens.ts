import type { FunctionComponent } from 'preact';
import { match, type Params } from './match.ts';

/** What every screen gets: the parameters of its path. */
export interface ScreenProps {
  params: Params;
}

type Screen = FunctionComponent<ScreenProps>;

interface Declared {
  /** below the console's root */
  path: string;
  /** loads its folder, when it is first opened */
  load: () => Promise<{ default: Screen }>;
}

/** All screens by their paths; each is a folder of console/screens/. */
const SCREENS: readonly Declared[] = [
  { path: '/', load: () => import('../screens/overview/overview.tsx') },
  { path: '/checks', load: () => import('../screens/checks/checks.tsx') },
  // Before the screen of a check, which "new" would be otherwise.
  { path: '/checks/new', load: () => import('../screens/check-form/check-form.tsx') },
  { path: '/checks/{check_id}/edit', load: () => import('../screens/check-form/check-form.tsx') },
  { path: '/secrets', load: () => import('../screens/secrets/secrets.tsx') },
  { path: '/pages', load: () => import('../screens/pages/pages.tsx') },
  { path: '/pages/new', load: () => import('../screens/pages/new-page.tsx') },
  { path: '/pages/{page_id}', load: () => import('../screens/page/page.tsx') },
  { path: '/pages/{page_id}/{tab}', load: () => import('../screens/page/page.tsx') },
];

/** The screen of a path, with its parameters; null: there is none. */
export const screenAt = (path: string): { screen: Declared; params: Params } | null => {
  for (const screen of SCREENS) {
    const params = match(screen.path, path);
    if (params) return { screen, params };
  }
  return null;
};
