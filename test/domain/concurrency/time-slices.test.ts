import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sharedTimeSlices } from '../../../domain/concurrency/time-slices.ts';

const test = suite('shared time slices');

/** Works without a pause for this many milliseconds. */
const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test('of several tasks that share time slices, only one works in each turn of the event loop', async () => {
  const slices = sharedTimeSlices();
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns = new Map<number, Set<number>>();
  const task = async (_: unknown, name: number): Promise<void> => {
    const pause = slices();
    for (let step = 0; step < 3; step++) {
      await pause();
      turns.set(turn, (turns.get(turn) ?? new Set()).add(name));
      work(name % 2 === 0 ? 15 : 1);
    }
  };
  await Promise.all(Array.from({ length: 6 }, task));
  isOver = true;
  for (const [when, names] of turns) assert.is(names.size, 1, `in turn ${when}: ${[...names].join(', ')}`);
  assert.is(new Set([...turns.values()].flatMap((names) => [...names])).size, 6);
});

test('a task works without a pause until its slice is used up', async () => {
  const pause = sharedTimeSlices()();
  await pause();
  assert.is(pause(), undefined);
  work(15);
  const paused = pause();
  assert.instance(paused, Promise);
  await paused;
  assert.is(pause(), undefined);
});

test.run();
