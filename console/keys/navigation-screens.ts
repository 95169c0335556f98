import type { ConsoleWords } from '../../messages/console-words/words.ts';
import type { IconName } from '../parts/icon.tsx';
import { NAVIGATION } from '../shell/navigation.ts';

/** A screen of the navigation. */
export interface NavigationScreen {
  path: string;
  name: keyof ConsoleWords['screens'];
  icon: IconName;
  /** returns whether the signed-in user is allowed to see the screen; absent: everybody is */
  shown?: () => boolean;
}

/** Returns the screens of the navigation that the user is allowed to see. */
export const navigationScreens = (): readonly NavigationScreen[] => {
  const places: readonly NavigationScreen[] = NAVIGATION;
  return places.filter(({ shown }) => shown?.() ?? true);
};

/** The path that is opened by `g` and then this key. */
export const GO_TO: Readonly<Record<string, string>> = {
  o: '/',
  c: '/checks',
  h: '/heartbeats',
  a: '/alerts',
  p: '/pages',
  i: '/incidents',
  r: '/reports',
};

/** Returns the key that opens a path after `g`, or null if there is none. */
export const goKeyOf = (path: string): string | null =>
  Object.entries(GO_TO).find(([, target]) => target === path)?.[0] ?? null;
