import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { semaphoreNamed } from '../../../probes/engine/semaphore.ts';
import { rejects } from '../../rejects.ts';

const test = specifications('a semaphore for concurrent runs');

const never = new AbortController().signal;

/** Returns a function that acquires the semaphore for a caller, and then adds the name of the caller to `inside`. */
const visitor =
  (gate: ReturnType<typeof semaphoreNamed>, inside: string[]) =>
  async (name: string, most: number, signal = never) => {
    await gate.acquire(most, signal);
    inside.push(name);
  };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a semaphore admits a limited number of callers at once, and all others later in the order of their calls', async () => {
  const gate = semaphoreNamed('order');
  const inside: string[] = [];
  const enter = visitor(gate, inside);
  for (const name of ['a', 'b', 'c', 'd']) void enter(name, 2);
  await settled();
  assert.equal(inside, ['a', 'b']);
  gate.release();
  await settled();
  assert.equal(inside, ['a', 'b', 'c']);
  gate.release();
  gate.release();
  await settled();
  assert.equal(inside, ['a', 'b', 'c', 'd']);
  gate.release();
});

test('a semaphore admits callers in order, even if a later caller tolerates more concurrent callers than the first waiting caller', async () => {
  const gate = semaphoreNamed('alone');
  const inside: string[] = [];
  const enter = visitor(gate, inside);
  void enter('a', 2);
  void enter('alone', 1);
  void enter('c', 2);
  await settled();
  assert.equal(inside, ['a']);
  gate.release();
  await settled();
  assert.equal(inside, ['a', 'alone', 'c']);
  gate.release();
  gate.release();
});

test('a semaphore forgets waiting callers that were aborted', async () => {
  const gate = semaphoreNamed('patience');
  const inside: string[] = [];
  const enter = visitor(gate, inside);
  const ending = new AbortController();
  await enter('a', 2);
  const waiting = enter('alone', 1, ending.signal);
  void enter('c', 2);
  ending.abort(new RangeError('enough'));
  await rejects(waiting, RangeError);
  await settled();
  assert.equal(inside, ['a', 'c']);
  await rejects(enter('late', 2, ending.signal), RangeError);
  gate.release();
  gate.release();
  await enter('d', 1);
  gate.release();
});

test('each target has its own semaphore', async () => {
  await semaphoreNamed('one').acquire(1, never);
  await semaphoreNamed('other').acquire(1, never);
  semaphoreNamed('one').release();
  semaphoreNamed('other').release();
});

test.run();
