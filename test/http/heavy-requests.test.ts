import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../http/errors.ts';
import { createHeavyRequestLimit, type ReleaseSlot } from '../../http/heavy-requests.ts';
import { eventually } from '../waiting.ts';

const test = suite('limits of heavy requests');

const NEVER = new AbortController().signal;
const LIMITS = { perOrganization: 2, perCaller: 2, maxQueued: 2, maxWait: 60_000 };
const PATIENCE_OVER = 10;

/** Returns the state of a request: `leave` releases its slot, `error` is its refusal. Both are null in the queue. */
const entry = (entering: Promise<ReleaseSlot>) => {
  const state: { leave: ReleaseSlot | null; error: unknown } = { leave: null, error: null };
  entering.then(
    (leave) => (state.leave = leave),
    (error: unknown) => (state.error = error),
  );
  return state;
};
const nextIteration = () => new Promise((resolve) => setImmediate(resolve));
const statusOf = (error: unknown): number => (error instanceof HttpError ? error.status : 0);

test('concurrent heavy requests of one organization are limited, without affecting other organizations', async () => {
  const enter = createHeavyRequestLimit(LIMITS);
  const first = entry(enter('a', 'key', NEVER));
  const second = entry(enter('a', 'key', NEVER));
  const third = entry(enter('a', 'key', NEVER));
  const other = entry(enter('b', 'key', NEVER));
  await nextIteration();
  assert.ok(first.leave && second.leave && other.leave);
  assert.is(third.leave, null);
  first.leave();
  // Releasing the same slot twice frees only one slot.
  first.leave();
  await nextIteration();
  assert.ok(third.leave);
  const fourth = entry(enter('a', 'key', NEVER));
  await nextIteration();
  assert.is(fourth.leave, null);
});

test('one caller cannot occupy all slots for heavy requests of its organization', async () => {
  const enter = createHeavyRequestLimit({ ...LIMITS, perOrganization: 3 });
  const own = [1, 2, 3].map(() => entry(enter('a', 'slow', NEVER)));
  await nextIteration();
  assert.equal(
    own.map(({ leave }) => leave !== null),
    [true, true, false],
  );
  const colleague = entry(enter('a', 'other', NEVER));
  await nextIteration();
  assert.ok(colleague.leave);
  own[0]?.leave?.();
  await nextIteration();
  assert.ok(own[2]?.leave);
});

test('a heavy request gets 429 if the queue is full or if it has waited too long', async () => {
  const enter = createHeavyRequestLimit(LIMITS);
  for (let n = 0; n < 4; n++) entry(enter('a', 'key', NEVER));
  const refused = entry(enter('a', 'key', NEVER));
  await nextIteration();
  assert.is(statusOf(refused.error), 429);
  assert.is((refused.error as HttpError).headers['Retry-After'], '5');

  const impatient = createHeavyRequestLimit({ ...LIMITS, perOrganization: 1, maxWait: PATIENCE_OVER });
  const begun = entry(impatient('a', 'key', NEVER));
  const late = entry(impatient('a', 'key', NEVER));
  await eventually(() => late.error !== null);
  assert.is(statusOf(late.error), 429);
  begun.leave?.();
  const next = entry(impatient('a', 'key', NEVER));
  await nextIteration();
  assert.ok(next.leave);
});

test('a queued heavy request gets no slot after its client has disconnected', async () => {
  const enter = createHeavyRequestLimit({ ...LIMITS, perOrganization: 1 });
  const first = entry(enter('a', 'key', NEVER));
  const gone = new AbortController();
  const second = entry(enter('a', 'key', gone.signal));
  const third = entry(enter('a', 'key', NEVER));
  await nextIteration();
  gone.abort(new Error('gone'));
  first.leave?.();
  await nextIteration();
  assert.is((second.error as Error).message, 'gone');
  assert.ok(third.leave);
});

test.run();
