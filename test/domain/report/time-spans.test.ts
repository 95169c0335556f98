import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeSpans, NO_TIME_SPANS, secondsOf, type TimeSpans } from '../../../domain/report/time-spans.ts';

const test = suite('total of time spans');

test('time spans may overlap, touch, contain one another or be separate', () => {
  for (const [one, more, both] of [
    [
      [0, 10],
      [5, 15],
      [0, 15],
    ],
    [
      [5, 15],
      [0, 10],
      [0, 15],
    ],
    [
      [0, 10],
      [10, 20],
      [0, 20],
    ],
    [
      [0, 30],
      [5, 10],
      [0, 30],
    ],
    [
      [5, 10],
      [0, 30],
      [0, 30],
    ],
    [
      [0, 10, 20, 30],
      [12, 18],
      [0, 10, 12, 18, 20, 30],
    ],
    [
      [0, 10, 20, 30],
      [5, 25],
      [0, 30],
    ],
    [[], [0, 10, 5, 8, 7, 12], [0, 12]],
    [[0, 10], [], [0, 10]],
  ] as [TimeSpans, number[], TimeSpans][]) {
    assert.equal(mergeSpans(one, more), both, JSON.stringify([one, more]));
  }
});

test('the total of time spans is in seconds', () => {
  assert.is(secondsOf(NO_TIME_SPANS), 0);
  assert.is(secondsOf([0, 1_500, 2_000, 4_000]), 3.5);
});

test.run();
