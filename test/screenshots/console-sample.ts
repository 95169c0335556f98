import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/time.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { storeFiredAlert } from '../api/alerts.ts';
import { storeUser } from '../api/v1/login/signed-in-user.ts';
import { resultOf } from '../domain/check-result/examples.ts';
import { wentDown, cameUp } from '../domain/check/examples.ts';
import type { Console } from '../e2e/console/visits.ts';

export const NOW = Date.UTC(2026, 10, 26, 13, 17, 3);

/** Ids of the resources in the screenshots. */
export interface Sample {
  check: string;
  page: string;
  incident: string;
  alert: string;
  heartbeat: string;
}

const PLACES = ['eu', 'us', 'ap'];
const SERVICES = ['checkout', 'search', 'catalogue', 'accounts', 'images', 'mail', 'payments', 'stock', 'prices'];
const GROUPS = ['Storefront', 'Back office', 'Infrastructure'];

/** Failing checks by name: the minutes since the check failed, and its error message. */
const FAILING: Readonly<Record<string, readonly [minutes: number, message: string]>> = {
  'eu/checkout': [12, 'Answered 503, expected 200–299.'],
  'us/payments': [11, 'Answered 503, expected 200–299.'],
  'ap/images': [190, 'The certificate ends in 3 days, on 29 November 2026; at least 14 days are wanted.'],
};

/** Returns a pseudo-random number from 0 to below 1, which depends only on the text. */
const chance = (text: string): number => Number.parseInt(derivedUuid(text).slice(0, 6), 16) / 0x1000000;

/** Fills a service with the data of a shop that is checked from three regions. Its clock must be at {@link NOW}. */
export const fillConsole = async (site: Console): Promise<Sample> => {
  const { service } = site;
  const organization_id = service.first.id;
  const make = async (path: string, body: object): Promise<string> => {
    const reply = await service.request('POST', path, { body });
    assert.ok(reply.status === 200 || reply.status === 201, `${path}: ${reply.text}`);
    return (reply.json() as { id: string }).id;
  };
  await storeUser(service, 'maria', 'admin');
  const key = service.first.keys.admin;
  await service.request('PATCH', `/v1/organizations/${organization_id}`, { key, body: { name: 'Acme' } });
  const groups: string[] = [];
  for (const name of GROUPS) groups.push(await make('/v1/check-groups', { name }));

  service.time.now = NOW - 40 * DAY_MS;
  const ids = new Map<string, string>();
  for (const place of PLACES) {
    for (const [index, name] of SERVICES.entries()) {
      const full = `${place}/${name}`;
      const isApi = index % 3 === 1;
      const id = await make('/v1/checks', {
        name: full,
        type: isApi ? 'api' : 'web',
        url: `http://127.0.0.1:9/${full}`,
        interval: 900,
        active: full !== 'ap/mail',
        group_id: groups[index % GROUPS.length] ?? null,
        tags: [place, index < 4 ? 'tier:1' : 'tier:2'],
      });
      ids.set(full, id);
    }
  }
  await addResults(site, ids);
  service.time.now = NOW;
  const check = ids.get('eu/checkout') ?? '';

  const channel = await make('/v1/alerts/channels', {
    name: 'On call',
    type: 'webhook',
    configuration: { url: 'http://127.0.0.1:9/on-call' },
  });
  await make('/v1/alerts/rules', {
    name: 'Tier 1 is down',
    tag: 'tier:1',
    condition: 'check_failed',
    severity: 'critical',
    channel_ids: [channel],
  });
  service.time.now = NOW - 12 * MINUTE_MS;
  const alert = await storeFiredAlert(service, organization_id, { check_id: check, title: 'eu/checkout is down' });
  service.time.now = NOW;

  const heartbeat = await make('/v1/heartbeats', {
    name: 'Nightly backup',
    schedule: '30 2 * * *',
    time_zone: 'Europe/Berlin',
  });
  for (const name of ['Invoices', 'Stock import']) await make('/v1/heartbeats', { name, period_seconds: 3_600 });

  const page = await make('/v1/pages', { name: 'Acme', subdomain: 'acme', time_zone: 'Europe/Berlin' });
  const at = `/v1/pages/${page}`;
  const components: string[] = [];
  const storefront = await make(`${at}/component-groups`, { name: 'Storefront' });
  for (const name of ['Shop', 'Checkout', 'Search'])
    components.push(await make(`${at}/components`, { name, group_id: storefront, start_date: '2026-01-01' }));
  for (const name of ['API', 'E-mail'])
    components.push(await make(`${at}/components`, { name, start_date: '2026-01-01' }));
  for (const name of ['anna', 'ben', 'carla', 'dmitri', 'elena'])
    await make(`${at}/subscribers`, {
      mode: 'email',
      email: `${name}@example.com`,
      skip_confirmation_notification: true,
    });
  service.time.now = NOW - 10 * MINUTE_MS;
  const incident = await make(`${at}/incidents`, {
    name: 'Checkout fails for some cards',
    body: 'We are looking into payments that fail at the last step of the checkout.',
    status: 'investigating',
    components: { [components[1] ?? '']: 'partial_outage' },
  });
  service.time.now = NOW;
  await make(`${at}/incidents`, {
    name: 'Database upgrade',
    body: 'Orders are read-only for up to an hour.',
    status: 'scheduled',
    components: { [components[3] ?? '']: 'under_maintenance' },
    scheduled_for: new Date(NOW + 3 * DAY_MS).toISOString(),
    scheduled_until: new Date(NOW + 3 * DAY_MS + HOUR_MS).toISOString(),
  });
  await make('/v1/incident-templates', {
    name: 'Payment provider',
    incident_name: 'Payments fail',
    status: 'identified',
    body: 'Our payment provider reports problems. Orders can be paid by invoice meanwhile.',
  });
  return { check, page, incident, alert, heartbeat };
};

/** Adds results of one day and of every sixth hour of a month, with the status changes that these results cause. */
const addResults = async ({ service }: Console, ids: ReadonlyMap<string, string>): Promise<void> => {
  const organization_id = service.first.id;
  for (const [name, id] of ids) {
    const usual = 60 + Math.round(400 * chance(name));
    const [minutes, message] = FAILING[name] ?? [0, ''];
    const ages = [
      ...Array.from({ length: 120 }, (_, index) => 1 * DAY_MS + index * 6 * HOUR_MS),
      ...Array.from({ length: 96 }, (_, index) => index * 15 * MINUTE_MS + 20_000),
    ].sort((one, other) => other - one);
    const events = ages.map((age) => {
      const at = NOW - age;
      const luck = chance(`${name} ${age}`);
      const isDown = age < minutes * MINUTE_MS || (age > HOUR_MS && luck > 0.997);
      const response_time = isDown ? null : Math.round(usual * (0.85 + 0.3 * luck + (luck > 0.97 ? 0.8 : 0)));
      return resultOf(id, at, {
        organization_id,
        response_time,
        ...(isDown && { status: 'down' as const, error_message: message || 'Answered 502, expected 200–299.' }),
      });
    });
    const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
    await decide(service, id, NOW - 39 * DAY_MS, cameUp());
    if (minutes > 0) await decide(service, id, NOW - minutes * MINUTE_MS, wentDown(), message);
    await service.readers.waitFor(['check_activity'], { appended: new Map([['results', position]]) });
  }
};

const decide = async (
  service: Console['service'],
  check_id: string,
  at: number,
  fact: ReturnType<typeof cameUp> | ReturnType<typeof wentDown>,
  error_message?: string,
): Promise<void> => {
  const [known] = await service.stores.main.readStream(`check-${check_id}`);
  assert.ok(known);
  const metadata = { ...known.metadata, recorded_at: instantOf(at), schema_version: 1 };
  const id = derivedUuid(`${fact.type} of ${check_id}`);
  const data = {
    ...fact.data,
    check_id,
    result_id: id,
    at: instantOf(at),
    ...(error_message !== undefined && { error_message }),
  };
  await service.stores.main.append(`check-${check_id}`, [{ ...fact, id, metadata, data }], 'any');
};
