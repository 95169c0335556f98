import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, instantOf, MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { startService } from '../service.ts';

const test = suite('past states of what follows from results and pings');
const START = Date.UTC(2026, 10, 20, 15);
const service = await startService({ now: START });
const { request, first, time, stores, readers } = service;
const key = first.keys.admin;
test.after(() => service.stop());

type Json = Record<string, unknown>;
type Fields = Parameters<typeof resultOf>[2];

const create = async (path: string, body: object): Promise<string> => {
  const reply = await request('POST', path, { key, body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const aCheck = (): Promise<string> =>
  create('/v1/checks', { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 60 });
const until = async (models: readonly string[], position: bigint): Promise<void> =>
  readers.waitFor(models, { appended: new Map([['results', position]]) });
const store = async (check: string, results: [at: number, fields?: Fields][], alias = 'ru-central1'): Promise<void> => {
  const events = results.map(([at, fields]) => resultOf(check, at, { organization_id: first.id, ...fields }));
  for (let begin = 0; begin < events.length; begin += 500) {
    const { position } = await stores.results.append(`check_results-${alias}`, events.slice(begin, begin + 500), 'any');
    await until(['check_results', 'check_activity'], position);
  }
};
const asOf = async (path: string, at: number): Promise<{ body: Json; unknown: string[] }> => {
  const reply = await request('GET', `${path}${path.includes('?') ? '&' : '?'}at=${instantOf(at)}Z`, { key });
  assert.is(reply.status, 200, reply.text);
  const named = reply.headers['uptrail-unknown'];
  return { body: reply.json() as Json, unknown: typeof named === 'string' ? named.split(', ') : [] };
};

test('a check shows the newest result that was recorded by then, not one that ran by then and arrived later', async () => {
  const check = await aCheck();
  const minute = (number: number): number => START + number * MINUTE_MS;
  await store(check, [
    [minute(1)],
    [minute(2)],
    [minute(6), { ran_at: instantOf(minute(3)), slot: instantOf(minute(3)) }],
    [minute(7)],
  ]);
  time.now = minute(30);
  const shownAt = async (at: number): Promise<unknown> =>
    (await asOf(`/v1/checks/${check}`, at)).body['last_checked_at'];
  assert.is(await shownAt(minute(1) - 1), null);
  assert.is(await shownAt(minute(1)), instantOf(minute(1)));
  assert.is(await shownAt(minute(4)), instantOf(minute(2)));
  assert.is(await shownAt(minute(6)), instantOf(minute(3)));
  assert.is(await shownAt(minute(8)), instantOf(minute(7)));
});

test('a check whose first results were all recorded late had not run before', async () => {
  const check = await aCheck();
  const begin = time.now;
  const late = (minutes: number): Fields => ({ ran_at: instantOf(begin + minutes * MINUTE_MS) });
  await store(check, [
    [begin + 4 * MINUTE_MS, late(1)],
    [begin + 5 * MINUTE_MS, late(2)],
  ]);
  time.now += 30 * MINUTE_MS;
  const { body, unknown } = await asOf(`/v1/checks/${check}`, begin + 3 * MINUTE_MS);
  assert.is(body['last_checked_at'], null);
  assert.not.ok(unknown.includes('last_checked_at'));
});

test('the uptime of checks counts what was recorded by then', async () => {
  const check = await aCheck();
  const begin = time.now;
  const failure = { status: 'failed', response_time: 90, error_message: 'The status was 500.' } as const;
  await store(check, [
    [begin + MINUTE_MS, { response_time: 10 }],
    [begin + 2 * MINUTE_MS, failure],
    [begin + 9 * MINUTE_MS, { ran_at: instantOf(begin + 2 * MINUTE_MS) }],
  ]);
  time.now += 30 * MINUTE_MS;
  const { body, unknown } = await asOf(`/v1/checks/${check}?include_uptime=true`, begin + 5 * MINUTE_MS);
  assert.not.ok(unknown.includes('uptime_summary'));
  const summary = body['uptime_summary'] as Json;
  assert.equal([summary['total_checks'], summary['failed_checks']], [2, 1]);
  assert.is(summary['avg_response_time'], 50);
});

test('a check is found among very many results of other checks, also long after its last one', async () => {
  const [quiet, busy] = [await aCheck(), await aCheck()];
  const begin = time.now;
  await store(quiet, [[begin + SECOND_MS]]);
  await store(
    busy,
    Array.from({ length: 1_500 }, (_, index) => [begin + (index + 2) * SECOND_MS] as [number]),
  );
  time.now = begin + 2_000 * SECOND_MS;
  const { body, unknown } = await asOf('/v1/checks', begin + 1_000 * SECOND_MS);
  const shown = new Map((body['checks'] as Json[]).map(({ id, last_checked_at }) => [id, last_checked_at]));
  assert.is(shown.get(quiet), instantOf(begin + SECOND_MS));
  assert.is(shown.get(busy), instantOf(begin + 1_000 * SECOND_MS));
  assert.not.ok(unknown.includes('last_checked_at'));
});

test('a heartbeat shows its pings and its status as they were', async () => {
  const id = await create('/v1/heartbeats', { name: 'Backup', period_seconds: 600, grace_seconds: 600 });
  const ping = async (kind = ''): Promise<number> => {
    time.now += MINUTE_MS;
    await request('POST', `/v1/heartbeats/${id}/ping${kind}`, { key: null });
    const events = await stores.results.readAll({ after: 0n, limit: 20_000 });
    await until(['heartbeat_pings'], events.at(-1)?.position ?? 0n);
    return time.now;
  };
  const created = time.now;
  const begun = await ping('/start');
  const ended = await ping();
  for (let count = 0; count < 14; count++) await ping(count % 2 === 0 ? '/start' : '');
  const last = time.now;
  time.now += DAY_MS;
  const shownAt = async (at: number): Promise<Json> => {
    const { body, unknown } = await asOf(`/v1/heartbeats/${id}`, at);
    assert.equal(unknown, ['ping_url']);
    return body;
  };
  assert.equal((await shownAt(created))['status'], null);
  assert.is((await shownAt(begun))['last_ping_at'], instantOf(begun));
  const then = await shownAt(ended);
  assert.equal(
    [then['status'], then['last_ping_at'], then['next_expected_ping']],
    ['up', instantOf(ended), instantOf(ended + 600 * SECOND_MS)],
  );
  assert.is((then['recent_pings'] as Json[])[0]?.['duration'], 60);
  assert.is((await shownAt(ended + 30))['status'], 'up');
  const later = await shownAt(last);
  const recent = later['recent_pings'] as Json[];
  assert.is(recent.length, 10);
  assert.is(recent[9]?.['duration'], null);
  assert.is(recent[8]?.['duration'], 60);
  assert.is((await shownAt(last + 700 * SECOND_MS))['status'], 'grace');
});

test('what retention has removed is null and named', async () => {
  const check = await aCheck();
  const heartbeat = await create('/v1/heartbeats', { name: 'Nightly', period_seconds: 600 });
  const begin = time.now;
  await store(check, [[begin + MINUTE_MS]]);
  time.now += 2 * MINUTE_MS;
  await request('POST', `/v1/heartbeats/${heartbeat}/ping`, { key: null });
  const at = time.now + MINUTE_MS;
  time.now += 184 * DAY_MS;
  const of = await asOf(`/v1/checks/${check}?include_uptime=true`, at);
  assert.is(of.body['last_checked_at'], null);
  assert.not.ok('uptime_summary' in of.body);
  assert.equal([...of.unknown].sort(), ['last_checked_at', 'suspended_reason', 'uptime_data', 'uptime_summary']);
  const beat = await asOf(`/v1/heartbeats/${heartbeat}`, at);
  assert.is(beat.body['last_ping_at'], null);
  assert.not.ok('recent_pings' in beat.body);
  assert.equal(
    ['last_ping_at', 'next_expected_ping', 'recent_pings', 'status'].filter((field) => !beat.unknown.includes(field)),
    [],
  );
});

test('a value is unknown while a read model lacks results of that time, and known afterwards', async () => {
  const check = await aCheck();
  const begin = time.now;
  await store(check, [[begin + MINUTE_MS], [begin + 2 * MINUTE_MS]]);
  time.now = begin + 30 * MINUTE_MS;
  const shown = async (): Promise<[unknown, boolean]> => {
    const { body, unknown } = await asOf(`/v1/checks/${check}`, begin + 5 * MINUTE_MS);
    return [body['last_checked_at'], unknown.includes('last_checked_at')];
  };
  const { of } = service.statuses;
  service.statuses.of = (name) => (name === 'check_results' ? { ...of(name), position: 0n } : of(name));
  assert.equal(await shown().finally(() => (service.statuses.of = of)), [null, true]);
  assert.equal(await shown(), [instantOf(begin + 2 * MINUTE_MS), false]);
});

test.run();
