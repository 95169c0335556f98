import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scheduleCheckpoints } from '../../../../projections/engine/fold/checkpoint-storing.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('positions without documents');

const NEVER = 1_000_000_000;

/**
 * Creates a projection. When the test calls `move`, the position of the projection is far ahead of its checkpoint. The
 * first `failures` attempts to store the checkpoint fail.
 */
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
  const tell = scheduleCheckpoints([one], { spacing, attempt, signal: stop.signal });
  const move = (): void => {
    one.isFarAhead = true;
    tell();
  };
  return { one, move, tell, failed, stop };
};

test('positions that advance at the same moment are stored with one write, and a later advance with another write', async () => {
  const { one, move, stop } = open(1);
  for (let count = 0; count < 10; count++) move();
  await eventually(() => !one.isFarAhead);
  assert.is(one.stored, 1);
  move();
  await eventually(() => !one.isFarAhead);
  assert.is(one.stored, 2);
  stop.abort();
});

test('a position that moves while other positions are being stored is stored afterwards', async () => {
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

test('positions are not stored more often than the spacing allows', async () => {
  const { one, move, stop } = open(30);
  const began = performance.now();
  move();
  await eventually(() => one.stored === 1);
  move();
  await eventually(() => one.stored === 2);
  assert.ok(performance.now() - began > 50);
  stop.abort();
});

test('the storing of positions is retried after a failure', async () => {
  const { one, move, failed, stop } = open(1, 3);
  move();
  await eventually(() => one.stored === 1);
  assert.is(failed.length, 3);
  stop.abort();
});

test('positions are not stored while none is far ahead of its checkpoint, nor after the signal has aborted', async () => {
  const { one, move, tell, stop } = open(NEVER);
  tell();
  move();
  stop.abort();
  await new Promise(setImmediate);
  move();
  assert.is(one.stored, 0);
});

test.run();
