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
  { path: '/checks/new', load: () => import('../screens/check-form/check-form.tsx') },
  { path: '/checks/{check_id}/edit', load: () => import('../screens/check-form/check-form.tsx') },
  { path: '/secrets', load: () => import('../screens/secrets/secrets.tsx') },
  { path: '/checks/{check_id}', load: () => import('../screens/check/check.tsx') },
];

/** The screen of a path, with its parameters; null: there is none. `/checks/new` is no check, whatever stands first. */
export const screenAt = (path: string): { screen: Declared; params: Params } | null => {
  let found: { screen: Declared; params: Params } | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const screen of SCREENS) {
    const params = match(screen.path, path);
    if (!params || Object.keys(params).length >= fewest) continue;
    fewest = Object.keys(params).length;
    found = { screen, params };
  }
  return found;
};
