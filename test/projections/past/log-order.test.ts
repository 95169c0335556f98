import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { inLogOrder, mergedInLogOrder } from '../../../projections/past/log-order.ts';
import { randomFrom } from '../../contracts/random.ts';

const test = suite('the order of the log');

const eventsAt = (positions: readonly number[]): RecordedEvent[] =>
  positions.map((position) => ({ position: BigInt(position) }) as RecordedEvent);
const positionsOf = (events: readonly RecordedEvent[]): number[] => events.map(({ position }) => Number(position));

test('events that are read stream by stream are sorted by their positions, however many there are', async () => {
  const random = randomFrom(1);
  for (const count of [0, 1, 3_999, 10_000]) {
    const positions = Array.from({ length: count }, (_, index) => index + 1);
    const shuffled = positions
      .map((position) => [random.below(1_000_000), position] as const)
      .sort(([one], [other]) => one - other)
      .map(([, position]) => position);
    assert.equal(positionsOf(await inLogOrder(eventsAt(shuffled), timeSlices())), positions);
  }
});

test('lists that overlap, follow each other or are empty are merged into one list', async () => {
  for (const [lists, expected] of [
    [
      [[1, 4, 9], [2, 3, 10], [], [5]],
      [1, 2, 3, 4, 5, 9, 10],
    ],
    [
      [[1, 2], [3, 4], [5]],
      [1, 2, 3, 4, 5],
    ],
    [
      [[7, 8], [1]],
      [1, 7, 8],
    ],
    [[[], []], []],
  ] as [number[][], number[]][])
    assert.equal(positionsOf(await mergedInLogOrder(lists.map(eventsAt), timeSlices())), expected);
});

test.run();
