import { Type } from '@sinclair/typebox';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ok, route, type Route } from '../../../api/route.ts';
import { jsonArrayOf } from '../../../http/streamed-json.ts';
import { KEY_OF, serveNotes } from '../../api/notes.ts';
import { eventually } from '../../waiting.ts';

const test = suite('heavy requests');

const ONE = { perOrganization: 1, perCaller: 1, maxQueued: 1, maxWait: 60_000 };

/**
 * Serves two heavy routes: `/held` responds when the test calls `release`, and `/long` streams a list that is larger
 * than all buffers.
 */
const serving = async () => {
  const state = { begun: 0, aborted: 0 };
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const heavy = (path: string, handle: Route['handle']): Route =>
    route({
      methods: ['get'],
      path,
      summary: 'Something heavy',
      tag: 'Heavy',
      access: { needs: 'pages.read' },
      responses: { 200: Type.Unknown() },
      heavy: true,
      handle,
    });
  const held = heavy('/held', async ({ signal }) => {
    state.begun += 1;
    const gone = once(signal, 'abort').then(() => {
      state.aborted += 1;
    });
    await Promise.race([released, gone]);
    signal.throwIfAborted();
    return ok(() => ['done']);
  });
  const long = heavy('/long', () =>
    ok(() =>
      jsonArrayOf(
        async function* () {
          for (let n = 0; n < 200; n++) yield 'x'.repeat(1_000_000);
        },
        async () => 'one',
      ),
    ),
  );
  const heavyWithAt: Route = route({
    methods: ['get'],
    path: '/past',
    summary: 'Something that is heavy with ?at=',
    tag: 'Heavy',
    access: { needs: 'pages.read' },
    query: Type.Object({ at: Type.Optional(Type.Integer()) }),
    responses: { 200: Type.Unknown() },
    heavyWith: 'at',
    handle: () => ok(() => ['done']),
  });
  const served = await serveNotes({ shares: ONE, further: [held, long, heavyWithAt] });
  const headers = { authorization: KEY_OF.viewer };
  const ask = (path: string) => served.request({ path, headers });
  const open = (path: string) => get({ host: '127.0.0.1', port: served.port, path, headers });
  return { ...served, state, release, ask, open };
};

test('a heavy request is queued behind others of its organization, and refused if the queue is full', async () => {
  const { ask, state, release, stop } = await serving();
  const first = ask('/held');
  await eventually(() => state.begun === 1);
  // It is undefined which of the next two requests is queued, and which is refused.
  const others = [ask('/held'), ask('/held')];
  const refused = await Promise.race(others);
  assert.equal([refused.status, refused.headers['retry-after']], [429, '5']);
  assert.is(state.begun, 1);
  // Requests that are not heavy are not queued.
  assert.is((await ask('/v1/notes')).status, 200);
  release();
  assert.is((await first).status, 200);
  assert.equal((await Promise.all(others)).map(({ status }) => status).sort(), [200, 429]);
  await stop();
});

test('a request with the parameter that makes it heavy is queued behind heavy requests, and only such a request', async () => {
  const { ask, state, release, stop } = await serving();
  const first = ask('/held');
  await eventually(() => state.begun === 1);
  assert.is((await ask('/past')).status, 200);
  assert.is((await ask('/past?at=x')).status, 400);
  const others = [ask('/past?at=1'), ask('/past?at=2')];
  assert.is((await Promise.race(others)).status, 429);
  release();
  assert.is((await first).status, 200);
  assert.equal((await Promise.all(others)).map(({ status }) => status).sort(), [200, 429]);
  await stop();
});

test('a heavy request ends when its client disconnects, and the next one starts', async () => {
  const { ask, open, state, release, logged, stop } = await serving();
  const leaving = open('/held');
  leaving.on('error', () => undefined);
  await eventually(() => state.begun === 1);
  const next = ask('/held');
  leaving.destroy();
  await eventually(() => state.begun === 2);
  assert.is(state.aborted, 1);
  release();
  assert.is((await next).status, 200);
  assert.not.ok(logged.some((line) => line.includes('"level":50')));
  await stop();
});

test('a streamed heavy request occupies its slot until the client has received it or disconnects', async () => {
  const { ask, open, state, release, stop } = await serving();
  const [incoming] = (await once(open('/long'), 'response')) as [IncomingMessage];
  release();
  const next = ask('/held');
  await ask('/v1/notes');
  assert.is(state.begun, 0);
  incoming.destroy();
  assert.is((await next).status, 200);
  await stop();
});

test.run();
