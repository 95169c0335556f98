import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict } from '../../domain/errors.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import type { Reply } from './http.ts';
import { KEY_OF, serveNotes } from './notes.ts';
import { eventually } from '../waiting.ts';

const test = suite('requests with an Idempotency-Key');

const served = await serveNotes();
const { request, faults, notes, contexts, time } = served;
const post = (key: string, body: object, headers: Record<string, string> = {}, path = '/v1/notes'): Promise<Reply> =>
  request({ method: 'POST', path, body, headers: { 'idempotency-key': key, ...headers } });
const change = (method: string, key: string, id: string, body?: object): Promise<Reply> =>
  request({ method, path: `/v1/notes/${id}`, headers: { 'idempotency-key': key }, ...(body && { body }) });

test.before.each(() => {
  notes.clear();
  contexts.length = 0;
  for (const fault of Object.keys(faults)) Reflect.deleteProperty(faults, fault);
});
test.after(() => served.stop());

test('a repeated request gets the first response, without one-time fields', async () => {
  const first = await post('a', { title: 'one' });
  const again = await post('a', { title: 'one' });
  assert.is(contexts.length, 1);
  assert.is(again.status, 201);
  assert.is(again.headers.location, first.headers.location);
  assert.is(again.headers['idempotent-replayed'], 'true');
  assert.is(first.headers['idempotent-replayed'], undefined);
  const { secret, ...rest } = first.json() as { secret?: string };
  assert.is(secret, 'told once');
  assert.equal(again.json(), rest);
});

for (const behind of [true, false]) {
  test(`a refusal is ${behind ? 'not stored if the read model lagged behind' : 'stored for a repeated request'}`, async () => {
    if (behind) faults.behind = true;
    const key = `refused-${String(behind)}`;
    const id = 'note00000001';
    const refused = await change('PATCH', key, id, { title: 'two' });
    assert.is(refused.status, 404);
    delete faults.behind;
    notes.set(id, { id, title: 'one' });
    const again = await change('PATCH', key, id, { title: 'two' });
    assert.is(again.status, behind ? 200 : 404);
    assert.is(again.headers['idempotent-replayed'], behind ? undefined : 'true');
  });
}

test('another body, query, path or method with the same key is 422', async () => {
  const { id = '' } = (await post('b', { title: 'one' })).json() as { id?: string };
  assert.is((await post('b', { title: 'two' })).status, 422);
  assert.is((await post('b', { title: 'one' }, {}, '/v1/notes?draft=true')).status, 422);
  assert.is((await post('b', { title: 'one' }, {}, '/v1/letters')).status, 422);
  assert.is((await change('PATCH', 'b', id, { title: 'one' })).status, 422);
  assert.is((await change('DELETE', 'b', id)).status, 422);
  assert.is(contexts.length, 1);
  assert.is(notes.size, 1);
});

test('each API key has separate Idempotency-Keys', async () => {
  await post('c', { title: 'one' });
  const other = await post('c', { title: 'one' }, { authorization: KEY_OF.admin });
  assert.is(other.headers['idempotent-replayed'], undefined);
  assert.is(contexts.length, 2);
  assert.is.not(contexts[0]?.commandId, contexts[1]?.commandId);
});

test('without an API key, each client address has separate Idempotency-Keys', async () => {
  const letter = (text: string, localAddress: string) =>
    served.bare({
      method: 'POST',
      path: '/v1/letters',
      body: { text },
      headers: { 'idempotency-key': 'c' },
      localAddress,
    });
  assert.is((await letter('hello', '127.0.0.1')).status, 200);
  assert.is((await letter('hello', '127.0.0.1')).headers['idempotent-replayed'], 'true');
  assert.is((await letter('bye', '127.0.0.1')).status, 422);
  const other = await letter('bye', '127.0.0.2');
  assert.is(other.status, 200);
  assert.is(other.headers['idempotent-replayed'], undefined);
});

test('a different request with an expired Idempotency-Key is executed as a new command', async () => {
  await post('free', { title: 'one' });
  time.now += 24 * 60 * 60 * 1_000 + 1;
  assert.is((await post('free', { title: 'two' })).status, 201);
  assert.is(contexts.length, 2);
  assert.is.not(contexts[0]?.commandId, contexts[1]?.commandId);
  assert.is(notes.size, 2);
});

test('a repeated request is 409 while the first one is in flight', async () => {
  let go = (): void => undefined;
  faults.hold = new Promise((resolve) => (go = resolve));
  const first = post('d', { title: 'one' });
  await eventually(() => contexts.length > 0);
  assert.is((await post('d', { title: 'one' })).status, 409);
  go();
  assert.is((await first).status, 201);
  assert.is((await post('d', { title: 'one' })).status, 201);
});

test('a claim without a response expires after 30 s, and the repeated request has the same command id', async () => {
  let go = (): void => undefined;
  faults.hold = new Promise((resolve) => (go = resolve));
  const lost = post('e', { title: 'one' });
  await eventually(() => contexts.length > 0);
  time.now += 29_000;
  assert.is((await post('e', { title: 'one' })).status, 409);
  time.now += 1_001;
  Reflect.deleteProperty(faults, 'hold');
  const again = await post('e', { title: 'one' });
  assert.is(again.status, 201);
  assert.is(again.headers['idempotent-replayed'], undefined);
  assert.is(contexts.length, 2);
  assert.is(contexts[0]?.commandId, contexts[1]?.commandId);
  assert.ok(contexts.every(({ repeatable }) => repeatable));
  assert.is(notes.size, 1);
  go();
  await lost;
});

test('without an Idempotency-Key, each request has a unique command id', async () => {
  for (const title of ['one', 'two']) await request({ method: 'POST', path: '/v1/notes', body: { title } });
  assert.is.not(contexts[0]?.commandId, contexts[1]?.commandId);
  assert.ok(contexts.every(({ repeatable }) => !repeatable));
});

test('the response to an invalid request is stored for a repeated request', async () => {
  assert.is((await post('f', { title: '' })).status, 422);
  const again = await post('f', { title: '' });
  assert.is(again.status, 422);
  assert.is(again.headers['idempotent-replayed'], 'true');
});

test('the response to invalid JSON is stored for a repeated request, but the response to wrong headers is not', async () => {
  const send = (key: string, body: string, type: string) =>
    request({
      method: 'POST',
      path: '/v1/notes',
      body,
      headers: { 'idempotency-key': key, 'content-type': type },
    });
  assert.is((await send('f2', '{', 'application/json')).status, 400);
  assert.is((await send('f2', '{', 'application/json')).headers['idempotent-replayed'], 'true');
  assert.is((await send('f2', '{"title":"one"}', 'application/json')).status, 422);
  assert.is((await send('f3', '{"title":"one"}', 'text/plain')).status, 415);
  assert.is((await send('f3', '{"title":"one"}', 'application/json')).status, 201);
});

test('a response that might differ for a later request is not stored', async () => {
  const passing: [Error, number][] = [
    [new Conflict('The name is taken.'), 409],
    [new StoreUnavailable('disk full'), 503],
    [new Error('surprise'), 500],
  ];
  for (const [error, status] of passing) {
    faults.make = error;
    assert.is((await post(`g${status}`, { title: 'one' })).status, status);
    Reflect.deleteProperty(faults, 'make');
    assert.is((await post(`g${status}`, { title: 'one' })).status, 201);
  }
  const forbidden = { authorization: KEY_OF.viewer };
  assert.is((await post('h', { title: 'one' }, forbidden)).status, 403);
});

test('a response that cannot be stored is sent nevertheless', async () => {
  const { coordination } = served;
  const answer = coordination.storeResponse.bind(coordination);
  coordination.storeResponse = async () => {
    throw new Error('coordination.db is full');
  };
  const reply = await post('i', { title: 'one' });
  coordination.storeResponse = answer;
  assert.is(reply.status, 201);
  assert.ok(served.logged.some((line) => line.includes('coordination.db is full')));
});

test('an Idempotency-Key must have 1 to 255 characters', async () => {
  assert.is((await post('', { title: 'one' })).status, 400);
  assert.is((await post('k'.repeat(256), { title: 'one' })).status, 400);
  assert.is((await post('k'.repeat(255), { title: 'one' })).status, 201);
});

test('PUT, PATCH and DELETE with an Idempotency-Key are performed once', async () => {
  const { id = '' } = (await post('j', { title: 'one' })).json() as { id?: string };
  for (const method of ['PUT', 'PATCH']) {
    const first = await change(method, `j ${method}`, id, { title: method });
    assert.is(first.status, 200);
    notes.set(id, { id, title: 'meanwhile' });
    const again = await change(method, `j ${method}`, id, { title: method });
    assert.is(again.headers['idempotent-replayed'], 'true');
    assert.is(again.text, first.text);
    assert.is(notes.get(id)?.title, 'meanwhile');
  }
  const gone = await change('DELETE', 'j DELETE', id);
  assert.is(gone.status, 204);
  const again = await change('DELETE', 'j DELETE', id);
  assert.is(again.status, 204);
  assert.is(again.text, '');
  assert.is(again.headers['idempotent-replayed'], 'true');
});

test('reads ignore the Idempotency-Key', async () => {
  const read = () => request({ path: '/v1/notes', headers: { 'idempotency-key': 'k' } });
  assert.is((await read()).status, 200);
  await post('k', { title: 'one' });
  assert.match((await read()).text, 'one');
});

test.run();
