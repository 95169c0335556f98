import type { ConsoleWords } from '../../messages/console-words/words.ts';
import type { IconName } from '../parts/icon.tsx';

/** What the sidebar leads to, in its order. */
export const NAVIGATION: readonly { path: string; name: keyof ConsoleWords['screens']; icon: IconName }[] = [
  { path: '/', name: 'overview', icon: 'overview' },
  { path: '/checks', name: 'checks', icon: 'checks' },
  { path: '/secrets', name: 'secrets', icon: 'secrets' },
  { path: '/heartbeats', name: 'heartbeats', icon: 'heartbeats' },
  { path: '/groups', name: 'groups', icon: 'groups' },
  { path: '/tags', name: 'tags', icon: 'tags' },
  { path: '/reports', name: 'reports', icon: 'reports' },
];
