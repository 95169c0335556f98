import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStartTimes } from '../../../runners/scheduler/start-times.ts';

const test = suite('the start times of runs');

/** Creates start times for this many checks with an interval of 60 seconds. */
const of = (checks: number) => {
  const times = createStartTimes();
  for (let index = 0; index < checks; index++) times.add(60);
  return times;
};

/** Returns the longest wait of a run after it is due, in milliseconds. */
const longestWait = (times: ReturnType<typeof of>): number =>
  Math.max(...Array.from({ length: 1_000 }, (_, slot) => times.of(slot) - slot));

test('runs start less than 200 ms after they are due, and never before', () => {
  const times = of(10);
  for (let slot = 0; slot < 1_000; slot++) {
    const wait = times.of(slot) - slot;
    assert.ok(wait >= 0 && wait < 200, `${slot} waits ${wait} ms`);
  }
  assert.is(times.of(400), 400);
});

test('start times are closer together if there are more checks, so that few runs start at the same moment', () => {
  for (const checks of [1_000, 10_000, 100_000]) {
    const together = ((longestWait(of(checks)) + 1) / 1_000) * (checks / 60);
    assert.ok(together <= 10, `${together} of ${checks} checks`);
  }
});

test('start times change with the number of checks', () => {
  const times = of(10_000);
  assert.is(longestWait(times), 49);
  for (let index = 0; index < 9_000; index++) times.remove(60);
  assert.is(longestWait(times), 199);
  for (let index = 0; index < 9_000; index++) times.add(60);
  times.clear();
  assert.is(longestWait(times), 199);
});

test.run();
