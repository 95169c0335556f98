import { randomUUID } from 'node:crypto';
import { inviteUser } from '../../commands/organizations/users.ts';
import type { Method, Route } from '../../api/route.ts';
import { ANY_BODY, JSON_BODY } from '../../http/media/body-types.ts';
import { bodyTypes } from '../../http/routes/route.ts';
import { resultOf } from '../domain/check-result/examples.ts';
import { storeFiredAlert } from './alerts.ts';
import { storeChannel } from './stored-channels.ts';
import { storePayment } from './payments.ts';
import { storeGroup } from './execution-groups.ts';
import { sampleValue } from './sample.ts';
import type { Service } from './service.ts';

/** Values of path parameters. */
export type Ids = Readonly<Record<string, string>>;

/** Returns the input for a user with a unique e-mail address. */
const newUser = () => ({ email: `${randomUUID()}@example.com`, role: 'viewer' });
let plansUsed = 0;
/** Used in names of secrets, which must be unique in an organization. */
let secretsMade = 0;
const newSecret = () => ({ secret_name: `TOKEN_${secretsMade++}`, secret_value: 'correct horse' });

/** A channel whose target does not exist. */
const CHANNEL = { name: 'Chat', type: 'telegram', configuration: { bot_token: '1:a', chat_id: '1' } };

/** Bodies required by domain rules, by method and path. Every other body is generated from its schema. */
const BODIES: Record<string, (ids: Ids) => object> = {
  'post /v1/pages/{page_id}/incidents': () => ({
    name: 'Login fails',
    body: 'We are looking into it.',
    status: 'investigating',
    components: {},
  }),
  'post /v1/pages/{page_id}/components/uptime': ({ component_id = 'k3v9x0q2m7ab' }) => ({
    component_ids: [component_id],
  }),
  'post /v1/api-tokens': () => ({ name: 'Deployment' }),
  'post /v1/api-keys': () => ({ name: 'Deployment' }),
  'post /v1/secrets': () => newSecret(),
  'post /v1/runners': () => ({ name: 'Office' }),
  'put /v1/secrets/{secret_id}': () => ({ secret_value: 'battery staple' }),
  'patch /v1/secrets/{secret_id}': () => ({ secret_value: 'battery staple' }),
  'post /v1/checks/{check_id}/secrets': ({ new_secret_id = 'k3v9x0q2m7ab' }) => ({
    secret_id: new_secret_id,
    env_variable: `TOKEN_${new_secret_id}`,
  }),
  'put /v1/checks/{check_id}/secrets': ({ new_secret_id = 'k3v9x0q2m7ab' }) => [
    { secret_id: new_secret_id, env_variable: 'TOKEN' },
  ],
  'post /v1/heartbeats': () => ({ name: 'Backup', period_seconds: 3_600 }),
  'post /v1/heartbeats/{heartbeat_key}/channels': ({ channel_id = 'k3v9x0q2m7ab' }) => ({ channel_ids: [channel_id] }),
  'put /v1/heartbeats/{heartbeat_key}': () => ({ name: 'Backup', grace_seconds: 600 }),
  'patch /v1/heartbeats/{heartbeat_key}': () => ({ name: 'Backup', grace_seconds: 600 }),
  'post /v1/pages/{page_id}/email-domain/records': () => ({ domain: 'example.com', from_email: 'status@example.com' }),
  'post /v1/pages/{page_id}/subscribers': () => ({ mode: 'webhook', endpoint: 'http://127.0.0.1:9/hook' }),
  'post /v1/reports': () => {
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    return { name: 'Uptime', report_type: 'uptime', period_start: day(7), period_end: day(1) };
  },
  'post /v1/alerts/rules': ({ check_id = 'k3v9x0q2m7ab', channel_id = 'k3v9x0q2m7ab' }) => ({
    name: 'Shop is down',
    check_id,
    condition: 'check_failed',
    channel_ids: [channel_id],
  }),
  'post /v1/alerts/rules/simulate': ({ check_id = 'k3v9x0q2m7ab' }) => {
    const hoursAgo = (ago: number): string => new Date(Date.now() - ago * 3_600_000).toISOString();
    return { check_id, condition: 'check_failed', from: hoursAgo(24), to: hoursAgo(1) };
  },
  // At most one payment per plan can be pending.
  'post /v1/payments': () => ({ plan_id: `plan-${plansUsed++}` }),
  'post /v1/alerts/channels': () => CHANNEL,
  'post /v1/alerts/channels/test': () => CHANNEL,
  'post /v1/users/invite': () => newUser(),
  'post /v1/checks/execute': () => ({ name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/' }),
  'put /v1/checks/{check_id}/group': () => ({ group_id: null }),
  'patch /v1/checks/{check_id}/group': () => ({ group_id: null }),
  'post /v1/checks/bulk': () => ({ ids: ['k3v9x0q2m7ab'], change: { active: false } }),
  'post /v1/alerts/bulk': () => ({ ids: ['k3v9x0q2m7ab'], change: { acknowledge: true } }),
  'post /v1/checks': () => ({ name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 }),
};

const POSTMORTEM = '/v1/pages/{page_id}/incidents/{incident_id}/postmortem';

const drafted = (service: Service, key: string, ids: Ids) =>
  service.request('PUT', fillPath(POSTMORTEM, ids), { key, body: { body_draft: 'A disk was full.' } });

/** Writes a draft. Without a draft, there is no postmortem. */
const draftPostmortem = async (service: Service, key: string, ids: Ids): Promise<Ids> => {
  await drafted(service, key, ids);
  return {};
};

/** Publishes a postmortem, because only a published one can be unpublished. */
const publishPostmortem = async (service: Service, key: string, ids: Ids): Promise<Ids> => {
  await drafted(service, key, ids);
  await service.request('PUT', `${fillPath(POSTMORTEM, ids)}/publish`, { key, body: { notify_subscribers: false } });
  return {};
};

const EMAIL_DOMAIN = '/v1/pages/{page_id}/email-domain';

/** Sets an e-mail domain, because a new page has none. */
const configureEmailDomain = async (service: Service, key: string, ids: Ids): Promise<Ids> => {
  const body = { domain: 'example.com', from_email: 'status@example.com' };
  await service.request('POST', fillPath(`${EMAIL_DOMAIN}/records`, ids), { key, body });
  return {};
};

/** Returns the organization of a key. */
const organizationOf = ({ first, second }: Service, key: string): string =>
  Object.values<string>(first.keys).includes(key) ? first.id : second.id;

/** Creates the check and the channel that an alert rule needs. */
const watched = async (service: Service, key: string): Promise<Ids> => {
  const body = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  const check = await service.request('POST', '/v1/checks', { key, body });
  const channel_id = await storeChannel(service, organizationOf(service, key));
  return { check_id: (check.json() as { id: string }).id, channel_id };
};

const storeSecret = async (service: Service, key: string): Promise<string> => {
  const reply = await service.request('POST', '/v1/secrets', { key, body: newSecret() });
  return (reply.json() as { id: string }).id;
};

/** Functions that create the resources named by path parameters, if no POST to the preceding path creates them. */
const MAKERS: Record<string, (service: Service, key: string, ids: Ids) => Promise<string>> = {
  '/v1/users/{user_id}': async (service, key) => {
    const context = service.context(organizationOf(service, key), randomUUID());
    const { userId } = await service.commands.bind(inviteUser)(newUser(), context);
    await service.readers.waitFor(['organizations'], context);
    return userId;
  },
  '/v1/pages/by-domain/{domain}': async (service, key) => {
    const subdomain = `by-domain-${key.replace(/\W/g, '-')}`;
    await service.request('POST', '/v1/pages', { key, body: { name: 'By domain', subdomain } });
    return subdomain;
  },
  // Every month up to the current one has a statement.
  '/v1/pages/{page_id}/statements/{month}': async ({ time }) => new Date(time.now).toISOString().slice(0, 7),
  [`${POSTMORTEM}/preview/{preview_key}`]: async (service, key, ids) =>
    ((await drafted(service, key, ids)).json() as { preview_key: string }).preview_key,
  // Only runs create results.
  '/v1/checks/{check_id}/results/{result_id}': async (service, _, { check_id = '' }) => {
    const result = resultOf(check_id);
    const { position } = await service.stores.results.append('check_results-ru-central1', [result], 'any');
    await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
    return result.data.result_id;
  },
  // Bindings need existing secrets.
  '/v1/checks/{check_id}/secrets/{secret_id}': async (service, key, { check_id = '' }) => {
    const secret_id = await storeSecret(service, key);
    const body = { secret_id, env_variable: 'TOKEN' };
    await service.request('POST', `/v1/checks/${check_id}/secrets`, { key, body });
    return secret_id;
  },
  '/v1/alerts/rules/{rule_id}': async (service, key) => {
    const body = BODIES['post /v1/alerts/rules']?.(await watched(service, key)) ?? {};
    return ((await service.request('POST', '/v1/alerts/rules', { key, body })).json() as { id: string }).id;
  },
  // Jobs are created at another path than the one that lists them.
  '/v1/checks/jobs/{job_id}': async (service, key) => {
    const body = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/' };
    const reply = await service.request('POST', '/v1/checks/execute', { key, body });
    return (reply.json() as { job_id: string }).job_id;
  },
  // Alerts cannot be created by requests.
  '/v1/alerts/{alert_id}': (service, key) => storeFiredAlert(service, organizationOf(service, key)),
  // A heartbeat needs existing channels.
  '/v1/heartbeats/{heartbeat_key}/channels/{channel_id}': async (service, key, { heartbeat_key = '' }) => {
    const channel_id = await storeChannel(service, organizationOf(service, key));
    const body = { channel_ids: [channel_id] };
    await service.request('POST', `/v1/heartbeats/${heartbeat_key}/channels`, { key, body });
    return channel_id;
  },
  // The given key might lack the permission to order a plan.
  '/v1/payments/{payment_id}': (service, key) => storePayment(service, organizationOf(service, key)),
  // The organization of the caller.
  '/v1/organizations/{org_id}': async (service, key) => organizationOf(service, key),
  // Execution groups are created by running a check, at another path.
  '/v1/execution-groups/{group_id}': async (service) => {
    const began = await storeGroup(service, {});
    return began.execution_group_id;
  },
};

/** Operations that are refused when they are repeated. */
export const NOT_REPEATABLE: ReadonlySet<string> = new Set([
  '/v1/alerts/{alert_id}/acknowledge',
  '/v1/alerts/{alert_id}/resolve',
  '/v1/payments/{payment_id}/cancel',
  '/v1/checks/{check_id}/secrets',
]);

/**
 * Functions by path. They create the resources that only the body of a request refers to, and resources that no POST
 * creates.
 */
const NAMED: Record<string, (service: Service, key: string, ids: Ids) => Promise<Ids>> = {
  '/v1/pages/{page_id}/components/uptime': async (service, key, { page_id = '' }) => {
    const reply = await service.request('POST', `/v1/pages/${page_id}/components`, { key, body: { name: 'Web' } });
    return { component_id: (reply.json() as { id: string }).id };
  },
  '/v1/alerts/rules': watched,
  '/v1/alerts/rules/simulate': watched,
  '/v1/checks/{check_id}/secrets': async (service, key) => ({ new_secret_id: await storeSecret(service, key) }),
  '/v1/heartbeats/{heartbeat_key}/channels': async (service, key) => ({
    channel_id: await storeChannel(service, organizationOf(service, key)),
  }),
  [EMAIL_DOMAIN]: configureEmailDomain,
  [`${EMAIL_DOMAIN}/verify`]: configureEmailDomain,
  [POSTMORTEM]: draftPostmortem,
  [`${POSTMORTEM}/history`]: draftPostmortem,
  [`${POSTMORTEM}/history/diff`]: draftPostmortem,
  [`${POSTMORTEM}/history/moments`]: draftPostmortem,
  [`${POSTMORTEM}/publish`]: draftPostmortem,
  [`${POSTMORTEM}/unpublish`]: publishPostmortem,
};

/** Returns a path with its parameters filled in. */
export const fillPath = (path: string, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? `no-${name}`));

/** Returns whether the body of a route is JSON. Routes that accept only files are tested with their resource. */
export const takesJson = (route: Route): boolean =>
  bodyTypes(route).some((type) => type === JSON_BODY || type === ANY_BODY);

/** Returns a JSON body that the route accepts, or undefined if it accepts none. */
export const bodyFor = (method: Method, route: Route, ids: Ids): object | undefined => {
  const { path, body } = route;
  const made = BODIES[`${method} ${path}`]?.(ids);
  return made ?? (body && takesJson(route) ? (sampleValue(body) as object) : undefined);
};

/** Creates everything that a path and its body refer to, with the key of an organization. @returns the ids */
export const createAll = async (
  service: Service,
  routes: readonly Route[],
  path: string,
  key: string,
): Promise<Ids> => {
  const ids: Record<string, string> = {};
  for (const [parameter, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const upTo = path.slice(0, path.indexOf(parameter) + parameter.length);
    const maker = MAKERS[upTo];
    ids[name] = maker ? await maker(service, key, ids) : await post(service, routes, upTo, key, ids);
  }
  return { ...ids, ...(await NAMED[path]?.(service, key, ids)) };
};

/** Creates the resource of `/…/things/{thing_id}` with a POST to `/…/things`. */
const post = async (
  service: Service,
  routes: readonly Route[],
  path: string,
  key: string,
  ids: Ids,
): Promise<string> => {
  const collection = path.slice(0, path.lastIndexOf('/'));
  const route = routes.find((one) => one.path === collection && one.methods.includes('post'));
  if (!route) throw new Error(`Nothing makes what ${path} names: add a maker to test/api/fixtures.ts.`);
  const reply = await service.request('POST', fillPath(collection, ids), {
    key,
    body: bodyFor('post', route, ids) ?? {},
  });
  if (reply.status >= 300) throw new Error(`POST ${collection} answered ${reply.status}: ${reply.text}`);
  return (reply.json() as { id: string }).id;
};
