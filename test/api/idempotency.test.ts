import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict } from '../../domain/errors.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import type { Reply } from './http.ts';
import { KEY_OF, serveNotes } from './notes.ts';

const test = suite('a POST with an Idempotency-Key is done once');

const served = await serveNotes();
const { request, faults, notes, contexts, time } = served;
const post = (key: string, body: object, headers: Record<string, string> = {}, path = '/v1/notes'): Promise<Reply> =>
  request({ method: 'POST', path, body, headers: { 'idempotency-key': key, ...headers } });

test.before.each(() => {
  notes.clear();
  contexts.length = 0;
  for (const fault of Object.keys(faults)) Reflect.deleteProperty(faults, fault);
});
test.after(() => served.stop());

test('the same again gets the first answer, without what is told once', async () => {
  const first = await post('a', { title: 'one' });
  const again = await post('a', { title: 'one' });
  assert.is(contexts.length, 1);
  assert.is(again.status, 201);
  assert.is(again.headers.location, first.headers.location);
  assert.is(again.headers['idempotent-replayed'], 'true');
  assert.is(first.headers['idempotent-replayed'], undefined);
  const { secret, ...kept } = first.json() as { secret?: string };
  assert.is(secret, 'told once');
  assert.equal(again.json(), kept);
});

test('another body or query under the same key is 422', async () => {
  await post('b', { title: 'one' });
  assert.is((await post('b', { title: 'two' })).status, 422);
  assert.is((await post('b', { title: 'one' }, {}, '/v1/notes?draft=true')).status, 422);
  assert.is(contexts.length, 1);
});

test('the key counts for one API key, and one path', async () => {
  await post('c', { title: 'one' });
  const other = await post('c', { title: 'one' }, { authorization: KEY_OF.admin });
  assert.is(other.headers['idempotent-replayed'], undefined);
  const letter = await post('c', { text: 'hello' }, {}, '/v1/letters');
  assert.is(letter.status, 200);
  assert.is(contexts.length, 2);
  assert.is.not(contexts[0]?.commandId, contexts[1]?.commandId);
});

test('while the first is in flight the same again is 409', async () => {
  let go = (): void => undefined;
  faults.hold = new Promise((resolve) => (go = resolve));
  const first = post('d', { title: 'one' });
  while (contexts.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.is((await post('d', { title: 'one' })).status, 409);
  go();
  assert.is((await first).status, 201);
  assert.is((await post('d', { title: 'one' })).status, 201);
});

test('a claim without an answer is void after 30 s, and the request comes with the same command id', async () => {
  let go = (): void => undefined;
  faults.hold = new Promise((resolve) => (go = resolve));
  const lost = post('e', { title: 'one' });
  while (contexts.length === 0) await new Promise((resolve) => setImmediate(resolve));
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

test('without the header each request has a command of its own, which can not come again', async () => {
  for (const title of ['one', 'two']) await request({ method: 'POST', path: '/v1/notes', body: { title } });
  assert.is.not(contexts[0]?.commandId, contexts[1]?.commandId);
  assert.ok(contexts.every(({ repeatable }) => !repeatable));
});

test('an answer that says what is wrong with the request is kept', async () => {
  assert.is((await post('f', { title: '' })).status, 422);
  const again = await post('f', { title: '' });
  assert.is(again.status, 422);
  assert.is(again.headers['idempotent-replayed'], 'true');
});

test('an answer that may differ later is not kept', async () => {
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

test('an answer that can not be kept is given all the same', async () => {
  const { coordination } = served;
  const answer = coordination.answer.bind(coordination);
  coordination.answer = async () => {
    throw new Error('coordination.db is full');
  };
  const reply = await post('i', { title: 'one' });
  coordination.answer = answer;
  assert.is(reply.status, 201);
  assert.ok(served.logged.some((line) => line.includes('coordination.db is full')));
});

test('the key must have 1 to 255 characters', async () => {
  assert.is((await post('', { title: 'one' })).status, 400);
  assert.is((await post('k'.repeat(256), { title: 'one' })).status, 400);
  assert.is((await post('k'.repeat(255), { title: 'one' })).status, 201);
});

test('the header means nothing to other methods', async () => {
  await post('j', { title: 'one' });
  const [id = ''] = notes.keys();
  const patch = (title: string) =>
    request({ method: 'PATCH', path: `/v1/notes/${id}`, body: { title }, headers: { 'idempotency-key': 'j' } });
  assert.is((await patch('two')).status, 200);
  assert.is((await patch('three')).status, 200);
  assert.is(notes.get(id)?.title, 'three');
});

test.run();
