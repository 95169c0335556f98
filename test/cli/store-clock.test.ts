import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../api/metrics.ts';
import { followStoreClock } from '../../cli/store-clock.ts';
import { rejects } from '../rejects.ts';
import { fakeClock, type FakeClock } from '../runners/fake-clock.ts';

const test = suite('the clock of a process of a cluster');

const NOW = Date.parse('2026-11-20T15:00:00Z');

interface Surroundings {
  own: FakeClock;
  store: { silent: boolean };
}

/**
 * A process whose clock is so many milliseconds ahead of the store's, which takes 200 ms to answer.
 *
 * @param meanwhile what happens before it looks again
 */
const process = (ahead: number, meanwhile: (surroundings: Surroundings) => void = () => undefined) => {
  const clock = fakeClock(NOW + ahead);
  const store = { silent: false };
  const after: FakeClock['after'] = (_milliseconds, callback) => {
    meanwhile({ own: clock, store });
    setImmediate(callback);
    return () => undefined;
  };
  const warnings: string[] = [];
  const storeTime = async (): Promise<number> => {
    if (store.silent) throw new Error('It does not answer.');
    await clock.advance(100);
    const told = NOW + clock.monotonic();
    await clock.advance(100);
    return told;
  };
  const logger = { warn: (...[, message]: unknown[]) => warnings.push(String(message)) };
  const followed = followStoreClock({ storeTime, clock: { ...clock, after }, logger: logger as never });
  return { ...followed, own: clock, store, warnings };
};

test('is put right by that of the store, up to a minute', async () => {
  // Its answer takes 200 ms, so that 100 ms are not sure.
  for (const [ahead, sure] of [
    [0, 0],
    [80, 0],
    [25_000, 24_900],
    [-59_000, -58_900],
  ] as const) {
    const { clock, own, compare, skew, part, stop } = process(ahead);
    await compare();
    assert.is(Math.abs(skew() ?? 1), Math.abs(sure));
    assert.is(clock.now(), own.now() - sure);
    assert.equal([part().ready, part().message], [true, null]);
    stop();
  }
});

test('is refused beyond that, once it was found wrong three times, and says so', async () => {
  const { clock, own, compare, part, wrong, warnings, observe, stop } = process(172_800_000);
  const registry = createRegistry();
  observe(registry);
  await compare();
  await compare();
  assert.is(clock.now(), own.now());
  assert.equal(
    [part().state, part().message],
    ['wrong', 'The clock of this machine is 172800 seconds ahead of that of MongoDB.'],
  );
  assert.match(await registry.metrics(), 'clock_skew_seconds 172799.9');
  await compare();
  await rejects(wrong, Error, /172800 seconds ahead of that of MongoDB\. Its runs would be dropped as late/);
  assert.is(warnings.length, 3);
  stop();
});

test('keeps a process that starts or makes runs from beginning where it is more than a minute wrong', async () => {
  const { begin, warnings, stop } = process(-3_600_000);
  await rejects(begin(true), Error, /3600 seconds behind that of MongoDB\. Its runs would be dropped as late/);
  assert.is(warnings.length, 3);
  stop();
});

test('keeps nobody else from beginning, nor whoever finds it right the next time, or is not answered', async () => {
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

test('goes on as it is while the store does not answer', async () => {
  const { clock, own, compare, store, skew, stop } = process(5_000);
  store.silent = true;
  await compare();
  assert.is(skew(), null);
  assert.is(clock.now(), own.now());
  stop();
});

test.run();
