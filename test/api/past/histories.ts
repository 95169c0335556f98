import * as assert from 'uvu/assert';
import { AS_OF } from '../../../api/past/routes.ts';
import { v1Routes } from '../../../api/v1/index.ts';
import { FORGOTTEN } from '../../../stores/keys/port.ts';
import { isFields } from '../../../domain/fields.ts';
import { instantOf } from '../../../domain/time.ts';
import { randomFrom, type Random } from '../../contracts/random.ts';
import { storeFiredAlert } from '../alerts.ts';
import { bodyFor, fillPath, type Ids } from '../fixtures.ts';
import { startService, type Service } from '../service.ts';
import { endOfResults, storeResults } from './random-results.ts';

/** A created resource: the path of its route, and the values of the path parameters. */
interface Made {
  path: string;
  ids: Ids;
}

/** A response, and a time at which the API gave this response. */
interface Given {
  url: string;
  at: string;
  status: number;
  text: string;
}

const START = Date.UTC(2026, 10, 20, 15);

/**
 * Fields that are not compared. `activity_score` counts updates of a period that ends now. Past states contain no
 * secrets, so `secret_value` and `endpoint`, which may contain a secret, are missing, and `preview_key` is null.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set(['activity_score', 'secret_value', 'endpoint', 'preview_key']);

/** Paths of the resources that a random history creates. Parents precede their children. */
const CREATED = [
  '/v1/pages/{page_id}',
  '/v1/pages/{page_id}/components/{component_id}',
  '/v1/pages/{page_id}/component-groups/{component_id}',
  '/v1/pages/{page_id}/incidents/{incident_id}',
  '/v1/pages/{page_id}/passwords/{password_id}',
  '/v1/pages/{page_id}/subscribers/{subscriber_id}',
  '/v1/incident-templates/{incident_template_id}',
  '/v1/secrets/{secret_id}',
  '/v1/check-groups/{group_id}',
  '/v1/checks/{check_id}',
  '/v1/alerts/channels/{channel_id}',
  '/v1/alerts/rules/{rule_id}',
  '/v1/heartbeats/{heartbeat_key}',
  '/v1/runners/{runner_id}',
  '/v1/api-keys/{key_id}',
  '/v1/reports/{report_id}',
];

/** Fields that follow from results and pings, all of which are retained in these histories. */
const DERIVED = [
  'last_checked_at',
  'uptime_summary',
  'uptime_data',
  'status',
  'last_ping_at',
  'next_expected_ping',
  'recent_pings',
  'credits',
] as const;

/** Resources whose responses show the uptime of results if the query asks for it. */
const WITH_UPTIME: ReadonlySet<string> = new Set(['/v1/checks', '/v1/checks/{check_id}']);

const STATUSES = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const;
const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

/** Performs a random history, and returns the responses of the API after each event. */
const carryOut = async (service: Service, random: Random, steps: number): Promise<Given[]> => {
  const { request, first, time } = service;
  const key = first.keys.admin;
  const made: Made[] = [];
  const given: Given[] = [];
  let count = 0;

  const some = (path: string): Made | null => {
    const among = made.filter((one) => one.path === path);
    return among.length === 0 ? null : random.pick(among);
  };
  const parentOf = (path: string): string | null => {
    const [parent = ''] = /^(.*\})\/[^{]*\{\w+\}$/.exec(path)?.slice(1) ?? [];
    return parent === '' ? null : parent;
  };

  const create = async (): Promise<void> => {
    const path = random.pick(CREATED);
    const above = parentOf(path);
    const parent = above === null ? null : some(above);
    if (above !== null && !parent) return;
    const collection = path.slice(0, path.lastIndexOf('/'));
    const route = v1Routes.find((one) => one.path === collection && one.methods.includes('post'));
    assert.ok(route, collection);
    const named: Record<string, string> = { ...parent?.ids };
    const check = some('/v1/checks/{check_id}');
    const channel = some('/v1/alerts/channels/{channel_id}');
    if (path.includes('/rules/')) {
      if (!check || !channel) return;
      Object.assign(named, check.ids, channel.ids);
    }
    const body = bodyFor('post', route, named) as Record<string, unknown>;
    if (typeof body['name'] === 'string') body['name'] = `Thing ${count++}`;
    const component = some('/v1/pages/{page_id}/components/{component_id}');
    if (path.includes('/incidents/') && component?.ids['page_id'] === parent?.ids['page_id'] && component)
      body['components'] = { [component.ids['component_id'] ?? '']: random.pick(STATUSES.slice(0, 4)) };
    const reply = await request('POST', fillPath(collection, named), { key, body });
    // The parent of the resource, or a resource named in the body, may have been deleted.
    if (reply.status === 404 || reply.status === 422) return;
    assert.ok(reply.status < 300, `POST ${collection}: ${reply.text}`);
    const id = (reply.json() as { id: string }).id;
    const parameter = /\{(\w+)\}$/.exec(path)?.[1] ?? '';
    made.push({ path, ids: { ...parent?.ids, [parameter]: id } });
  };

  const change = async (): Promise<void> => {
    if (made.length === 0) return;
    const { path, ids } = random.pick(made);
    const at = fillPath(path, ids);
    if (path.endsWith('{incident_id}') && random.oneIn(2)) {
      await request('POST', `${at}/incident_updates`, {
        key,
        body: { body: 'More is known.', status: random.pick(INCIDENT_STATUSES) },
      });
      return;
    }
    if (path.endsWith('{incident_id}') && random.oneIn(4)) {
      await request('PUT', `${at}/postmortem`, { key, body: { body_draft: 'A disk was full.' } });
      return;
    }
    const body: Record<string, unknown> = { name: `Changed ${count++}` };
    if (path.endsWith('/components/{component_id}') && random.oneIn(2)) body['status'] = random.pick(STATUSES);
    if (path.endsWith('{check_id}') && random.oneIn(2)) body['interval'] = random.pick([30, 60, 300]);
    const group = some('/v1/check-groups/{group_id}');
    if (path.endsWith('/checks/{check_id}') && group && random.oneIn(3)) {
      await request('PATCH', `${at}/group`, { key, body: { group_id: group.ids['group_id'] } });
      return;
    }
    const secret = some('/v1/secrets/{secret_id}');
    if (path.endsWith('/checks/{check_id}') && secret && random.oneIn(3)) {
      const binding = { secret_id: secret.ids['secret_id'], env_variable: `TOKEN_${count++}` };
      await request('POST', `${at}/secrets`, { key, body: binding });
      return;
    }
    // The request is refused if the resource does not have this field. A refused request appends no event.
    await request('PATCH', at, { key, body });
  };

  const remove = async (): Promise<void> => {
    if (made.length < 6) return;
    const index = random.below(made.length);
    const one = made[index];
    if (!one) return;
    await request('DELETE', fillPath(one.path, one.ids), { key });
  };

  /** Stores results of checks, or a ping of a heartbeat. */
  const measure = async (): Promise<void> => {
    const heartbeat = some('/v1/heartbeats/{heartbeat_key}');
    const check = some('/v1/checks/{check_id}');
    if (heartbeat && (!check || random.oneIn(2))) {
      const kind = random.pick(['', '', '/start', '/fail']);
      const path = `${fillPath(heartbeat.path, heartbeat.ids)}/ping${kind}`;
      await request('POST', path, { key: null, body: { count: count++ } });
      await service.readers.waitFor(['heartbeat_pings'], await endOfResults(service));
    } else if (check) await storeResults(service, random, check.ids['check_id'] ?? '');
  };

  /** Returns the time at which the newest event was recorded. */
  const lastRecorded = async (): Promise<string> => {
    const logs = await Promise.all(
      Object.values(service.stores).map((log) => log.readAll({ after: 0n, limit: 10_000 })),
    );
    const times = logs.flatMap((events) => events.map(({ metadata }) => metadata.recorded_at)).sort();
    return times.at(-1) ?? '';
  };

  const look = async (at: string): Promise<void> => {
    const urls = new Set<string>();
    for (let index = 0; index < 12; index++) {
      const path = random.pick(Object.keys(AS_OF));
      const wanted = made.filter(
        (one) => path.startsWith(one.path) || one.path.startsWith(`${path}/`) || one.path === path,
      );
      const ids: Ids = { ...(wanted.length > 0 ? random.pick(wanted).ids : {}), org_id: first.id };
      const url = fillPath(path, ids);
      const query = WITH_UPTIME.has(path) && random.oneIn(2) ? '?include_uptime=true' : '';
      if (!url.includes('no-')) urls.add(`${url}${query}`);
    }
    for (const url of urls) {
      const reply = await request('GET', url, { key });
      given.push({ url, at, status: reply.status, text: reply.text });
    }
  };

  for (let step = 0; step < steps; step++) {
    const kind = random.below(13);
    if (kind < 4) await create();
    else if (kind < 8) await change();
    else if (kind < 9) await remove();
    else if (kind < 10) {
      if (random.oneIn(3)) await storeFiredAlert(service, first.id);
    } else await measure();
    const recorded = await lastRecorded();
    if (recorded === instantOf(time.now)) await look(`${recorded}Z`);
    time.now += 1_000;
    await look(new Date(time.now).toISOString());
    time.now += 60_000;
  }
  return given;
};

/** Returns a response without the fields that are not compared. */
const comparable = (value: unknown, unknown: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => comparable(one, unknown));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !NOT_COMPARED.has(name) && !unknown.has(name))
      .map(([name, field]) => [name, comparable(field, unknown)]),
  );
};

/**
 * Returns an earlier response, in which texts that were forgotten later are replaced by the placeholder in the later
 * response.
 */
const erasedLike = (now: unknown, given: unknown): unknown => {
  if (now === FORGOTTEN) return now;
  if (Array.isArray(now) && Array.isArray(given)) return given.map((one, index) => erasedLike(now[index], one));
  if (!isFields(now) || !isFields(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, field]) => [name, erasedLike(now[name], field)]));
};

/**
 * Performs a random history, and asserts that each response with `?at=` equals the response at that time. The texts are
 * equal, unless they contain something that is not compared.
 *
 * @returns the number of compared responses, and of those whose whole texts were compared
 */
export const compareHistory = async (seed: number, steps: number): Promise<{ compared: number; whole: number }> => {
  const service = await startService({ now: START });
  try {
    const given = await carryOut(service, randomFrom(seed), steps);
    service.time.now += 3_600_000;
    let whole = 0;
    for (const { url, at, status, text } of given) {
      const past = `${url}${url.includes('?') ? '&' : '?'}at=${at}`;
      const reply = await service.request('GET', past, { key: service.first.keys.admin });
      const about = `seed ${seed}: GET ${past}`;
      assert.is(reply.status, status, `${about}: ${reply.text}`);
      if (status !== 200) continue;
      const unknown = new Set(String(reply.headers['uptrail-unknown'] ?? '').split(', '));
      for (const field of DERIVED) assert.not.ok(unknown.has(field), `${about}: ${field} is unknown`);
      const [now, before] = [reply.json(), JSON.parse(text) as unknown];
      const [shown, expected] = [comparable(now, unknown), comparable(erasedLike(now, before), unknown)];
      assert.equal(shown, expected, about);
      if (JSON.stringify([shown, expected]) !== JSON.stringify([now, before])) continue;
      assert.is(reply.text, text, about);
      whole += 1;
    }
    return { compared: given.length, whole };
  } finally {
    await service.stop();
  }
};
