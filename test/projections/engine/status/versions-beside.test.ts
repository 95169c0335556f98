import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PublishedState } from '../../../../projections/engine/status/published-state.ts';
import { VersionsBeside } from '../../../../projections/engine/status/versions-beside.ts';
import { eventually, realPause } from '../../../waiting.ts';
import { counters } from '../samples.ts';

const test = suite('versions of read models that another release uses at the same time');

const OTHER = 'counters@2';
const ENTRIES = [
  { projection: 'counters@1', live: 1, last: 1 },
  { projection: OTHER, live: 3, last: 3 },
];

const state = (beat: string, more: Partial<PublishedState> = {}): Map<string, PublishedState> =>
  new Map([[OTHER, { state: 'live', error: null, oldest: null, folds: ['LogMarked'], beat, ...more }]]);

const begun = ({ settle = 0, entries = ENTRIES } = {}) => {
  let position = 0n;
  let reads = 0;
  const beside = new VersionsBeside({
    projections: [counters],
    readStore: {
      checkpoints: async (generations) => {
        reads++;
        assert.equal(generations, [{ projection: OTHER, number: 3 }]);
        return [{ log_id: 'log', position, event_id: null }];
      },
    },
    timings: { silence: 60_000, settle, awaited: 1 },
  });
  beside.takeCatalogue(entries);
  beside.takeOwn('counters', 1);
  return {
    beside,
    reads: () => reads,
    moveTo: (to: bigint) => {
      position = to;
    },
  };
};

const APPENDED = new Map([['LogMarked', 7n]]);

test('a write waits until a version whose engine runs contains it', async () => {
  const { beside, moveTo } = begun();
  beside.takeStates(state('a'));
  beside.takeStates(state('b'));
  let isPassed = false;
  const passed = beside.passed('counters', APPENDED, 60_000).then(() => (isPassed = true));
  moveTo(6n);
  await realPause(30, 'the version is polled every millisecond');
  assert.not(isPassed);
  moveTo(7n);
  await passed;
});

test('a write does not wait for a version whose engine has not reported since this process observes it', async () => {
  const { beside, reads } = begun();
  beside.takeStates(state('a'));
  await beside.passed('counters', APPENDED, 60_000);
  beside.takeStates(state('a'));
  await beside.passed('counters', APPENDED, 60_000);
  assert.is(reads(), 0);
});

test('a version that appears later is waited for at its first report', async () => {
  const { beside, reads, moveTo } = begun();
  moveTo(7n);
  beside.takeStates(new Map());
  beside.takeStates(state('a'));
  await beside.passed('counters', APPENDED, 60_000);
  assert.is(reads(), 1);
});

test('a write does not wait for a version that does not fold its events, or has stopped at an event', async () => {
  const { beside, reads } = begun();
  beside.takeStates(state('a'));
  beside.takeStates(state('b', { folds: ['CoffeeBrewed'] }));
  await beside.passed('counters', APPENDED, 60_000);
  assert.is(reads(), 1, 'position 0 is reached already');
  beside.takeStates(state('c', { state: 'stopped' }));
  await beside.passed('counters', APPENDED, 60_000);
  assert.is(reads(), 1);
});

test('a version that was late is not waited for until its engine reports again', async () => {
  const { beside, reads } = begun();
  beside.takeStates(state('a'));
  beside.takeStates(state('b'));
  await beside.passed('counters', APPENDED, 5);
  const before = reads();
  await beside.passed('counters', APPENDED, 60_000);
  assert.is(reads(), before);
  beside.takeStates(state('c'));
  await beside.passed('counters', APPENDED, 5);
  assert.ok(reads() > before);
});

test('a read model beside another version is settled after a while, and any other immediately', async () => {
  const { beside } = begun({ settle: 30 });
  assert.not(beside.isSettled('counters'));
  assert.not(await beside.settled('counters', 1));
  assert.ok(await beside.settled('counters', 60_000));
  beside.takeOwn('counters', null);
  assert.not(beside.isSettled('counters'));
  const alone = begun({ settle: 60_000, entries: ENTRIES.slice(0, 1) }).beside;
  assert.ok(alone.isSettled('counters'));
  await eventually(() => alone.settled('counters', 1));
});

test.run();
