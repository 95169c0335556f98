import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf } from '../../../../domain/time.ts';
import { lagOf, oldestUnfolded, waitingSince, type Unfolded } from '../../../../projections/engine/status/lag.ts';
import { createStatuses } from '../../../../projections/engine/status/statuses.ts';
import { append, memoryStores, NOW, startEngine, stopEngines, until } from '../engine.ts';
import { counters, logMarked } from '../samples.ts';

const test = suite('the lag of a read model');

test.after.each(stopEngines);

/** Creates a wall clock and a monotonic clock, in milliseconds. */
const clocks = () => {
  const time = { wall: NOW, monotonic: 0 };
  const pass = (milliseconds: number): void => {
    time.wall += milliseconds;
    time.monotonic += milliseconds;
  };
  return { time, pass, clock: { now: () => time.wall, monotonic: () => time.monotonic } };
};

/** Creates statuses of the counters. The test sets the oldest unfolded event. */
const createLag = (clock: ReturnType<typeof clocks>['clock']) => {
  const statuses = createStatuses([counters], clock);
  const tell = (position: bigint, oldest: Unfolded | null): void => {
    statuses.receive([{ ...statuses.of('counters'), position, oldest }]);
  };
  return { tell, lag: () => statuses.lag('counters') };
};

const deleted = { type: 'PageDeleted', data: { page_id: 'p', deleted_at: instantOf(NOW) } } as const;

test('the lag is the growing age of the oldest unfolded event, in seconds', () => {
  const { clock, pass } = clocks();
  const { tell, lag } = createLag(clock);
  tell(10n, { position: 11n, recordedAt: NOW - 3_000 });
  assert.is(lag(), 3);
  pass(4_000);
  assert.is(lag(), 7);
  tell(10n, { position: 11n, recordedAt: NOW - 3_000 });
  assert.is(lag(), 7);
  tell(11n, { position: 12n, recordedAt: NOW + 3_500 });
  assert.is(lag(), 0.5);
  tell(12n, null);
  pass(1_000);
  assert.is(lag(), 0);
});

test('the lag is zero when no unfolded event is left', () => {
  const { clock } = clocks();
  const { tell, lag } = createLag(clock);
  tell(11n, { position: 11n, recordedAt: NOW - 3_000 });
  assert.is(lag(), 0);
});

test('the lag is never negative, and grows with elapsed time even if the clock is set', () => {
  const { clock, pass, time } = clocks();
  const { tell, lag } = createLag(clock);
  tell(10n, { position: 11n, recordedAt: NOW + 86_400_000 });
  assert.is(lag(), 0, 'recorded while the clock was ahead');
  pass(5_000);
  assert.is(lag(), 5);
  time.wall -= 3_600_000;
  assert.is(lag(), 5, 'the clock was set back');
  time.wall += 7_200_000;
  assert.is(lag(), 5, 'the clock was set forward');
});

test('for an event without a known time, the lag starts when the event is noticed', () => {
  const { clock, time, pass } = clocks();
  const waiting = waitingSince({ position: 1n, recordedAt: null }, null, clock);
  pass(2_000);
  assert.is(lagOf(waiting, time.monotonic), 2);
});

test('the lag counts only events that the read model folds', async () => {
  const { main } = memoryStores();
  const before = await append(main, logMarked('a'));
  await append(main, deleted, deleted, deleted);
  assert.is(await oldestUnfolded(main, counters, before), null);
  const position = await append(main, logMarked('b'));
  await append(main, logMarked('c'));
  assert.equal(await oldestUnfolded(main, counters, before), { position, recordedAt: NOW });
  assert.is((await oldestUnfolded(main, counters, position))?.recordedAt, NOW);
});

test('the lag is zero at the head of the log, and otherwise the age of the event at which the read model has stopped', async () => {
  const stores = memoryStores();
  const { statuses, reached } = await startEngine(stores, [counters]);
  await reached('counters', await append(stores.main, logMarked('a'), deleted));
  const live = await until(statuses, 'counters', ({ state }) => state === 'live');
  assert.is(live.oldest, null);
  const position = await append(stores.main, { type: 'CoffeeBrewed', data: {} } as never);
  const stopped = await until(statuses, 'counters', ({ state }) => state === 'stopped');
  assert.equal(stopped.oldest, { position, recordedAt: NOW });
});

test('the lag is the age of the event that a failing store prevents from being folded', async () => {
  const stores = memoryStores();
  let gone = false;
  const readStore = {
    ...stores.readStore,
    commit: async (...given: Parameters<typeof stores.readStore.commit>) => {
      if (gone) throw new Error('The disk is full.');
      return stores.readStore.commit(...given);
    },
  };
  const { statuses, reached } = await startEngine({ ...stores, readStore }, [counters]);
  await reached('counters', await append(stores.main, logMarked('a')));
  gone = true;
  const position = await append(stores.main, logMarked('b'));
  await append(stores.main, logMarked('c'));
  const failing = await until(statuses, 'counters', ({ state }) => state === 'failing');
  assert.equal(failing.oldest, { position, recordedAt: NOW });
  gone = false;
  assert.is((await until(statuses, 'counters', ({ state }) => state === 'live')).oldest, null);
});

test('the lag is reported even while a store is slow', async () => {
  const stores = memoryStores();
  let release = (): void => undefined;
  let blocked: Promise<void> | null = null;
  const readStore = {
    ...stores.readStore,
    commit: async (...given: Parameters<typeof stores.readStore.commit>) => {
      await blocked;
      return stores.readStore.commit(...given);
    },
  };
  const { statuses, reached } = await startEngine({ ...stores, readStore }, [counters]);
  await reached('counters', await append(stores.main, logMarked('a')));
  blocked = new Promise((resolve) => (release = resolve));
  const position = await append(stores.main, logMarked('b'));
  const behind = await until(statuses, 'counters', ({ oldest }) => oldest !== null);
  assert.equal([behind.state, behind.oldest], ['catching_up', { position, recordedAt: NOW }]);
  release();
  assert.is((await until(statuses, 'counters', ({ state }) => state === 'live')).oldest, null);
});

test.run();
