import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_PER_MINUTE } from '../../../domain/delivery/digest.ts';
import { createSurplusCounter } from '../../../reactors/delivery/surplus-messages.ts';

const test = suite('messages beyond the number that a receiver gets individually');

const START = Date.UTC(2026, 10, 20, 15);

const at = (before = 0) => {
  const time = { now: START };
  const reads: string[] = [];
  const isSurplus = createSurplusCounter(
    () => time.now,
    async (id) => {
      reads.push(id);
      return before;
    },
  );
  /** Returns how many of `count` consecutive messages are held back. */
  const heldBack = async (count: number, receiver = 'one'): Promise<number> => {
    let all = 0;
    for (let left = count; left > 0; left--) all += Number(await isSurplus(receiver));
    return all;
  };
  return { time, reads, heldBack };
};

test('messages to a receiver are held back after twenty within a minute', async () => {
  const { time, heldBack } = at();
  assert.is(await heldBack(MAX_PER_MINUTE), 0);
  assert.is(await heldBack(5), 5);
  time.now += 59_000;
  assert.is(await heldBack(1), 1);
  time.now += 1_000;
  assert.is(await heldBack(MAX_PER_MINUTE + 1), 1);
});

test('messages are counted separately for each receiver', async () => {
  const { heldBack } = at();
  assert.is(await heldBack(MAX_PER_MINUTE, 'one'), 0);
  assert.is(await heldBack(MAX_PER_MINUTE, 'two'), 0);
});

test('messages that another process has planned count towards the limit, and their number is read once', async () => {
  const { reads, heldBack } = at(15);
  assert.is(await heldBack(6), 1);
  assert.equal(reads, ['one']);
});

test('messages planned while the clock was ahead do not count after the clock is set back', async () => {
  const { time, heldBack } = at();
  assert.is(await heldBack(MAX_PER_MINUTE), 0);
  time.now -= 3_600_000;
  assert.is(await heldBack(MAX_PER_MINUTE), 0);
});

test.run();
