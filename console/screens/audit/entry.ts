import type { Schemas } from '../../api/openapi.d.ts';

export type Entry = Schemas['AuditLog'];

/** Maximum length of a displayed value, in UTF-16 units. Longer values are cut off. */
const LONGEST = 300;

/** Returns a field value in one line, or null if there is none. */
export const valueText = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** Returns the part of an action's name after the resource type: `check.updated` gives `updated`. */
export const verbOf = ({ action, resource_type }: Pick<Entry, 'action' | 'resource_type'>): string =>
  action.startsWith(`${resource_type}.`) ? action.slice(resource_type.length + 1) : action;

/** Functions that return the path of a resource, by resource type. Other types have no screen of their own. */
const SCREENS: Readonly<Record<string, (id: string) => string>> = {
  check: (id) => `/checks/${id}`,
  check_group: (id) => `/groups/${id}`,
  alert: (id) => `/alerts/${id}`,
  alert_rule: (id) => `/alerts/rules/${id}`,
  alert_channel: (id) => `/alerts/channels/${id}`,
  heartbeat: (id) => `/heartbeats/${id}`,
  incident_template: (id) => `/incident-templates/${id}`,
  report: (id) => `/reports/${id}`,
  page: (id) => `/pages/${id}`,
};

/**
 * Returns the path of the screen of an entry's resource. Returns null if resources of this type have no screen, or if
 * the entry reports a deletion.
 */
export const screenOf = (entry: Pick<Entry, 'action' | 'resource_type' | 'resource_id'>): string | null =>
  verbOf(entry) === 'deleted' ? null : (SCREENS[entry.resource_type]?.(entry.resource_id) ?? null);

/** Resource types that the filter offers. */
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
