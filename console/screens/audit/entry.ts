import type { Schemas } from '../../api/openapi.d.ts';

export type Entry = Schemas['AuditLog'];

/** Longest value that is shown whole; what is longer is cut off. */
const LONGEST = 300;

/** A value of a field, in one line; null: there is none. */
export const valueText = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** `check.updated`: what was done to a resource of a type. */
export const verbOf = ({ action, resource_type }: Pick<Entry, 'action' | 'resource_type'>): string =>
  action.startsWith(`${resource_type}.`) ? action.slice(resource_type.length + 1) : action;

/** Where the console shows a resource, by its type; others have no screen of their own. */
const SCREENS: Readonly<Record<string, (id: string) => string>> = {
  check: (id) => `/checks/${id}`,
  alert: (id) => `/alerts/${id}`,
  alert_rule: (id) => `/alerts/rules/${id}`,
  alert_channel: (id) => `/alerts/channels/${id}`,
  heartbeat: (id) => `/heartbeats/${id}`,
  page: (id) => `/pages/${id}`,
};

/** The screen of what an entry is about; null: there is none, or it was deleted by this. */
export const screenOf = (entry: Pick<Entry, 'action' | 'resource_type' | 'resource_id'>): string | null =>
  verbOf(entry) === 'deleted' ? null : (SCREENS[entry.resource_type]?.(entry.resource_id) ?? null);

/** Types of resources that entries are about, as the filter offers them. */
export const RESOURCE_TYPES = [
  'check',
  'check_group',
  'secret',
  'runner',
  'job',
  'heartbeat',
  'alert',
  'alert_rule',
  'alert_channel',
  'page',
  'component',
  'page_password',
  'email_domain',
  'subscriber',
  'incident',
  'incident_update',
  'incident_template',
  'postmortem',
  'report',
  'user',
  'session',
  'api_key',
  'organization',
  'region',
  'payment',
  'subscription',
] as const;
