import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEY_OF, serveNotes } from './notes.ts';

const test = suite('the service tells how it is');

const served = await serveNotes();
const { bare, request } = served;
test.after(() => served.stop());

test('/health/live answers whoever asks', async () => {
  const reply = await bare({ path: '/health/live' });
  assert.is(reply.status, 200);
  assert.equal(reply.json(), { status: 'live' });
});

test('/health/ready shows each part, and 503 while one is not ready', async () => {
  const ready = await bare({ path: '/health/ready' });
  assert.is(ready.status, 200);
  assert.equal(ready.json(), {
    status: 'ready',
    parts: [{ name: 'event store main', ready: true, state: 'open', lag: null, message: null }],
  });
  served.health.push({ name: 'projection notes', ready: false, state: 'stopped', lag: 7, message: 'Event 7 …' });
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

test('/metrics through a proxy needs a key', async () => {
  const headers = { 'x-forwarded-for': '127.0.0.1' };
  assert.is((await bare({ path: '/metrics', headers })).status, 401);
  assert.is((await bare({ path: '/metrics', headers: { ...headers, authorization: KEY_OF.viewer } })).status, 200);
});

test('/openapi.json is served to whoever asks', async () => {
  const reply = await bare({ path: '/openapi.json' });
  assert.is(reply.status, 200);
  assert.is((reply.json() as { openapi: string }).openapi, '3.1.0');
});

test.run();
