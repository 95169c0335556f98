import type { TSchema } from '@sinclair/typebox';
import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { bodyFor, fillPath, createAll, type Ids } from './fixtures.ts';
import { storeChannel } from './stored-channels.ts';
import { MANY_PLANS } from './payments.ts';
import { startService } from './service.ts';

/**
 * Walks through the fields of all resources. A field in a response must be accepted by the writes of its resource, or
 * be listed below as set only by the service. A field that a write accepts must have an effect, or be refused with an
 * error that names the field.
 */
const test = suite('every field of every resource');

const service = await startService({ plans: MANY_PLANS });
const key = service.first.keys.admin;
test.after(() => service.stop());

type Properties = Record<string, TSchema>;
const propertiesOf = (schema: TSchema | null | undefined): Properties => (schema?.['properties'] ?? {}) as Properties;

interface Resource {
  path: string;
  read: Route;
  /** the route that changes the resource; undefined if there is none */
  change: Route | undefined;
  /** the route that creates the resource; undefined if there is none */
  create: Route | undefined;
}

const routeOf = (method: 'get' | 'post' | 'patch', path: string): Route | undefined =>
  v1Routes.find((route) => route.path === path && route.methods.includes(method));

const resources: Resource[] = v1Routes
  .filter(({ path, methods }) => methods.includes('get') && path.endsWith('}'))
  .map((read) => ({
    path: read.path,
    read,
    change: routeOf('patch', read.path),
    create: routeOf('post', read.path.slice(0, read.path.lastIndexOf('/'))),
  }))
  .filter(({ change, create }) => change ?? create);

/** Fields of all resources that the service sets and that writes ignore: ids, owners, revisions and times. */
const EVERYWHERE = [
  'id',
  'page_id',
  'incident_id',
  'organization_id',
  'created_by',
  'updated_by',
  'revision',
  'created_at',
  'updated_at',
];

/**
 * Further fields that only the service sets, with the reason. Writes ignore these fields
 * (docs/reference/requests.md#validation).
 */
const READ_ONLY: Record<string, Record<string, string>> = {
  '/v1/pages/{page_id}': { activity_score: 'counted', worst_status: 'follows from its components' },
  '/v1/pages/{page_id}/passwords/{password_id}': { is_expired: 'follows from expires_at' },
  '/v1/pages/{page_id}/components/{component_id}': { group: 'fixed at creation' },
  '/v1/pages/{page_id}/component-groups/{component_id}': {
    group: 'always true',
    check_id: 'its components name checks',
    check_tag: 'its components name tags',
    show_response_times: 'its components show them',
    status: 'the worst of its components',
  },
  '/v1/pages/{page_id}/incidents/{incident_id}': {
    incident_updates: 'has routes of its own',
    monitoring_at: 'follows from its updates',
    resolved_at: 'follows from its updates',
    postmortem_body: 'has routes of its own',
    postmortem_body_last_updated_at: 'has routes of its own',
    postmortem_published_at: 'has routes of its own',
    scheduled_reminded_at: 'when the last reminder was sent',
  },
  '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}': {
    status: 'docs/reference/incidents.md#editing-updates: body, created_at and components can be edited',
    deliver_notifications: 'it was delivered or not when it was appended',
    display_at: 'its created_at',
    withheld_at: 'has a route of its own',
  },
  '/v1/pages/{page_id}/subscribers/{subscriber_id}': {
    mode: 'another address is another subscription',
    email: 'another address is another subscription, and it is shown masked',
    phone_number: 'another address is another subscription, and it is shown masked',
    display_phone_number: 'the phone number',
    phone_country: 'another address is another subscription',
    endpoint: 'another address is another subscription, and it is shown masked',
    obfuscated_channel_name: 'always null',
    workspace_name: 'always null',
    page_access_user_id: 'always null',
    incident_id: 'it was confirmed for this incident',
    display_at: 'when it was confirmed',
    has_pending_verification: 'follows from its confirmation',
    is_verified: 'follows from its confirmation',
    skip_confirmation_notification: 'fixed at creation',
    purge_at: 'follows from its confirmation',
    quarantined_at: 'follows from its deliveries; a change reads it only to know a whole subscriber',
  },
  '/v1/checks/{check_id}': {
    status: 'follows from its results',
    last_checked_at: 'follows from its results',
    group: 'the group of group_id',
    suspended_reason: 'follows from what stops it',
    uptime_summary: 'counted, where it is asked for',
    uptime_data: 'counted, where it is asked for',
  },
  '/v1/check-groups/{group_id}': {
    checks_count: 'counted',
    status: 'follows from its checks',
    status_summary: 'counted',
  },
  '/v1/runners/{runner_id}': {
    region: 'fixed at creation',
    private: 'follows from its region',
    state: 'follows from its connections',
    version: 'its processes say it',
    address: 'follows from its connections',
    last_contact_at: 'follows from its connections',
    instances: 'counted',
    load: 'its processes say it',
    check_types: 'its processes say it',
    lacking: 'its processes say it',
    clock_offset_ms: 'measured',
    alone: 'follows from the other runners of its region',
    revoked_at: 'when it was revoked',
  },
  '/v1/heartbeats/{heartbeat_key}': {
    status: 'follows from its pings',
    ping_url: 'follows from its id',
    last_ping_at: 'follows from its pings',
    next_expected_ping: 'follows from its pings',
    recent_pings: 'have a route of their own',
  },
  '/v1/alerts/channels/{channel_id}': { last_used_at: 'follows from its messages' },
  '/v1/alerts/rules/{rule_id}': {
    check_name: 'the name of check_id',
    channels: 'those of channel_ids',
    suppressed_by: 'what keeps it quiet now',
  },
  '/v1/reports/{report_id}': {
    status: 'follows from how it is made',
    error_message: 'follows from how it is made',
    summary: 'counted',
    download_url: 'made for each reader',
    scheduled_by: 'the report whose schedule made it',
    next_run_at: 'follows from its schedule',
    completed_at: 'when it was made',
  },
  '/v1/organizations/{org_id}': {
    current_subscription: 'follows from payments',
    credits: 'counted',
  },
  '/v1/users/{user_id}': {
    email: 'its owner changes it by signing up anew',
    email_verified: 'follows from the invitation',
    first_name: 'its owner sets it: PATCH /v1/users/profile',
    last_name: 'its owner sets it: PATCH /v1/users/profile',
    status: 'follows from the invitation; DELETE removes a user',
    is_first_login: 'follows from sign-ins',
    last_login: 'follows from sign-ins',
  },
  '/v1/api-tokens/{key_id}': { prefix: 'of the key', last_used_at: 'follows from requests' },
  '/v1/api-keys/{key_id}': { prefix: 'of the key', last_used_at: 'follows from requests' },
  '/v1/payments/{payment_id}': {
    status: 'follows from what is paid',
    amount: 'the price of the plan',
    description: 'the name of the plan',
    method: 'that of the provider',
    confirmation_url: 'made for each reader',
    invoice_number: 'counted',
    paid_at: 'when it was settled',
    canceled_at: 'when it was canceled',
  },
};

/** Read-only fields that the body of a change may contain, because the change uses them for another purpose. */
const READ_ONLY_YET_TAKEN: ReadonlySet<string> = new Set(['resolved_at', 'quarantined_at']);

/** Fields that a change accepts but a creation does not (docs/reference/incidents.md#appending-updates). */
const ONLY_CHANGED: Record<string, readonly string[]> = {
  '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}': ['created_at'],
};

test('every field of a response is accepted by writes or set only by the service', () => {
  assert.ok(resources.length > 12);
  const unexplained: string[] = [];
  const stale: string[] = [];
  for (const { path, read, change, create } of resources) {
    const shown = Object.keys(propertiesOf(read.responses[200]));
    const readOnly = Object.keys(READ_ONLY[path] ?? {});
    for (const [method, route] of [
      ['PATCH', change],
      ['POST', create],
    ] as const) {
      if (!route) continue;
      const accepted = new Set(Object.keys(propertiesOf(route.body)));
      const known = [...EVERYWHERE, ...readOnly, ...(method === 'POST' ? (ONLY_CHANGED[path] ?? []) : [])];
      unexplained.push(
        ...shown
          .filter((field) => !accepted.has(field) && !known.includes(field))
          .map((field) => `${method} ${path} ${field}`),
      );
    }
    const every = change ?? create;
    // `READ_ONLY` also lists fields that are fixed at creation, so only the body of the change decides whether a field
    // is read-only.
    const accepted = new Set(Object.keys(propertiesOf(every?.body)));
    stale.push(
      ...readOnly
        .filter((field) => accepted.has(field) && !READ_ONLY_YET_TAKEN.has(field))
        .map((field) => `${path} ${field}`),
    );
  }
  assert.equal(unexplained, []);
  assert.equal(stale, []);
});

/** Returns another value that the schema accepts, or undefined if only domain rules can determine one. */
const otherThan = (schema: TSchema, present: unknown): unknown => {
  const {
    type,
    enum: words,
    anyOf,
    minimum = 0,
    check,
    pattern,
    format,
  } = schema as TSchema & {
    type?: string | string[];
    enum?: unknown[];
    anyOf?: TSchema[];
    minimum?: number;
    check?: (value: unknown) => boolean;
  };
  if (words) return words.find((word) => word !== present && word !== null);
  if (anyOf) return undefined;
  const example = ((schema['examples'] ?? []) as unknown[]).find((one) => !isDeepStrictEqual(one, present));
  if (example !== undefined) return example;
  const [kind] = [type].flat();
  if (kind === 'boolean') return present !== true;
  if (kind === 'integer' || kind === 'number') return typeof present === 'number' ? present + 1 : minimum + 1;
  if (format === 'http-url') return 'https://other.example/';
  return kind === 'string' && pattern === undefined && format === undefined && check?.('other') !== false
    ? 'other'
    : undefined;
};

const made = async (path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { key, body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const aCheck = (more: object = {}): Promise<string> =>
  made('/v1/checks', { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, ...more });
const aComponent = ({ page_id = '' }: Ids, more: object = {}): Promise<string> =>
  made(`/v1/pages/${page_id}/components`, { name: 'Web', ...more });

/** Fields whose response differs from the sent value; other tests cover them. */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set([
  // a map is sent, but the response shows all components that were ever affected
  '/v1/pages/{page_id}/incidents/{incident_id} components',
  // docs/reference/checks.md#types: of url and host, the one that the type does not use is stored as null
  '/v1/checks/{check_id} host',
  // docs/reference/alert-rules.md#regions-of-a-condition: the threshold has no meaning in other modes
  '/v1/alerts/rules/{rule_id} multi_region_threshold',
  // tokens are masked in responses
  '/v1/alerts/channels/{channel_id} configuration',
]);

/** Field values required by domain rules, by path. */
const VALUES: Record<string, (ids: Ids) => Promise<Record<string, unknown>> | Record<string, unknown>> = {
  '/v1/pages/{page_id}': () => ({ notifications_from_email: 'status@example.com', language: 'de' }),
  '/v1/pages/{page_id}/passwords/{password_id}': () => ({ expires_at: '2031-01-01T10:00:00.000000' }),
  '/v1/pages/{page_id}/components/{component_id}': async (ids) => ({
    group_id: await aComponent(ids, { group: true }),
    check_id: await aCheck(),
  }),
  '/v1/pages/{page_id}/component-groups/{component_id}': () => ({ group_id: 'k3v9x0q2m7ab' }),
  '/v1/pages/{page_id}/incidents/{incident_id}': () => ({
    scheduled_for: '2031-01-01T10:00:00.000000',
    scheduled_until: '2031-01-01T12:00:00.000000',
  }),
  '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}': async (ids) => ({
    created_at: '2026-01-01T00:00:00.000000',
    components: { [await aComponent(ids)]: 'major_outage' },
  }),
  '/v1/incident-templates/{incident_template_id}': async () => {
    const page_id = await made('/v1/pages', { name: 'Templates', subdomain: 'templates' });
    return {
      page_id,
      status: 'scheduled',
      kind: 'maintenance',
      components: { [await aComponent({ page_id })]: 'major_outage' },
    };
  },
  '/v1/pages/{page_id}/subscribers/{subscriber_id}': async (ids) => ({ component_ids: [await aComponent(ids)] }),
  '/v1/checks/{check_id}': async () => ({
    parameters: { search_text: 'ok' },
    group_id: await made('/v1/check-groups', { name: 'Group' }),
    secrets: [],
    tags: ['eu', 'prod'],
    muted_until: '2031-01-01T10:00:00.000000',
  }),
  '/v1/secrets/{secret_id}': () => ({ secret_value: 'staple' }),
  '/v1/heartbeats/{heartbeat_key}': () => ({
    schedule: '30 3 * * *',
    time_zone: 'Europe/Berlin',
    tags: ['eu', 'prod'],
  }),
  '/v1/alerts/rules/{rule_id}': async () => ({
    check_id: await aCheck(),
    // This change is refused, because the new condition needs other parameters.
    condition: 'check_degraded',
    condition_parameters: { count: 2 },
    channel_ids: [await storeChannel(service, service.first.id)],
    muted_until: '2031-01-01T10:00:00.000000',
    tag: 'prod',
  }),
  '/v1/organizations/{org_id}': () => ({
    invoice_details: { legal_name: 'Acme', tax_id: '1', address: 'Street 1', email: 'a@example.com' },
  }),
};

/** Functions that create a variant of a resource on which every field has an effect. */
const MADE: Record<string, (ids: Ids) => Promise<Ids>> = {
  '/v1/pages/{page_id}/incidents/{incident_id}': async ({ page_id = '' }) => ({
    page_id,
    incident_id: await made(`/v1/pages/${page_id}/incidents`, {
      name: 'New disks',
      body: 'We change the disks.',
      status: 'scheduled',
      components: {},
      scheduled_for: '2030-01-01T10:00:00Z',
      scheduled_until: '2030-01-01T12:00:00Z',
    }),
  }),
  '/v1/alerts/rules/{rule_id}': async () => ({
    rule_id: await made('/v1/alerts/rules', {
      name: 'Shop is down',
      check_id: await aCheck(),
      condition: 'consecutive_failures',
      condition_parameters: { count: 3 },
      channel_ids: [await storeChannel(service, service.first.id)],
    }),
  }),
};

test('every field that a change accepts has an effect or is refused by name', async () => {
  const without: string[] = [];
  const untried: string[] = [];
  let tried = 0;
  for (const { path, change } of resources) {
    if (!change?.body) continue;
    const all = await createAll(service, v1Routes, path, key);
    const ids = (await MADE[path]?.(all)) ?? all;
    const values = (await VALUES[path]?.(ids)) ?? {};
    const at = fillPath(path, ids);
    const base = bodyFor('patch', change, ids) as Record<string, unknown>;
    for (const [field, schema] of Object.entries(propertiesOf(change.body))) {
      const before = (await service.request('GET', at, { key })).json() as Record<string, unknown>;
      if (!(field in before) || field in (READ_ONLY[path] ?? {})) continue;
      if (SHOWN_OTHERWISE.has(`${path} ${field}`)) continue;
      const value = field in values ? values[field] : otherThan(schema, before[field]);
      if (value === undefined) {
        untried.push(`${path} ${field}`);
        continue;
      }
      const required = Object.fromEntries(
        ((change.body['required'] ?? []) as string[]).map((name) => [name, base[name]]),
      );
      service.time.now += 1_000;
      const reply = await service.request('PATCH', at, { key, body: { ...required, [field]: value } });
      tried += 1;
      if (reply.status === 422 || reply.status === 403 || reply.status === 409) {
        if (!reply.text.includes(field)) without.push(`${path} ${field}: ${reply.text}`);
        continue;
      }
      const after = (await service.request('GET', at, { key })).json() as Record<string, unknown>;
      if (reply.status !== 200 || !isDeepStrictEqual(after[field], value)) {
        without.push(`${path} ${field}: ${JSON.stringify(value)} gave ${reply.status} ${JSON.stringify(after[field])}`);
      }
    }
  }
  assert.equal({ without, untried }, { without: [], untried: [] });
  assert.ok(tried > 60);
});

test.run();
