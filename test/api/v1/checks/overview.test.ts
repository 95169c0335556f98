import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { HOUR_MS, instantOf } from '../../../../domain/time.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const PATH = '/v1/checks/overview';

const test = suite('the overview of checks over HTTP');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

interface Row {
  id: string;
  name: string;
  status: string;
  hours: (number | null)[];
  uptime_24h: number | null;
  response_time: number | null;
}
interface Body {
  checks: Row[];
  counts: Record<string, number>;
  pagination: Record<string, unknown>;
  hours_from: string;
}

const create = async (name: string, body: object = {}, ask: ServiceRequest = {}): Promise<string> => {
  const url = 'https://shop.example/';
  const reply = await request('POST', '/v1/checks', {
    ...ask,
    body: { name, type: 'web', url, interval: 60, ...body },
  });
  assert.is(reply.status, 201, reply.text);
  return (reply.json() as { id: string }).id;
};

/** Records results and waits until the read model shows them. */
const record = async (...results: { check: string; at: number; response_time?: number }[]): Promise<void> => {
  const events = results.map(({ check, at, response_time = 100 }) =>
    resultOf(check, at, { organization_id: first.id, response_time }),
  );
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_activity', 'check_results'], { appended: new Map([['results', position]]) });
};

const overview = async (query = '', ask: ServiceRequest = {}): Promise<Body> => {
  const reply = await request('GET', `${PATH}${query}`, { key: first.keys.viewer, ...ask });
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Body;
};
const namesIn = async (query: string): Promise<string[]> => (await overview(query)).checks.map(({ name }) => name);
const get = (headers: Record<string, string>, query = ''): Promise<Reply> =>
  request('GET', `${PATH}${query}`, { key: null, headers: { authorization: first.keys.viewer, ...headers } });

test('the overview of an organization without checks is empty', async () => {
  assert.equal(await overview('', { key: second.keys.viewer }), {
    checks: [],
    pagination: { page: 1, page_size: 1_000, total_pages: 0, total_items: 0, has_next: false, has_prev: false },
    counts: { down: 0, pending: 0, up: 0, paused: 0 },
    hours_from: '2026-11-19T16:00:00.000000',
  });
});

test('a row of the overview has the same values as the check and its uptime', async () => {
  const id = await create('Figures');
  await record(
    { check: id, at: NOW - 2 * HOUR_MS, response_time: 80 },
    { check: id, at: NOW - HOUR_MS, response_time: 100 },
    { check: id, at: NOW - 1_000, response_time: 121 },
  );
  const row = (await overview('?q=figures')).checks[0];
  const hours = new Array<number | null>(21).fill(null);
  assert.equal(row, {
    id,
    name: 'Figures',
    type: 'web',
    group_id: null,
    tags: [],
    managed_by: null,
    active: true,
    status: 'pending',
    since: null,
    error_message: null,
    response_time: 121,
    hours: [...hours, 80, 100, 120],
    failed_hours: [],
    uptime_24h: 100,
    uptime_30d: 100,
  });
  const uptime = (
    await request('GET', `/v1/checks/${id}/uptime?start_time=2026-11-19T16:00:00&end_time=${instantOf(NOW)}`)
  ).json() as { uptime_summary: { uptime_percentage: number; total_checks: number } };
  assert.is(uptime.uptime_summary.uptime_percentage, row?.uptime_24h);
});

test('the overview filters, sorts and counts checks', async () => {
  const group = (await request('POST', '/v1/check-groups', { body: { name: 'Found' } })).json() as { id: string };
  await create('found One', { group_id: group.id });
  await create('found Two', { type: 'tcp', url: null, host: 'two.example', port: 25 });
  await create('found Three', { active: false });
  assert.equal(await namesIn('?q=found&sort=name'), ['found One', 'found Three', 'found Two']);
  assert.equal(await namesIn('?q=found&sort=-name&status=pending'), ['found Two', 'found One']);
  assert.equal(await namesIn('?q=found&status=paused,up'), ['found Three']);
  assert.equal(await namesIn('?q=found&type=tcp,icmp'), ['found Two']);
  assert.equal(await namesIn('?q=two.example:25'), ['found Two']);
  assert.equal(await namesIn(`?group_id=${group.id}`), ['found One']);
  assert.equal(await namesIn('?q=found&group_id=ungrouped&active=true'), ['found Two']);
  assert.equal(await namesIn('?q=found&tag=none'), []);
  assert.equal((await overview('?q=found&status=down')).counts, { down: 0, pending: 2, up: 0, paused: 1 });
  await request('PATCH', `/v1/check-groups/${group.id}`, { body: { active: false } });
  assert.equal((await overview('?q=found')).counts, { down: 0, pending: 1, up: 0, paused: 2 });
});

test('pages of the overview have up to 5,000 rows', async () => {
  const { checks, pagination } = await overview('?page_size=2&page=2&sort=name');
  assert.is(checks.length, 2);
  assert.equal([pagination['page'], pagination['page_size'], pagination['has_prev']], [2, 2, true]);
  assert.is((await overview('?page_size=5000')).pagination['page_size'], 5_000);
});

test('an invalid filter, order or page of the overview is refused, and the error names the parameter', async () => {
  for (const [name, value] of [
    ['status', 'fine'],
    ['type', 'ping'],
    ['sort', 'age'],
    ['page_size', '5001'],
    ['page', '0'],
    ['active', 'maybe'],
    ['q', 'x'.repeat(101)],
    ['tag', ''],
  ]) {
    const reply = await request('GET', `${PATH}?${name ?? ''}=${value ?? ''}`);
    assert.is(reply.status, 400, name);
    assert.ok(reply.text.includes(`"${name ?? ''}"`), reply.text);
  }
});

test("the overview contains no checks of other organizations, and shows the caller's own writes immediately", async () => {
  const key = second.keys.admin;
  const id = await create('Theirs', {}, { key });
  assert.equal(await namesIn('?q=theirs'), []);
  assert.is((await overview('?q=theirs', { key })).checks[0]?.name, 'Theirs');
  await request('PATCH', `/v1/checks/${id}`, { key, body: { name: 'Theirs still' } });
  assert.is((await overview('?q=theirs', { key })).checks[0]?.name, 'Theirs still');
  await request('DELETE', `/v1/checks/${id}`, { key });
  assert.equal((await overview('?q=theirs', { key })).checks, []);
});

test('the overview is 304 until a check, a group, a result or the hour changes', async () => {
  const id = await create('Unchanged');
  let tag = (await get({})).headers['etag'] ?? '';
  const changed = async (why: string): Promise<void> => {
    const reply = await get({ 'if-none-match': tag });
    assert.is(reply.status, 200, why);
    tag = reply.headers['etag'] ?? '';
    const again = await get({ 'if-none-match': tag });
    assert.equal([again.status, again.text, again.headers['etag']], [304, '', tag], why);
  };
  assert.is((await get({ 'if-none-match': tag })).status, 304);
  assert.is((await get({ 'if-none-match': tag }, '?q=unchanged')).status, 200, 'another query');
  await request('PATCH', `/v1/checks/${id}`, { body: { name: 'Changed' } });
  await changed('a check');
  await request('POST', '/v1/check-groups', { body: { name: 'Unchanged' } });
  await changed('a group');
  await record({ check: id, at: NOW });
  await changed('a result');
  service.time.now = NOW + HOUR_MS;
  await changed('the hour');
});

test('the overview is compressed for clients that accept it', async () => {
  const plain = await get({});
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const headers = { authorization: first.keys.viewer, 'accept-encoding': 'gzip, br' };
    httpRequest({ host: '127.0.0.1', port: service.port, path: PATH, headers }, (response) => {
      assert.is(response.headers['content-encoding'], 'br');
      assert.is(response.headers['vary'], 'Accept-Encoding');
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve(Buffer.concat(chunks));
      });
    })
      .on('error', reject)
      .end();
  });
  assert.is(brotliDecompressSync(bytes).toString(), plain.text);
});

test.run();
