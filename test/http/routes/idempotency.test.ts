import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PreparedResponse } from '../../../http/response.ts';
import { HttpError } from '../../../http/errors.ts';
import { retryAbandoning, performOnce, type Claims } from '../../../http/routes/idempotency.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { CoordinationUnavailable } from '../../../stores/coordination/port.ts';
import { rejects } from '../../rejects.ts';

const repeating = suite('a repeated request on a full disk');

const REQUEST = { id: 'claim', fingerprint: 'print', commandName: 'claim/print' };
const FAILED: PreparedResponse = { status: 503, headers: { 'Retry-After': '2' }, body: '{}' };
const DONE: PreparedResponse = { status: 201, headers: {}, body: '{"id":"one"}' };

/**
 * Returns claims. While `disk.full` is set, new claims can be made, but claims can be neither abandoned nor completed.
 */
const stage = () => {
  const disk = { full: false };
  const coordination = createMemoryCoordination();
  const orFull = async <T>(act: () => Promise<T>): Promise<T> => {
    if (disk.full) throw new CoordinationUnavailable('The disk is full.');
    return act();
  };
  const claims: Claims = {
    claim: (...given) => coordination.claim(...given),
    storeResponse: (...given) => orFull(() => coordination.storeResponse(...given)),
    abandon: (id) => orFull(() => coordination.abandon(id)),
  };
  const later = retryAbandoning(claims);
  const reported: unknown[] = [];
  const ask = (perform: () => Promise<PreparedResponse>): Promise<PreparedResponse> =>
    performOnce(later, REQUEST, 0, { oneTime: [], types: [], isCertain: () => true }, perform, (error) =>
      reported.push(error),
    );
  return { disk, ask, reported };
};

repeating('a repeated request does not get 409 if the first request failed because of a full disk', async () => {
  const { disk, ask, reported } = stage();
  disk.full = true;
  assert.is((await ask(async () => FAILED)).status, 503);
  assert.is(reported.length, 1);
  // The claim of the first request still exists, because it can't be abandoned on a full disk. A repetition gets 503
  // for this reason too (http/errors.ts).
  for (let times = 0; times < 3; times++)
    await rejects(
      ask(async () => FAILED),
      CoordinationUnavailable,
    );
  disk.full = false;
  assert.is((await ask(async () => DONE)).status, 201);
  assert.is((await ask(async () => FAILED)).headers['Idempotent-Replayed'], 'true');
});

repeating('a repeated request whose response could not be stored runs the same command again', async () => {
  const { disk, ask } = stage();
  disk.full = true;
  assert.is((await ask(async () => DONE)).status, 201);
  disk.full = false;
  let times = 0;
  const answered = await ask(async () => {
    times += 1;
    return DONE;
  });
  assert.equal([answered.status, times], [201, 1]);
});

repeating('a repeated request gets 409 while the first one is in flight', async () => {
  const { disk, ask } = stage();
  disk.full = true;
  await ask(async () => FAILED);
  disk.full = false;
  let finish: (answer: PreparedResponse) => void = () => undefined;
  let begun = (): void => undefined;
  const performing = new Promise<void>((resolve) => (begun = resolve));
  const first = ask(() => {
    begun();
    return new Promise((resolve) => (finish = resolve));
  });
  await performing;
  await rejects(
    ask(async () => DONE),
    HttpError,
    /still in flight/,
  );
  finish(DONE);
  assert.is((await first).status, 201);
});

repeating.run();
