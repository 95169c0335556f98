import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storingSoon } from '../../../../projections/engine/fold/storing.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('Positions without documents');

const NEVER = 1_000_000_000;

/** A projection that is far ahead when it is told to be, and `failures` times can't be stored. */
const open = (spacing: number, failures = 0) => {
  const stop = new AbortController();
  const failed: unknown[] = [];
  const one = {
    isFarAhead: false,
    stored: 0,
    storeCheckpoint: async (): Promise<void> => {
      if (failures-- > 0) throw new Error('The store is gone.');
      one.stored += 1;
      one.isFarAhead = false;
    },
  };
  const attempt = (task: () => Promise<unknown>): Promise<unknown> =>
    task().catch((error: unknown) => failed.push(error));
  const tell = storingSoon([one], { spacing, attempt, signal: stop.signal });
  const move = (): void => {
    one.isFarAhead = true;
    tell();
  };
  return { one, move, tell, failed, stop };
};

test('are stored once for all that moves in one go, and again when something moves later', async () => {
  const { one, move, stop } = open(1);
  for (let count = 0; count < 10; count++) move();
  await eventually(() => !one.isFarAhead);
  assert.is(one.stored, 1);
  move();
  await eventually(() => !one.isFarAhead);
  assert.is(one.stored, 2);
  stop.abort();
});

test('are stored though what moves does so while others are being stored', async () => {
  const { one, move, stop } = open(1);
  const { storeCheckpoint } = one;
  one.storeCheckpoint = async () => {
    await storeCheckpoint();
    if (one.stored < 5) move();
  };
  move();
  await eventually(() => one.stored === 5);
  stop.abort();
});

test('are not stored more often than they may be', async () => {
  const { one, move, stop } = open(30);
  const began = performance.now();
  move();
  await eventually(() => one.stored === 1);
  move();
  await eventually(() => one.stored === 2);
  assert.ok(performance.now() - began > 50);
  stop.abort();
});

test('are tried again while they can not be stored', async () => {
  const { one, move, failed, stop } = open(1, 3);
  move();
  await eventually(() => one.stored === 1);
  assert.is(failed.length, 3);
  stop.abort();
});

test('are not looked at while nothing is far ahead, nor after the end', async () => {
  const { one, move, tell, stop } = open(NEVER);
  tell();
  move();
  stop.abort();
  await new Promise(setImmediate);
  move();
  assert.is(one.stored, 0);
});

test.run();
