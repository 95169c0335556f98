import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IllegalState } from '../../../domain/errors.ts';
import { countDueElsewhere, createDueElsewhereWork } from '../../../reactors/engine/due-elsewhere.ts';
import { listReactors } from '../../../reactors/engine/dead-letters.ts';
import { done } from '../../../reactors/engine/item-result.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { shortPause, createReactorHarness, NO_READS } from '../reactor-harness.ts';
import { createList } from './in-memory-list.ts';
import { eventually } from '../../waiting.ts';
import { DAY_SECONDS, MINUTE_SECONDS } from '../../../domain/time.ts';

const test = suite('a reactor whose outcomes are in another log than its list');

/**
 * Simulates a reactor on overdue heartbeats. A ping gives an item a later due time. When the reactor reports a missed
 * ping, the item stays on the list.
 */
const start = () => {
  const office = createReactorHarness();
  const listed = createList(office);
  const missed: string[] = [];
  const failing = new Map<string, () => Error>();
  let hold: Promise<void> | null = null;
  const work = () =>
    createDueElsewhereWork('test', office.todo, listed.list, async ({ id, changed_position }, { now }) => {
      const name = `${id}@${changed_position}`;
      const error = failing.get(id);
      if (error) throw error();
      await hold;
      missed.push(`${name} at ${now.slice(11, 16)}`);
      return done();
    });
  return {
    office,
    ...listed,
    missed,
    failing,
    work,
    start: () => office.start(work()),
    /** Makes all items that start from now on wait. Returns a function that lets them continue. */
    holdUp: (): (() => void) => {
      let go: () => void = () => undefined;
      hold = new Promise((resolve) => (go = resolve));
      return go;
    },
    /** Advances the clock. */
    pass: async (seconds: number): Promise<void> => {
      office.now += seconds * 1_000;
      office.move();
      await shortPause();
    },
    checkpoint: async () =>
      JSON.parse((await office.coordination.read('reactor:test')) ?? 'null') as Record<string, unknown>,
  };
};

test('each item is handled once when it is due, and again after it was moved to a new due time', async () => {
  const { office, put, missed, start: begin, pass } = start();
  put('a', 5 * MINUTE_SECONDS);
  put('b', 10 * MINUTE_SECONDS);
  begin();
  await shortPause();
  assert.equal(missed, []);
  await pass(5 * MINUTE_SECONDS);
  assert.equal(missed, ['a@1 at 15:05']);
  await pass(5 * MINUTE_SECONDS);
  await pass(MINUTE_SECONDS);
  assert.equal(missed, ['a@1 at 15:05', 'b@2 at 15:10']);
  put('a', 5 * MINUTE_SECONDS);
  office.move();
  await pass(5 * MINUTE_SECONDS);
  assert.equal(missed, ['a@1 at 15:05', 'b@2 at 15:10', 'a@3 at 15:16']);
  await office.close();
});

test('an item that was moved before it was due is not handled at its previous due time', async () => {
  const { office, put, missed, start: begin, pass } = start();
  put('a', 5 * MINUTE_SECONDS);
  begin();
  await pass(4 * MINUTE_SECONDS);
  put('a', 5 * MINUTE_SECONDS);
  await pass(4 * MINUTE_SECONDS);
  assert.equal(missed, []);
  await pass(MINUTE_SECONDS);
  assert.equal(missed, ['a@2 at 15:09']);
  await office.close();
});

test('after a restart a day later, exactly the items that fell due during the downtime are handled', async () => {
  const { office, put, missed, start: begin, pass, checkpoint } = start();
  put('a', MINUTE_SECONDS);
  put('b', 2 * MINUTE_SECONDS);
  put('c', 3_600);
  put('d', 2 * DAY_SECONDS);
  const stop = begin();
  await pass(2 * MINUTE_SECONDS);
  await stop();
  assert.equal(await checkpoint(), {
    activated: 0,
    handled: 4,
    cursor: { due_at: '2026-11-20T15:02:00.000000', id: 'b' },
  });
  office.now += DAY_SECONDS * 1_000;
  begin();
  await shortPause();
  assert.equal(missed, ['a@1 at 15:02', 'b@2 at 15:02', 'c@3 at 15:02']);
  await office.close();
});

test('all items due at the same instant are handled, however many there are, even those that arrive later', async () => {
  const { office, put, missed, start: begin, pass, checkpoint } = start();
  for (let index = 0; index < 1_350; index++) put(`item${index}`, MINUTE_SECONDS);
  let stop = begin();
  await pass(MINUTE_SECONDS);
  await eventually(() => missed.length === 1_350);
  await shortPause();
  await stop();
  assert.is(new Set(missed).size, 1_350);
  assert.equal(await checkpoint(), {
    activated: 0,
    handled: 1_350,
    cursor: { due_at: '2026-11-20T15:01:00.000000', id: 'item999' },
  });
  stop = begin();
  put('a before all others', 0);
  put('z behind all others', 0);
  office.move();
  await eventually(() => missed.length === 1_352);
  await shortPause();
  assert.is(new Set(missed).size, 1_352);
  await office.close();
});

test('an item that a lagging list adds at a due time before the cursor is found', async () => {
  const { office, put, missed, start: begin, pass } = start();
  put('a', MINUTE_SECONDS);
  begin();
  await pass(10 * MINUTE_SECONDS);
  put('late', -5 * MINUTE_SECONDS);
  office.move();
  await eventually(() => missed.length === 2);
  assert.equal(missed, ['a@1 at 15:10', 'late@2 at 15:10']);
  await office.close();
});

test('the cursor does not pass items that changed after the folded position', async () => {
  const { office, put, missed, start: begin, pass } = start();
  put('a', MINUTE_SECONDS);
  begin();
  await shortPause();
  office.folded = 1;
  put('third', MINUTE_SECONDS, 3);
  await pass(2 * MINUTE_SECONDS);
  assert.equal(missed, ['a@1 at 15:02']);
  put('second', -90, 2);
  office.folded = 3;
  office.move();
  await eventually(() => missed.length === 3);
  assert.equal(missed, ['a@1 at 15:02', 'second@2 at 15:02', 'third@3 at 15:02']);
  await office.close();
});

test('after a kill no item is lost, and at most as many items are handled twice as can run concurrently', async () => {
  const { office, put, missed, start: begin, pass, holdUp } = start();
  for (let index = 0; index < 500; index++) put(`item${index}`, index);
  const stop = begin();
  await pass(200);
  await eventually(() => missed.length === 201);
  await shortPause();
  const go = holdUp();
  await pass(200);
  office.dead = true;
  go();
  await stop();
  office.dead = false;
  const before = missed.length;
  begin();
  await pass(100);
  await eventually(() => new Set(missed.map((line) => line.split(' ')[0])).size === 500);
  await shortPause();
  assert.ok(before > 201, 'an item was done whose outcome was not recorded');
  assert.ok(missed.length <= 500 + (before - 201));
  await office.close();
});

test('no item is handled twice or too early when a clock that was ahead is set back', async () => {
  const { office, put, missed, start: begin, pass, checkpoint } = start();
  put('early', 30 * MINUTE_SECONDS);
  put('late', 3 * 3_600);
  const stop = begin();
  await shortPause();
  // The clock is two hours ahead for a while.
  await pass(2 * 3_600);
  assert.equal(missed, ['early@1 at 17:00']);
  office.now -= 2 * 3_600_000;
  office.move();
  await shortPause();
  put('new', 10 * MINUTE_SECONDS);
  office.move();
  await pass(9 * MINUTE_SECONDS);
  assert.equal(missed, ['early@1 at 17:00'], 'the new item is not due yet');
  await stop();
  assert.ok('ahead' in (await checkpoint()), 'the state survives a restart');
  begin();
  await shortPause();
  await pass(MINUTE_SECONDS);
  assert.equal(missed, ['early@1 at 17:00', 'new@3 at 15:10']);
  put('early', 0);
  office.move();
  await shortPause();
  assert.equal(missed.slice(2), ['early@4 at 15:10'], 'an item that was moved since is done');
  await pass(50 * MINUTE_SECONDS);
  await pass(2 * 3_600);
  assert.equal(missed.slice(3), ['late@2 at 18:00']);
  assert.not.ok('ahead' in (await checkpoint()));
  await office.close();
});

test('every item is handled once although the clock is set back twice', async () => {
  const { office, put, missed, start: begin, pass } = start();
  for (let hour = 1; hour <= 6; hour++) put(`item${hour}`, hour * 3_600);
  begin();
  await pass(5 * 3_600);
  await pass(-5 * 3_600);
  await pass(2 * 3_600);
  put('new', 3_600);
  await pass(3_600);
  await pass(-2 * 3_600);
  await pass(8 * 3_600);
  assert.equal(missed.map((line) => line.split('@')[0]).sort(), [
    'item1',
    'item2',
    'item3',
    'item4',
    'item5',
    'item6',
    'new',
  ]);
  await office.close();
});

test('failed items are stored and do not stop other items, and an unavailable store stops the cursor', async () => {
  const { office, put, missed, failing, start: begin, pass, checkpoint } = start();
  const { failedItems } = office.coordination;
  put('bad', MINUTE_SECONDS);
  put('refused', MINUTE_SECONDS);
  put('good', MINUTE_SECONDS);
  failing.set('bad', () => new Error('It is broken.'));
  failing.set('refused', () => new IllegalState('It can not be done.'));
  const stop = begin();
  await pass(MINUTE_SECONDS);
  await stop();
  assert.equal(missed, ['good@3 at 15:01']);
  assert.equal(((await checkpoint())['cursor'] as { id: string }).id, 'refused');
  assert.equal(
    (await failedItems.page('test', { after: null, limit: 9 })).map(({ id, state }) => [id, state]),
    [
      ['bad', 'retrying'],
      ['refused', 'given_up'],
    ],
  );
  failing.clear();
  begin();
  await pass(MINUTE_SECONDS);
  assert.equal(missed.slice(1), ['bad@1 at 15:02']);
  put('next', MINUTE_SECONDS);
  failing.set('next', () => new StoreUnavailable('The disk is full.'));
  office.move();
  await pass(MINUTE_SECONDS);
  const before = (await checkpoint())['cursor'];
  assert.is((before as { id: string }).id, 'refused', 'the item is found again after a restart');
  failing.clear();
  await pass(MINUTE_SECONDS);
  assert.equal(missed.slice(2), ['next@4 at 15:04']);
  await office.close();
});

test('items from before the activation of a reactor are skipped if the reactor does not handle earlier items', async () => {
  const { office, put, missed, work, pass } = start();
  put('before', MINUTE_SECONDS);
  office.start(work(), { countsEarlier: false });
  await shortPause();
  put('after', MINUTE_SECONDS);
  office.move();
  await pass(MINUTE_SECONDS);
  assert.equal(missed, ['after@2 at 15:01']);
  await office.close();
});

test('the number of waiting items and the age of the oldest are reported', async () => {
  const { office, put, start: begin, list, pass } = start();
  put('a', MINUTE_SECONDS);
  put('b', 2 * MINUTE_SECONDS);
  put('c', 3 * MINUTE_SECONDS);
  const stop = begin();
  await pass(MINUTE_SECONDS);
  await stop();
  office.now += 3 * MINUTE_SECONDS * 1_000;
  const { coordination, now } = office;
  const reactors = [{ name: 'test', waiting: () => countDueElsewhere(list) }];
  const [listing] = await listReactors(reactors, NO_READS, { coordination, now, serviceRuns: false });
  assert.equal(listing, {
    name: 'test',
    state: 'idle',
    handled: 3,
    waiting: 2,
    retrying: 0,
    given_up: 0,
    oldest_seconds: 120,
  });
});

test.run();
