import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../http/listen.ts';
import { createMetricsApp } from '../../http/metrics-app.ts';
import { createRegistry } from '../../http/metrics.ts';
import { request as send } from './http.ts';
import { KEY_OF, serveNotes } from './notes.ts';

const test = suite('health, metrics and document endpoints');

const served = await serveNotes();
const { bare, request } = served;
test.after(() => served.stop());

test('/health/live responds to everybody', async () => {
  const reply = await bare({ path: '/health/live' });
  assert.is(reply.status, 200);
  assert.equal(reply.json(), { status: 'live' });
});

test('/health/ready shows each part of the service, and is 503 while any part is not ready', async () => {
  const ready = await bare({ path: '/health/ready' });
  assert.is(ready.status, 200);
  assert.equal(ready.json(), {
    status: 'ready',
    parts: [{ name: 'event store main', ready: true, state: 'open', lag_seconds: null, message: null }],
  });
  served.health.push({
    name: 'projection notes',
    ready: false,
    state: 'stopped',
    lag_seconds: 7,
    message: 'Event 7 …',
  });
  const stopped = await bare({ path: '/health/ready' });
  assert.is(stopped.status, 503);
  assert.is((stopped.json() as { status: string }).status, 'not ready');
  served.health.pop();
});

test('/metrics counts requests by declared path', async () => {
  await request({ path: '/v1/notes/abcdefghijkl' });
  const { text, headers } = await bare({ path: '/metrics' });
  assert.match(headers['content-type'] ?? '', 'text/plain');
  assert.match(text, 'http_request_duration_seconds_count{method="GET",route="/v1/notes/{note_id}",status="404"} 1');
  assert.not.match(text, 'abcdefghijkl');
});

test('/metrics needs a key if the request came through a proxy', async () => {
  const headers = { 'x-forwarded-for': '127.0.0.1' };
  assert.is((await bare({ path: '/metrics', headers })).status, 401);
  assert.is((await bare({ path: '/metrics', headers: { ...headers, authorization: KEY_OF.viewer } })).status, 200);
});

test('with a configured proxy, a missing forwarding header does not open /metrics', async () => {
  const proxied = await serveNotes({ trustProxy: '127.0.0.1' });
  assert.is((await proxied.bare({ path: '/metrics' })).status, 401);
  await proxied.stop();
});

test('METRICS_TOKEN gives access to /metrics from every address, and to no other path', async () => {
  const guarded = await serveNotes({ metricsToken: 'let-me-read' });
  const status = async (path: string, authorization?: string): Promise<number> =>
    (await guarded.bare({ path, headers: { ...(authorization !== undefined && { authorization }) } })).status;
  assert.is(await status('/metrics'), 401);
  assert.is(await status('/metrics', 'Bearer let-me-rea'), 401);
  assert.is(await status('/metrics', 'Bearer let-me-read'), 200);
  assert.is(await status('/v1/notes', 'Bearer let-me-read'), 401);
  await guarded.stop();
});

test('a separate port serves only the metrics', async () => {
  const registry = createRegistry();
  const stopping = new AbortController();
  const options = { host: '127.0.0.1', port: 0, stopping };
  const open = await listen(createMetricsApp({ registry, token: null, stopping: stopping.signal }), options);
  const reply = await send(open.port, { path: '/metrics' });
  assert.match(reply.text, 'process_cpu_seconds_total');
  assert.is((await send(open.port, { path: '/v1/notes' })).status, 404);
  assert.is((await send(open.port, { method: 'POST', path: '/metrics', body: { a: 1 } })).status, 405);
  const guarded = await listen(createMetricsApp({ registry, token: 't', stopping: stopping.signal }), options);
  assert.is((await send(guarded.port, { path: '/metrics' })).status, 401);
  assert.is((await send(guarded.port, { path: '/metrics', headers: { authorization: 'Bearer t' } })).status, 200);
  await Promise.all([open.stop(), guarded.stop()]);
});

test('a caller with an API key reads the metrics of its own checks, and the operator those of all', async () => {
  const describeChecks = async (organizationId: string | null): Promise<string> => `checks_of ${organizationId}\n`;
  const guarded = await serveNotes({ metricsToken: 'let-me-read', describeChecks });
  const read = async (authorization?: string) =>
    (await guarded.bare({ path: '/metrics', headers: { ...(authorization !== undefined && { authorization }) } })).text;
  assert.match(await read('Bearer let-me-read'), /^checks_of null$/m);
  assert.match(await read(KEY_OF.viewer), /^checks_of [a-z0-9]+$/m);
  assert.not.match(await read(KEY_OF.viewer), 'checks_of null');
  assert.not.match(await read(), 'checks_of');
  await guarded.stop();
});

test('a separate port serves the metrics of all checks', async () => {
  const stopping = new AbortController();
  const describeChecks = async (organizationId: string | null): Promise<string> => `checks_of ${organizationId}\n`;
  const app = createMetricsApp({ registry: createRegistry(), describeChecks, token: null, stopping: stopping.signal });
  const open = await listen(app, { host: '127.0.0.1', port: 0, stopping });
  assert.match((await send(open.port, { path: '/metrics' })).text, /^checks_of null$/m);
  await open.stop();
});

test('/openapi.json is public', async () => {
  const reply = await bare({ path: '/openapi.json' });
  assert.is(reply.status, 200);
  assert.is((reply.json() as { openapi: string }).openapi, '3.1.0');
});

test.run();
