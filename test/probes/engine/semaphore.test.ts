import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { gateOf } from '../../../probes/engine/semaphore.ts';
import { rejects } from '../../rejects.ts';

const test = specifications('a gate');

const never = new AbortController().signal;

/** Enters, and notes its name when it is inside. */
const visitor =
  (gate: ReturnType<typeof gateOf>, inside: string[]) =>
  async (name: string, most: number, signal = never) => {
    await gate.enter(most, signal);
    inside.push(name);
  };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a gate admits a limited number, and others in order', async () => {
  const gate = gateOf('order');
  const inside: string[] = [];
  const enter = visitor(gate, inside);
  for (const name of ['a', 'b', 'c', 'd']) void enter(name, 2);
  await settled();
  assert.equal(inside, ['a', 'b']);
  gate.leave();
  await settled();
  assert.equal(inside, ['a', 'b', 'c']);
  gate.leave();
  gate.leave();
  await settled();
  assert.equal(inside, ['a', 'b', 'c', 'd']);
  gate.leave();
});

test('a gate admits nobody before a waiter that needs more room', async () => {
  const gate = gateOf('alone');
  const inside: string[] = [];
  const enter = visitor(gate, inside);
  void enter('a', 2);
  void enter('alone', 1);
  void enter('c', 2);
  await settled();
  assert.equal(inside, ['a']);
  gate.leave();
  await settled();
  assert.equal(inside, ['a', 'alone', 'c']);
  gate.leave();
  gate.leave();
});

test('a gate forgets waiters that were aborted', async () => {
  const gate = gateOf('patience');
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
  gate.leave();
  gate.leave();
  await enter('d', 1);
  gate.leave();
});

test('each target has a separate gate', async () => {
  await gateOf('one').enter(1, never);
  await gateOf('other').enter(1, never);
  gateOf('one').leave();
  gateOf('other').leave();
});

test.run();
