import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeadline, Overdue } from '../../http/deadline.ts';
import { serveNotes } from '../api/notes.ts';
import { eventually } from '../waiting.ts';

const test = suite('requests beyond their deadline');

/**
 * Deadline of a request in milliseconds. It is long enough for a response that nothing blocks, even on a
 * busy machine.
 */
const ANSWERED_WITHIN = 1_000;

const served = await serveNotes({ answeredWithin: ANSWERED_WITHIN });
const { request, faults, notes, contexts, coordination } = served;

/** Returns a promise that is resolved when the test calls `release`. */
const heldBack = () => {
  let release = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
};
const post = (title: string, key?: string) =>
  request({
    method: 'POST',
    path: '/v1/notes',
    body: { title },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
/** Repeats a request until the response is not 409, and returns that response. */
const afterConflicts = (title: string, key: string) =>
  eventually(async () => {
    const answer = await post(title, key);
    return answer.status !== 409 && answer;
  });

test.before.each(() => {
  notes.clear();
  contexts.length = 0;
  for (const fault of Object.keys(faults)) Reflect.deleteProperty(faults, fault);
});
test.after(() => served.stop());

test('a request that is not performed before its deadline gets 503, and can still be performed afterwards', async () => {
  const { promise, release } = heldBack();
  faults.hold = promise;
  const { status, headers, json } = await post('slow');
  assert.equal([status, headers['retry-after']], [503, '2']);
  assert.is(
    (json() as { message: string }).message,
    'The service could not respond in time. The request may still be performed.',
  );
  release();
  await eventually(() => notes.size > 0);
});

test('a request whose change is stored gets 202 if its read models catch up only after the deadline', async () => {
  const location = String((await post('soon')).headers.location);
  const { promise, release } = heldBack();
  faults.late = promise;
  const { status, headers, json } = await request({ method: 'DELETE', path: location });
  assert.equal([status, headers.location], [202, location]);
  assert.match((json() as { message: string }).message, /^The change is stored/);
  release();
});

test('a creation whose resource is stored gets 202 with the new id if its command ends only after the deadline', async () => {
  const { promise, release } = heldBack();
  faults.finish = promise;
  const { status, json } = await post('begun');
  assert.is(status, 202);
  assert.equal([(json() as { id: string }).id], [...notes.keys()]);
  release();
});

test('a repeated request gets 409 while the first request continues after its deadline, and afterwards the response of the first request', async () => {
  const { promise, release } = heldBack();
  faults.hold = promise;
  assert.is((await post('once', 'slow')).status, 503);
  assert.is((await post('once', 'slow')).status, 409);
  release();
  const again = await afterConflicts('once', 'slow');
  assert.equal([again.status, again.headers['idempotent-replayed']], [201, 'true']);
  assert.is(notes.size, 1);
  assert.is(contexts.length, 1);
});

test('a request starts no write after its deadline, because the response has already been sent', async () => {
  const claim = coordination.claim.bind(coordination);
  const { promise, release } = heldBack();
  coordination.claim = async (...given) => {
    await promise;
    return claim(...given);
  };
  assert.is((await post('never', 'late claim')).status, 503);
  coordination.claim = claim;
  release();
  // The claim of the first request is abandoned, so the next request with the same key is performed.
  const again = await afterConflicts('never', 'late claim');
  assert.equal([again.status, again.headers['idempotent-replayed']], [201, undefined]);
  assert.is(contexts.length, 1);
});

test('the deadlines of all requests share one timer', async () => {
  const real = globalThis.setTimeout;
  let timers = 0;
  globalThis.setTimeout = Object.assign((...given: Parameters<typeof real>) => {
    timers += 1;
    return real(...given);
  }, real);
  try {
    const waits = Array.from({ length: 100 }, () => createDeadline(60_000).within(Promise.resolve('done')));
    assert.equal(new Set(await Promise.all(waits)), new Set(['done']));
  } finally {
    globalThis.setTimeout = real;
  }
  assert.ok(timers <= 1, `${timers} timers`);
});

test('all steps of a request share one deadline', async () => {
  const deadline = createDeadline(50);
  const { promise, release } = heldBack();
  const overdue = await deadline.within(promise).catch((error: unknown) => error);
  assert.instance(overdue, Overdue);
  release();
  await promise;
  assert.throws(
    () => {
      deadline.check();
    },
    (error: unknown) => error instanceof Overdue,
  );
});

test.run();
