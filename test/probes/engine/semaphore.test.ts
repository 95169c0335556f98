import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { semaphoreNamed } from '../../../probes/engine/semaphore.ts';
import { rejects } from '../../rejects.ts';

const test = specifications('a gate');

const never = new AbortController().signal;

/** Enters, and notes its name when it is inside. */
const visitor =
  (gate: ReturnType<typeof semaphoreNamed>, inside: string[]) =>
  async (name: string, most: number, signal = never) => {
    await gate.acquire(most, signal);
    inside.push(name);
  };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a gate admits a limited number, and others in order', async () => {
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

test('a gate admits no later caller before a waiter that needs more room', async () => {
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

test('a gate forgets waiters that were aborted', async () => {
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

test('each target has a separate gate', async () => {
  await semaphoreNamed('one').acquire(1, never);
  await semaphoreNamed('other').acquire(1, never);
  semaphoreNamed('one').release();
  semaphoreNamed('other').release();
});

test.run();
