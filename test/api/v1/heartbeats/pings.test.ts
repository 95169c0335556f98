import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';
import { request as send } from '../../http.ts';

const test = suite('pings of heartbeats');
const service = await startService({ now: Date.parse('2026-11-20T15:00:30Z') });
const { request, readers, stores, port } = service;
test.after(() => service.stop());

const create = async (body: object = { period_seconds: 3_600 }): Promise<{ id: string; ping_url: string }> => {
  const reply = await request('POST', '/v1/heartbeats', { body: { name: 'Backup', ...body } });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as { id: string; ping_url: string };
};

/** Returns the stored data of the pings of a heartbeat, in any order. */
const storedData = async (id: string): Promise<unknown[]> => {
  const [last] = await stores.results.readAll({ after: 0n, limit: 1_000 }).then((events) => events.slice(-1));
  await readers.waitFor(['heartbeat_pings'], { appended: new Map([['results', last?.position ?? 0n]]) });
  const { pings } = (await request('GET', `/v1/heartbeats/${id}/pings`)).json() as { pings: { ping_data: unknown }[] };
  return pings.map(({ ping_data }) => ping_data);
};

/**
 * Sends raw bytes over a connection of their own. Returns the status of the response after the connection has ended.
 */
const statusOf = (bytes: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.once('error', reject);
    socket.once('close', () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)(?![^]*^HTTP\/1\.1 \d)/m.exec(received)?.[1]));
    });
    socket.write(Buffer.from(bytes, 'latin1'));
  });

const METHODS = [
  ['POST', ''],
  ['POST', '/fail'],
  ['GET', '/start'],
  ['HEAD', ''],
] as const;

test('pings are stored regardless of their headers', async () => {
  const { id, ping_url } = await create();
  const headers: Record<string, string>[] = [
    { accept: 'text/html' },
    { accept: 'application/json;q=0' },
    { accept: 'nonsense' },
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br, unknown' },
    { 'content-type': '' },
    { 'content-type': 'unknown' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'text/plain; charset=nonsense' },
    { 'content-type': 'multipart/form-data' },
    { 'if-none-match': '*', 'if-match': '"one"', 'if-unmodified-since': 'yesterday', range: 'bytes=0-1' },
    { authorization: 'Basic nonsense', cookie: 'session=1', origin: 'https://other.example' },
    { 'idempotency-key': 'nightly' },
    { 'idempotency-key': '' },
    { 'idempotency-key': 'x'.repeat(2_000) },
  ];
  for (const some of headers) {
    for (const [method, end] of METHODS) {
      const sent = { method, path: `${ping_url}${end}`, headers: some, ...(method === 'POST' && { body: 'done' }) };
      const reply = await send(port, sent);
      assert.is(reply.status, 200, `${method} ${JSON.stringify(some)}: ${reply.text}`);
      if (method !== 'HEAD') assert.is((reply.json() as { status: string }).status, 'ok');
    }
  }
  await storedData(id);
  const counted = (await request('GET', `/v1/heartbeats/${id}/pings-count`)).json() as { summary: object };
  assert.equal(counted.summary, { hours: 24, total_pings: headers.length * METHODS.length, hours_without_pings: 23 });
});

test('all pings with the same Idempotency-Key are stored, even with different bodies', async () => {
  const { id, ping_url } = await create();
  for (const body of ['one', 'two', 'two']) {
    const reply = await send(port, { method: 'POST', path: ping_url, headers: { 'idempotency-key': 'job' }, body });
    assert.is(reply.status, 200, reply.text);
  }
  assert.equal((await storedData(id)).length, 3);
});

test('pings with an unknown Expect header are stored', async () => {
  const { id, ping_url } = await create();
  for (const expect of ['more', '200-ok; x=1', '100-continue, more', '100-continue']) {
    const head = `POST ${ping_url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: ${expect}\r\n`;
    assert.is(await statusOf(`${head}Content-Length: 4\r\n\r\ndone`), 200, expect);
  }
  const elsewhere = await request('GET', '/v1/heartbeats', { headers: { expect: 'more' } });
  assert.equal([elsewhere.status, elsewhere.headers.connection], [417, 'close']);
  assert.equal(
    await storedData(id),
    ['done', 'done', 'done', 'done'].map((text) => ({ text })),
  );
});

test('pings store their body as it was sent', async () => {
  const { id, ping_url } = await create();
  const zipped = gzipSync('{"files":3}');
  const sent = { method: 'POST', path: ping_url };
  await send(port, { ...sent, body: zipped, headers: { 'content-encoding': 'gzip' } });
  await send(port, { ...sent, body: '{"files":3}', headers: { 'content-encoding': 'deflate' } });
  await send(port, { ...sent, body: '{"chunked":true}', chunked: true, headers: { 'content-type': 'nonsense' } });
  await send(port, { ...sent, chunked: true });
  const all = [{ text: zipped.toString('utf8').replaceAll('\0', '\u{fffd}') }, { files: 3 }, { chunked: true }, null];
  const texts = (values: unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();
  assert.equal(texts(await storedData(id)), texts(all));
});

test('pings by GET and HEAD with a body are stored without the body', async () => {
  const { id, ping_url } = await create();
  for (const method of ['GET', 'HEAD']) {
    const head = `${method} ${ping_url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
    assert.is(await statusOf(`${head}Content-Length: 4\r\n\r\ndone`), 200);
    assert.is(await statusOf(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\ndone\r\n0\r\n\r\n`), 200);
  }
  assert.equal(await storedData(id), [null, null, null, null]);
});

test('the response to a start ping contains the expected end', async () => {
  const nextOf = async (path: string) => {
    const reply = await request('POST', path, { key: null });
    return (reply.json() as { next_expected_ping: string | null }).next_expected_ping;
  };
  const { id, ping_url } = await create();
  assert.is(await nextOf(`${ping_url}/start`), '2026-11-20T16:00:30.000000', 'the first ping of all');
  assert.is(await nextOf(ping_url), '2026-11-20T16:00:30.000000');
  service.time.now += 600_000;
  assert.is(await nextOf(`${ping_url}/start`), '2026-11-20T16:00:30.000000');
  const shown = (await request('GET', `/v1/heartbeats/${id}`)).json() as { next_expected_ping: string };
  assert.is(shown.next_expected_ping, '2026-11-20T16:00:30.000000');
  await request('PATCH', `/v1/heartbeats/${id}`, { body: { period_seconds: 60 } });
  assert.is(await nextOf(`${ping_url}/start`), '2026-11-20T15:11:30.000000', 'by its new times');
  await request('PATCH', `/v1/heartbeats/${id}`, { body: { active: false } });
  assert.is(await nextOf(`${ping_url}/start`), null, 'it is paused');
  service.time.now -= 600_000;
});

test.run();
