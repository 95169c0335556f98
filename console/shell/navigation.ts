import type { FunctionComponent } from 'preact';
import type { ConsoleWords } from '../../messages/console-words/words.ts';
import type { IconName } from '../parts/icon.tsx';
import { may } from '../session/permissions.ts';
import { operatesService } from '../session/session.ts';
import { ActiveAlerts } from './active-alerts.tsx';

interface Item {
  path: string;
  name: keyof ConsoleWords['screens'];
  icon: IconName;
  /** returns whether the signed-in user is allowed to see the item; absent: every user is */
  shown?: () => boolean;
  /** whether the item starts a section of the sidebar */
  begins?: boolean;
  /** shown after the name: the number of items that need attention */
  Badge?: FunctionComponent;
}

/** The items of the sidebar: monitoring, public pages, shared objects, and administration. */
export const NAVIGATION: readonly Item[] = [
  { path: '/', name: 'overview', icon: 'overview' },
  { path: '/checks', name: 'checks', icon: 'checks' },
  { path: '/heartbeats', name: 'heartbeats', icon: 'heartbeats' },
  { path: '/alerts', name: 'alerts', icon: 'alerts', Badge: ActiveAlerts },
  { path: '/pages', begins: true, name: 'pages', icon: 'pages' },
  { path: '/incidents', name: 'incidents', icon: 'incidents' },
  { path: '/maintenances', name: 'maintenances', icon: 'maintenances' },
  { path: '/groups', begins: true, name: 'groups', icon: 'groups' },
  { path: '/tags', name: 'tags', icon: 'tags' },
  { path: '/reports', name: 'reports', icon: 'reports' },
  { path: '/secrets', name: 'secrets', icon: 'secrets' },
  { path: '/runners', name: 'runners', icon: 'runners' },
  { path: '/people', begins: true, name: 'people', icon: 'people' },
  { path: '/keys', name: 'keys', icon: 'keys' },
  { path: '/audit', name: 'audit', icon: 'audit', shown: () => may('GET /v1/audit') },
  { path: '/plan', name: 'plan', icon: 'plan' },
  { path: '/operator', name: 'operator', icon: 'operator', shown: () => operatesService.value },
];

/**
 * Returns whether a path equals the path of an item or is below that path. The path of an incident is below that of its
 * status page, but belongs to the item for incidents.
 */
export const isAt = (item: string, path: string): boolean => {
  if (/^\/pages\/[^/]+\/incidents\//.test(path)) return item === '/incidents';
  return path === item || (item !== '/' && path.startsWith(`${item}/`));
};
