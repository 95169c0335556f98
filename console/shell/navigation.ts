import type { ConsoleWords } from '../../messages/console-words/words.ts';
import type { IconName } from '../parts/icon.tsx';

/** What the sidebar leads to, in its order. */
export const NAVIGATION: readonly { path: string; name: keyof ConsoleWords['screens']; icon: IconName }[] = [
  { path: '/', name: 'overview', icon: 'overview' },
  { path: '/checks', name: 'checks', icon: 'checks' },
  { path: '/secrets', name: 'secrets', icon: 'secrets' },
  { path: '/pages', name: 'pages', icon: 'pages' },
];
