import * as assert from 'uvu/assert';
import { storeFiredAlert } from '../../api/alerts.ts';
import { wentDown } from '../../domain/check/examples.ts';
import type { Console } from './visits.ts';

/** The ids of one object of each kind that the console shows. */
export interface Organization {
  page: string;
  component: string;
  incident: string;
  maintenance: string;
  check: string;
  group: string;
  heartbeat: string;
  channel: string;
  rule: string;
  alert: string;
  report: string;
}

/** Appends the event that a check went down. */
export const goesDown = async ({ service }: Console, id: string, error_message?: string): Promise<void> => {
  const [known] = await service.stores.main.readStream(`check-${id}`);
  assert.ok(known);
  const fact = wentDown();
  const metadata = { ...known.metadata, schema_version: 1 };
  const data = { ...fact.data, check_id: id, ...(error_message !== undefined && { error_message }) };
  const event = { ...fact, id: crypto.randomUUID(), metadata, data };
  await service.stores.main.append(`check-${id}`, [event], 'any');
};

/**
 * Creates one object of each kind that the console shows, through the API.
 *
 * @param say returns a unique text for a kind of object
 */
export const fillOrganization = async (site: Console, say: (what: string) => string): Promise<Organization> => {
  const { service } = site;
  const make = async (path: string, body: object, key = service.first.keys.editor): Promise<string> => {
    const reply = await service.request('POST', path, { key, body });
    assert.ok(reply.status === 200 || reply.status === 201 || reply.status === 202, `${path}: ${reply.text}`);
    return (reply.json() as { id: string }).id;
  };
  const group = await make('/v1/check-groups', { name: say('group'), description: say('group text') });
  const url = 'http://127.0.0.1:9/shop';
  const check = await make('/v1/checks', { name: say('check'), type: 'web', url, interval: 3_600, tags: ['eu'] });
  await service.request('PATCH', `/v1/checks/${check}`, { body: { group_id: group } });
  const channel = await make('/v1/alerts/channels', {
    name: say('channel'),
    type: 'webhook',
    configuration: { url: 'http://127.0.0.1:9/hook' },
  });
  const rule = await make('/v1/alerts/rules', {
    name: say('rule'),
    check_id: check,
    condition: 'check_failed',
    channel_ids: [channel],
  });
  const heartbeat = await make('/v1/heartbeats', { name: say('heartbeat'), period_seconds: 3_600, tags: ['eu'] });
  const page = await make('/v1/pages', {
    name: say('page'),
    page_description: say('page text'),
    headline: say('headline'),
  });
  const at = `/v1/pages/${page}`;
  const component = await make(`${at}/components`, {
    name: say('component'),
    description: say('component text'),
    check_id: check,
  });
  const components = { [component]: 'partial_outage' };
  const incident = await make(`${at}/incidents`, {
    name: say('incident'),
    body: say('update'),
    status: 'investigating',
    components,
  });
  const later = (hours: number): string => new Date(service.time.now + hours * 3_600_000).toISOString();
  const maintenance = await make(`${at}/incidents`, {
    name: say('maintenance'),
    body: say('maintenance text'),
    status: 'scheduled',
    components: {},
    scheduled_for: later(24),
    scheduled_until: later(26),
  });
  await make('/v1/incident-templates', { name: say('template'), body: say('template text') });
  await make(`${at}/passwords`, {
    name: say('password'),
    password: 'a pass phrase for visitors',
    password_hint: say('hint'),
  });
  await make(`${at}/subscribers`, { mode: 'email', email: 'visitor@example.com' });
  await make('/v1/secrets', { secret_name: 'TOKEN', secret_value: 's3cret' });
  await make('/v1/runners', { name: say('runner') }, service.first.keys.admin);
  await make('/v1/api-keys', { name: say('key'), role: 'viewer' });
  const report = await make('/v1/reports', {
    name: say('report'),
    report_type: 'uptime',
    check_ids: [check],
    period_start: later(-24),
    period_end: later(0),
  });
  await goesDown(site, check, say('failure'));
  const alert = await storeFiredAlert(service, service.first.id, { check_id: check, title: say('alert') });
  return { page, component, incident, maintenance, check, group, heartbeat, channel, rule, alert, report };
};

/** Returns the paths of all screens, with the ids of the given objects. */
export const screensOf = (ids: Organization): readonly string[] => {
  const page = `/pages/${ids.page}`;
  return [
    '/',
    '/checks',
    `/checks/${ids.check}`,
    ...['alerts', 'history'].map((tab) => `/checks/${ids.check}?tab=${tab}`),
    `/checks/${ids.check}/edit`,
    '/checks/new',
    '/heartbeats',
    `/heartbeats/${ids.heartbeat}`,
    `/heartbeats/${ids.heartbeat}/edit`,
    '/alerts',
    `/alerts/${ids.alert}`,
    '/alerts/rules',
    `/alerts/rules/${ids.rule}`,
    '/alerts/channels',
    `/alerts/channels/${ids.channel}`,
    '/groups',
    `/groups/${ids.group}`,
    '/tags',
    '/reports',
    `/reports/${ids.report}`,
    '/reports/new',
    '/secrets',
    '/runners',
    '/pages',
    page,
    ...['appearance', 'settings', 'domain', 'email', 'passwords', 'subscribers'].map((tab) => `${page}/${tab}`),
    `${page}/incidents/${ids.incident}`,
    `${page}/incidents/${ids.maintenance}`,
    `${page}/incidents/new`,
    '/incidents',
    '/maintenances',
    '/incident-templates',
    '/people',
    '/keys',
    '/sessions',
    '/audit',
    '/plan',
    '/usage',
    '/profile',
    '/operator',
    '/wall',
  ];
};
