import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PollingPace } from '../../../../projections/engine/feed/polling-pace.ts';

const test = suite('the polling pace');

/**
 * Simulates a wait for a change that occurs after `duration` milliseconds. Returns the times of the polls; the final
 * poll finds the change.
 */
const pollTimes = (pace: PollingPace, duration: number): number[] => {
  const at = [pace.first];
  while ((at.at(-1) ?? 0) < duration) at.push((at.at(-1) ?? 0) + pace.next);
  pace.learn(at.at(-1) ?? 0);
  return at;
};

const after = (times: number, duration: number): { late: number; count: number } => {
  const pace = new PollingPace();
  for (let time = 0; time < times; time++) pollTimes(pace, duration);
  const at = pollTimes(pace, duration);
  return { late: (at.at(-1) ?? 0) - duration, count: at.length };
};

for (const duration of [2, 10, 30, 100]) {
  test(`the polling pace adapts to waits of ${duration} ms, so that there are few polls and the last poll comes soon after the change`, () => {
    const { late, count } = after(20, duration);
    assert.ok(late <= 15 && late <= Math.max(duration / 4, 4), late.toString());
    assert.ok(count <= 6, count.toString());
  });
}

test('the polling pace ignores an exceptionally long wait', () => {
  const pace = new PollingPace();
  for (let time = 0; time < 20; time++) pollTimes(pace, 2_000);
  for (let time = 0; time < 20; time++) pollTimes(pace, 20);
  assert.ok(pollTimes(pace, 20).length <= 6);
  assert.ok(pace.first <= 20);
});

test.run();
