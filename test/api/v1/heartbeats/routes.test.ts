import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeChannel } from '../../stored-channels.ts';
import { startService } from '../../service.ts';

const test = suite('/v1/heartbeats');
const service = await startService({ now: Date.parse('2026-11-20T15:00:30Z'), pingsPerMinute: 5 });
const { request, readers, stores } = service;
test.after(() => service.stop());

interface Shown {
  id: string;
  status: string | null;
  ping_url: string;
  last_ping_at: string | null;
  next_expected_ping: string | null;
  schedule: string | null;
  period_seconds: number;
  recent_pings: Record<string, unknown>[];
  tags: string[];
}

const create = async (body: object): Promise<Shown> => {
  const reply = await request('POST', '/v1/heartbeats', { body: { name: 'Backup', ...body } });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Shown;
};

/** Waits until the read models contain all pings. This is necessary because a ping gets its response earlier. */
const caughtUp = async (): Promise<void> => {
  const [last] = await stores.results.readAll({ after: 0n, limit: 1_000 }).then((events) => events.slice(-1));
  const appended = new Map([['results', last?.position ?? 0n]]);
  await readers.waitFor(['heartbeat_pings'], { appended });
};

const shown = async (id: string): Promise<Shown> => {
  await caughtUp();
  return (await request('GET', `/v1/heartbeats/${id}`)).json() as Shown;
};

test('a heartbeat has no status before its first ping, and has the status up, grace or paused afterwards', async () => {
  const { id, status, ping_url, next_expected_ping } = await create({ period_seconds: 3_600 });
  assert.equal([status, next_expected_ping], [null, null]);
  assert.is(ping_url, `/v1/heartbeats/${id}/ping`);
  const ping = await request('GET', ping_url, { key: null });
  assert.is(ping.status, 200);
  assert.equal(ping.json(), {
    status: 'ok',
    message: 'The ping was received.',
    check_id: id,
    next_expected_ping: '2026-11-20T16:00:30.000000',
  });
  const up = await shown(id);
  assert.equal([up.status, up.last_ping_at], ['up', '2026-11-20T15:00:30.000000']);
  assert.is(up.recent_pings.length, 1);
  service.time.now += 3_600_000;
  assert.is((await shown(id)).status, 'grace');
  const paused = await request('PATCH', `/v1/heartbeats/${id}`, { body: { active: false } });
  assert.equal((paused.json() as Shown).status, 'paused');
  assert.is((await request('POST', ping_url, { key: null })).status, 200);
  service.time.now -= 3_600_000;
});

test('the expected time of the next ping is recomputed immediately when a heartbeat is changed or resumed', async () => {
  const { id, ping_url } = await create({ period_seconds: 60 });
  await request('GET', ping_url, { key: null });
  await caughtUp();
  service.time.now += 90_000;
  const change = async (body: object) => (await request('PATCH', `/v1/heartbeats/${id}`, { body })).json() as Shown;
  const daily = await change({ period_seconds: null, schedule: '30 3 * * *', time_zone: 'Europe/Berlin' });
  assert.equal([daily.status, daily.next_expected_ping], ['up', '2026-11-21T02:30:00.000000']);
  const paused = await change({ active: false });
  assert.equal([paused.status, paused.next_expected_ping], ['paused', null]);
  const resumed = await change({ active: true });
  assert.equal([resumed.status, resumed.next_expected_ping], ['up', '2026-11-21T02:30:00.000000']);
  service.time.now -= 90_000;
});

test('a ping stores its data and the duration of the run', async () => {
  const { id, ping_url } = await create({ period_seconds: 3_600 });
  const send = (path: string, body?: object | string, type = 'application/json') =>
    request('POST', path, { key: null, headers: { 'content-type': type }, ...(body !== undefined && { body }) });
  await send(`${ping_url}/start`);
  service.time.now += 12_345;
  await send(ping_url, { files: 3, key: 'a', sealed: 'b' });
  await send(`${ping_url}/fail`, 'no space left', 'text/plain');
  await send(ping_url, '[1, 2]');
  await caughtUp();
  const listed = (await request('GET', `/v1/heartbeats/${id}/pings`)).json() as { pings: Record<string, unknown>[] };
  assert.equal(
    listed.pings.map(({ kind, duration, ping_data }) => [kind, duration, ping_data]).sort(),
    [
      ['start', null, null],
      ['success', 12.345, { files: 3, key: 'a', sealed: 'b' }],
      ['fail', null, { text: 'no space left' }],
      ['success', null, { text: '[1, 2]' }],
    ].sort(),
  );
  assert.ok(listed.pings.every(({ check_id, source_ip }) => check_id === id && source_ip === '127.0.0.1'));
  const { ping_counts, summary } = (await request('GET', `/v1/heartbeats/${id}/pings-count?hours=2`)).json() as {
    ping_counts: object[];
    summary: object;
  };
  assert.equal(ping_counts, [
    { hour: '2026-11-20T14:00:00.000000', ping_count: 0 },
    { hour: '2026-11-20T15:00:00.000000', ping_count: 4 },
  ]);
  assert.equal(summary, { hours: 2, total_pings: 4, hours_without_pings: 1 });
});

test('a heartbeat accepts a ping by HEAD, and the response has no body', async () => {
  const { id, ping_url } = await create({ period_seconds: 60 });
  const reply = await request('HEAD', ping_url, { key: null });
  assert.equal([reply.status, reply.text], [200, '']);
  assert.is((await shown(id)).status, 'up');
});

test('a ping is refused if it is larger than 10 KiB, if its heartbeat is unknown, or if there were too many pings', async () => {
  const { ping_url } = await create({ period_seconds: 60 });
  const largest = { key: null, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(10_240) };
  assert.is((await request('POST', ping_url, largest)).status, 200);
  assert.is((await request('POST', ping_url, { ...largest, body: `${largest.body}x` })).status, 413);
  assert.is((await request('GET', '/v1/heartbeats/k3v9x0q2m7ab/ping', { key: null })).status, 404);
  for (let index = 0; index < 4; index++) await request('GET', ping_url, { key: null });
  const refused = await request('GET', ping_url, { key: null });
  assert.is(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
});

test('a heartbeat with a schedule expects pings in its time zone', async () => {
  const { ping_url } = await create({ schedule: '30 3 * * *', time_zone: 'Europe/Moscow' });
  const next = async () => ((await request('GET', ping_url, { key: null })).json() as Shown).next_expected_ping;
  assert.is(await next(), '2026-11-21T00:30:00.000000');
  const now = service.time.now;
  service.time.now = Date.parse('2026-11-21T00:29:59Z');
  assert.is(await next(), '2026-11-22T00:30:00.000000', 'its clock is ahead');
  service.time.now = now;
});

test('a heartbeat has either a period or a schedule', async () => {
  const post = (body: object) => request('POST', '/v1/heartbeats', { body: { name: 'Backup', ...body } });
  assert.is((await post({})).status, 422);
  assert.is((await post({ period_seconds: 61, schedule: '* * * * *' })).status, 422);
  assert.is((await post({ schedule: '61 * * * *' })).status, 422);
  assert.is((await post({ schedule: '0 0 30 2 *' })).status, 422);
  assert.is((await post({ schedule: '* * * * *', time_zone: 'Mars' })).status, 422);
  const { id } = await create({ period_seconds: 60 });
  const change = (body: object) => request('PATCH', `/v1/heartbeats/${id}`, { body });
  assert.is((await change({ schedule: '0 4 * * *' })).status, 422);
  const changed = await change({ schedule: '0 4 * * *', period_seconds: null });
  assert.is((changed.json() as Shown).schedule, '0 4 * * *');
});

test('the period of a heartbeat with a schedule is the shortest interval of the schedule', async () => {
  const { id, period_seconds } = await create({ schedule: '0 1,23 * * *' });
  assert.is(period_seconds, 7_200);
  const listed = (await request('GET', '/v1/heartbeats')).json() as { checks: Shown[] };
  assert.is(listed.checks.find((one) => one.id === id)?.period_seconds, 7_200);
  const read = await shown(id);
  const sent = { name: 'Mirror', period_seconds: read.period_seconds, schedule: read.schedule };
  const changed = await request('PUT', `/v1/heartbeats/${id}`, { body: sent });
  assert.equal([changed.status, (changed.json() as Shown).schedule], [200, '0 1,23 * * *']);
});

test('a heartbeat with a yearly schedule can be sent back unchanged and copied', async () => {
  const { id } = await create({ schedule: '0 0 1 1 *' });
  const read = await shown(id);
  assert.is((await request('PUT', `/v1/heartbeats/${id}`, { body: read })).status, 200);
  const copied = await request('POST', '/v1/heartbeats', { body: read });
  assert.equal([copied.status, (copied.json() as Shown).schedule], [201, '0 0 1 1 *']);
});

test('a heartbeat period that is too long is reported together with other errors', async () => {
  const wrong = { name: '', period_seconds: 90 * 86_400 + 1 };
  const { id } = await create({ period_seconds: 60 });
  for (const [method, path] of [
    ['POST', '/v1/heartbeats'],
    ['PATCH', `/v1/heartbeats/${id}`],
  ] as const) {
    const refused = await request(method, path, { body: wrong });
    const { errors } = refused.json() as { errors: { json: Record<string, string[]> } };
    assert.equal([refused.status, Object.keys(errors.json).sort()], [422, ['name', 'period_seconds']]);
  }
});

test('the error for an invalid schedule names the cron field', async () => {
  const refused = await request('POST', '/v1/heartbeats', { body: { name: 'Backup', schedule: '0 0 L * *' } });
  assert.is(refused.status, 422);
  assert.match(refused.text, /"schedule":\["The day of the month/);
});

test('channels of the organization can be added to a heartbeat, without duplicates', async () => {
  const { id } = await create({ period_seconds: 60 });
  const path = `/v1/heartbeats/${id}/channels`;
  const channel = await storeChannel(service, service.first.id);
  const foreign = await storeChannel(service, service.second.id);
  assert.is((await request('POST', path, { body: { channel_ids: [foreign] } })).status, 422);
  for (let times = 0; times < 2; times++) {
    const added = await request('POST', path, { body: { channel_ids: [channel] } });
    assert.equal(
      (added.json() as { channels: { id: string }[] }).channels.map((one) => one.id),
      [channel],
    );
  }
  assert.is((await request('DELETE', `${path}/${channel}`)).status, 204);
  assert.equal((await request('GET', path)).json(), { channels: [] });
  assert.is((await request('DELETE', `${path}/${channel}`)).status, 404);
});

test('heartbeats can be found by their tags', async () => {
  const tagged = async (tag: string) =>
    ((await request('GET', `/v1/heartbeats?tag=${tag}`)).json() as { checks: Shown[] }).checks.map(({ id }) => id);
  const one = await create({ period_seconds: 60, tags: ['nightly', 'eu', 'nightly'] });
  service.time.now += 1_000;
  const other = await create({ period_seconds: 60, tags: ['weekly'] });
  const plain = await create({ period_seconds: 60 });
  assert.equal([one.tags, plain.tags], [['eu', 'nightly'], []]);
  assert.equal(await tagged('nightly'), [one.id]);
  assert.equal(await tagged('nightly,weekly'), [other.id, one.id]);
  const change = (body: object) => request('PATCH', `/v1/heartbeats/${one.id}`, { body });
  assert.equal(((await change({ tags: ['weekly'] })).json() as Shown).tags, ['weekly']);
  assert.equal(((await change({ name: 'Nightly' })).json() as Shown).tags, ['weekly']);
  assert.equal([await tagged('nightly'), await tagged('weekly')], [[], [other.id, one.id]]);
  service.time.now -= 1_000;
  const refused = await change({ tags: ['Night'] });
  assert.is(refused.status, 422);
  assert.ok('tags.0' in (refused.json() as { errors: { json: object } }).errors.json);
});

test('heartbeats can be filtered by status', async () => {
  const tags = ['by-status'];
  const found = async (status: string) => {
    const reply = await request('GET', `/v1/heartbeats?tag=by-status&status=${status}`);
    assert.is(reply.status, 200, reply.text);
    return (reply.json() as { checks: Shown[] }).checks.map(({ id }) => id);
  };
  const { id, ping_url } = await create({ period_seconds: 3_600, tags });
  const paused = await create({ period_seconds: 3_600, active: false, tags });
  assert.equal([await found('pending'), await found('up,grace'), await found('paused')], [[id], [], [paused.id]]);
  await request('GET', ping_url, { key: null });
  await caughtUp();
  assert.equal([await found('up'), await found('pending,grace,down')], [[id], []]);
  service.time.now += 3_600_000;
  assert.equal([await found('grace'), await found('up'), await found('down')], [[id], [], []]);
  service.time.now -= 3_600_000;
  const refused = await request('GET', '/v1/heartbeats?status=late');
  assert.is(refused.status, 400);
  assert.match(refused.text, /status/);
});

test('the log contains no heartbeat keys', async () => {
  const { id, ping_url } = await create({ period_seconds: 60 });
  await request('GET', ping_url, { key: null });
  await request('GET', `/v1/heartbeats/${id}`);
  assert.not(service.logged.some((line) => line.includes(id)));
});

test('the log contains no heartbeat keys, even if pings are sent to unknown paths', async () => {
  const { id } = await create({ period_seconds: 60 });
  const wrong = [`//v1/heartbeats/${id}/ping`, `/heartbeats/${id}/ping`, `/v1/heartbeats/${id}/ping;start`];
  for (const path of [...wrong, `/v1/heartbeats%2f${id}%2fping`, `/v1/heartbeats/${id}/ping/%ff`]) {
    assert.ok((await request('GET', path, { key: null })).status >= 400, path);
  }
  assert.not(service.logged.some((line) => line.includes(id)));
});

test.run();
