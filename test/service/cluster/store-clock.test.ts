import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../../http/metrics.ts';
import { followStoreClock } from '../../../service/cluster/store-clock.ts';
import { rejects } from '../../rejects.ts';
import { fakeClock, type FakeClock } from '../../network/fake-clock.ts';

const test = suite('the clock of a process in a cluster');

const NOW = Date.parse('2026-11-20T15:00:00Z');

interface Surroundings {
  own: FakeClock;
  store: { silent: boolean; takes: number };
}

/**
 * Simulates a process. The store takes 200 ms to respond unless a test changes that.
 *
 * @param ahead milliseconds by which the clock of the process is ahead of the clock of the store
 * @param meanwhile called before each comparison of the clocks except the first
 */
const process = (ahead: number, meanwhile: (surroundings: Surroundings) => void = () => undefined) => {
  const clock = fakeClock(NOW + ahead);
  const store = { silent: false, takes: 200 };
  const after: FakeClock['after'] = (_milliseconds, callback) => {
    meanwhile({ own: clock, store });
    setImmediate(callback);
    return () => undefined;
  };
  const warnings: string[] = [];
  const storeTime = async (): Promise<number> => {
    if (store.silent) throw new Error('It does not answer.');
    await clock.advance(store.takes / 2);
    const responseTime = NOW + clock.monotonic();
    await clock.advance(store.takes / 2);
    return responseTime;
  };
  const logger = { warn: (...[, message]: unknown[]) => warnings.push(String(message)) };
  const followed = followStoreClock({ storeTime, clock: { ...clock, after }, logger: logger as never });
  return { ...followed, own: clock, store, warnings };
};

test('the clock of a process is corrected to that of the store if the difference is at most a minute', async () => {
  // The time of the store is known only to within 100 ms, because a response takes 200 ms. So 100 ms of a difference
  // are not corrected.
  for (const [ahead, sure] of [
    [0, 0],
    [80, 0],
    [25_000, 24_900],
    [-59_000, -58_900],
  ] as const) {
    const { clock, own, compare, part, stop } = process(ahead);
    await compare();
    assert.is(clock.now(), own.now() - sure);
    assert.equal([part().ready, part().message], [true, null]);
    stop();
  }
});

test('a difference of more than a minute between a process and the store is corrected after three comparisons with the same outcome', async () => {
  const { clock, own, compare, part, wrong, warnings, observe, stop } = process(172_800_000);
  const registry = createRegistry();
  observe(registry);
  await compare();
  await compare();
  assert.is(clock.now(), own.now(), 'the store is not trusted immediately');
  assert.equal(
    [part().state, part().message],
    ['wrong', 'The clock of this machine is 172800 seconds ahead of that of MongoDB.'],
  );
  assert.match(await registry.metrics(), 'clock_skew_seconds 172799.9');
  await compare();
  assert.is(clock.now(), own.now() - 172_799_900);
  assert.is(part().state, 'wrong');
  await rejects(
    wrong,
    Error,
    /172800 seconds ahead of that of MongoDB\. Correct it: runs of this process would be dropped as late/,
  );
  assert.is(warnings.length, 3);
  stop();
});

test('the clock of a process stays correct when the clock of its machine is changed between two comparisons', async () => {
  for (const ahead of [0, 3_600_000, -3_600_000]) {
    const { begin, compare, clock, own, stop } = process(ahead);
    await begin(false);
    const isRight = (): boolean => Math.abs(clock.now() - NOW - own.monotonic()) <= 100;
    assert.ok(isRight());
    for (const wrong of [7_200_000, -7_200_000, 0]) {
      own.set(NOW + own.monotonic() + wrong);
      await own.advance(29_000);
      assert.ok(isRight(), `set to ${wrong}`);
      await compare();
      assert.ok(isRight(), `compared at ${wrong}`);
    }
    stop();
  }
});

test('the clock of a process is not changed by a slow response, which can occur after the process was suspended', async () => {
  const { begin, compare, clock, own, store, stop } = process(3_600_000);
  await begin(false);
  const before = clock.now() - own.monotonic();
  store.takes = 40_000;
  await compare();
  assert.is(clock.now() - own.monotonic(), before);
  stop();
});

test('a process that schedules or executes runs does not start if its clock is wrong by more than a minute', async () => {
  const { begin, warnings, stop } = process(-3_600_000);
  await rejects(
    begin(true),
    Error,
    /3600 seconds behind that of MongoDB\. Correct it: runs of this process would be dropped as late/,
  );
  assert.is(warnings.length, 3);
  stop();
});

test('a process starts despite a wrong clock if it executes no runs, if its clock is right at a later comparison with the store, or if the store does not respond to a later comparison', async () => {
  const answering = process(3_600_000);
  await answering.begin(false);
  assert.is(answering.part().state, 'wrong');
  answering.stop();
  const set = process(3_600_000, ({ own }) => {
    own.set(NOW);
  });
  await set.begin(true);
  assert.is(set.part().state, 'right');
  set.stop();
  const unanswered = process(3_600_000, ({ store }) => {
    store.silent = true;
  });
  await unanswered.begin(true);
  assert.is(unanswered.part().state, 'wrong');
  unanswered.stop();
});

test('the clock of a process continues while the store does not respond', async () => {
  const { clock, own, compare, store, stop } = process(5_000);
  store.silent = true;
  await compare();
  assert.is(clock.now(), own.now());
  stop();
});

test.run();
