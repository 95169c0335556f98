import type { Route } from '../route.ts';
import { withAsOf, type AsOf } from './as-of.ts';
import { historyRoutes } from './history-routes.ts';
import type { Source } from './source.ts';
import { CHECK_FIELDS, HEARTBEAT_FIELDS, ORGANIZATION_FIELDS } from './result-fields.ts';

/** Unknown because the ping URL contains the current address of the service. */
const OF_HEARTBEATS = ['ping_url'] as const;
/** Unknown because sent messages are in the log `results`. */
const OF_ALERTS = ['last_notification_at', 'notification_count'] as const;
const OF_CHANNELS = ['last_used_at'] as const;
/** Unknown because no event records the use of a key. */
const OF_KEYS = ['last_used_at'] as const;
/** Unknown because links are signed on request, and expire after some minutes. */
const OF_PAYMENTS = ['confirmation_url'] as const;
/** Unknown because no event records the state of connected runner processes. */
const OF_RUNNERS = [
  'state',
  'address',
  'last_contact_at',
  'instances',
  'load',
  'lacking',
  'clock_offset_ms',
  'alone',
] as const;

const OF_COMPONENTS: Source = {
  category: 'page',
  parameter: 'page_id',
  about: { kind: 'component', parameter: 'component_id' },
  removedBy: ['ComponentRemoved'],
  refers: [{ field: 'check_id', category: 'check', types: ['CheckDeleted', 'CheckRestored'] }],
  changedWith: 'incidents',
};

const OF_INCIDENTS = { category: 'incident', parameter: 'incident_id' } as const;

const ONE_KEY: AsOf = {
  source: { category: 'organization', parameter: null, about: { kind: 'api_key', parameter: 'key_id' } },
  unknown: OF_KEYS,
};

/** The GET routes that respond with past states, by path. */
export const AS_OF: Readonly<Record<string, AsOf>> = {
  '/v1/pages': {},
  '/v1/pages/{page_id}': { source: { category: 'page', parameter: 'page_id', below: ['page', 'incident'] } },
  '/v1/pages/{page_id}/passwords': {},
  '/v1/pages/{page_id}/passwords/{password_id}': {
    source: {
      category: 'page',
      parameter: 'page_id',
      about: { kind: 'page_password', parameter: 'password_id' },
      removedBy: ['PagePasswordRemoved'],
    },
  },
  '/v1/pages/{page_id}/email-domain': {},
  '/v1/pages/{page_id}/components': {},
  '/v1/pages/{page_id}/components/{component_id}': {
    source: OF_COMPONENTS,
  },
  '/v1/pages/{page_id}/component-groups': {},
  '/v1/pages/{page_id}/component-groups/{component_id}': {
    source: OF_COMPONENTS,
  },
  '/v1/pages/{page_id}/components/{component_id}/uptime': {},
  '/v1/pages/{page_id}/incidents': {},
  '/v1/pages/{page_id}/incidents/unresolved': {},
  '/v1/pages/{page_id}/incidents/maintenance': {},
  '/v1/pages/{page_id}/incidents/{incident_id}': {
    source: { ...OF_INCIDENTS, removedBy: ['IncidentDeleted'] },
  },
  '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates': {},
  '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}': {
    source: {
      ...OF_INCIDENTS,
      about: { kind: 'incident_update', parameter: 'incident_update_id' },
      removedBy: ['IncidentUpdateRemoved'],
    },
  },
  '/v1/pages/{page_id}/incidents/{incident_id}/postmortem': {
    source: { ...OF_INCIDENTS, about: { kind: 'postmortem', parameter: null }, removedBy: [] },
  },
  '/v1/pages/{page_id}/subscribers': {},
  '/v1/pages/{page_id}/subscribers/{subscriber_id}': {
    source: { category: 'subscriber', parameter: 'subscriber_id', removedBy: ['SubscriberPurged'] },
  },
  '/v1/incident-templates': {},
  '/v1/incident-templates/{incident_template_id}': {
    source: { category: 'incident_template', parameter: 'incident_template_id' },
  },
  '/v1/checks': { results: CHECK_FIELDS },
  '/v1/checks/{check_id}': {
    source: {
      category: 'check',
      parameter: 'check_id',
      refers: [{ field: 'group_id', category: 'check_group', types: ['CheckGroupDeleted'] }],
    },
    only: { check: 'check_id' },
    results: CHECK_FIELDS,
  },
  '/v1/checks/{check_id}/secrets': { only: { check: 'check_id' } },
  '/v1/check-groups': {},
  '/v1/check-groups/{group_id}/checks': { results: CHECK_FIELDS },
  '/v1/check-groups/{group_id}': { source: { category: 'check_group', parameter: 'group_id' } },
  '/v1/secrets': {},
  '/v1/secrets/{secret_id}': { source: { category: 'secret', parameter: 'secret_id' } },
  '/v1/runners': { unknown: OF_RUNNERS },
  '/v1/runners/{runner_id}': { source: { category: 'runner', parameter: 'runner_id' }, unknown: OF_RUNNERS },
  '/v1/heartbeats': { unknown: OF_HEARTBEATS, results: HEARTBEAT_FIELDS },
  '/v1/heartbeats/{heartbeat_key}': {
    source: { category: 'heartbeat', parameter: 'heartbeat_key' },
    unknown: OF_HEARTBEATS,
    results: HEARTBEAT_FIELDS,
  },
  '/v1/heartbeats/{heartbeat_key}/channels': { unknown: OF_CHANNELS },
  '/v1/alerts/channels': { unknown: OF_CHANNELS },
  '/v1/alerts/channels/{channel_id}': {
    source: { category: 'alert_channel', parameter: 'channel_id' },
    unknown: OF_CHANNELS,
  },
  '/v1/alerts/rules': { unknown: OF_CHANNELS },
  '/v1/alerts/rules/{rule_id}': {
    source: { category: 'alert_rule', parameter: 'rule_id' },
    unknown: OF_CHANNELS,
  },
  '/v1/alerts': { unknown: OF_ALERTS },
  '/v1/alerts/{alert_id}': {
    source: { category: 'alert', parameter: 'alert_id' },
    only: { alert: 'alert_id' },
    unknown: OF_ALERTS,
  },
  '/v1/reports': { unknown: ['download_url'] },
  '/v1/reports/{report_id}': { source: { category: 'report', parameter: 'report_id' }, unknown: ['download_url'] },
  '/v1/organizations': { results: ORGANIZATION_FIELDS },
  '/v1/organizations/{org_id}': {
    source: { category: 'organization', parameter: null, about: { kind: 'organization', parameter: 'org_id' } },
    results: ORGANIZATION_FIELDS,
  },
  '/v1/organizations/{org_id}/subscriptions': {},
  '/v1/payments': { unknown: OF_PAYMENTS },
  '/v1/payments/{payment_id}': { source: { category: 'payment', parameter: 'payment_id' }, unknown: OF_PAYMENTS },
  '/v1/users': {},
  '/v1/users/{user_id}': {
    source: {
      category: 'organization',
      parameter: null,
      about: { kind: 'user', parameter: 'user_id' },
      changedWith: 'sessions',
    },
  },
  '/v1/api-keys': { unknown: OF_KEYS },
  '/v1/api-keys/{key_id}': ONE_KEY,
  '/v1/api-tokens': { unknown: OF_KEYS },
  '/v1/api-tokens/{key_id}': ONE_KEY,
};

/** The error message for `?at=` in requests to routes without past states. */
const NO_PAST = 'This resource has no past states.';

/**
 * Refuses the parameter `at` in GET requests to a route without past states, because ignoring it would show the present
 * state as the past one. Pings are never refused, so that they are recorded whatever parameters a script adds.
 */
const withoutPast = (route: Route): Route => {
  const { at } = (route.query?.['properties'] ?? {}) as { at?: unknown };
  const isRead = route.methods.every((method) => method === 'get') && route.effect !== 'write';
  return isRead && at === undefined ? { ...route, refusedQuery: { at: NO_PAST } } : route;
};

/**
 * Adds the parameter `?at=` to the routes of {@link AS_OF}, and history routes to those that have a `source`. All other
 * GET routes refuse the parameter.
 */
export const withPast = (routes: readonly Route[]): Route[] =>
  routes.flatMap((route) => {
    const asOf = route.methods.includes('get') ? AS_OF[route.path] : undefined;
    return asOf ? [withAsOf(route, asOf), ...historyRoutes(route, asOf).map(withoutPast)] : [withoutPast(route)];
  });
