import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConcurrentChange, IllegalState } from '../../../domain/errors.ts';
import { countWaitingChanges, createChangeWork } from '../../../reactors/engine/changes.ts';
import { resumeReactors } from '../../../reactors/engine/checkpoint.ts';
import { listFailedItems, listReactors, retryItems } from '../../../reactors/engine/dead-letters.ts';
import { retryItemAt, done, failPermanently, type ItemResult } from '../../../reactors/engine/item-result.ts';
import type { ItemContext } from '../../../reactors/engine/work.ts';
import { REACTORS_HALTED } from '../../../stores/coordination/port.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { shortPause, createReactorHarness, NO_READS } from '../reactor-harness.ts';
import { createList } from './in-memory-list.ts';
import { eventually } from '../../waiting.ts';
import { MINUTE_MS } from '../../../domain/time.ts';

const test = suite('the outcomes of a reactor’s items');

/** Creates a reactor on changes. The test determines how each item ends. */
const start = () => {
  const office = createReactorHarness();
  const listed = createList(office);
  const tried: string[] = [];
  /** results of items by id; all other items succeed */
  const endings = new Map<string, (context: ItemContext) => ItemResult | Promise<ItemResult>>();
  const work = () =>
    createChangeWork('test', office.todo, listed.list, async ({ id }, context) => {
      tried.push(id);
      return (await endings.get(id)?.(context)) ?? done();
    });
  const { failedItems } = office.coordination;
  return {
    office,
    ...listed,
    tried,
    endings,
    work,
    start: () => office.start(work()),
    fails: (id: string, error: () => Error) =>
      endings.set(id, () => {
        throw error();
      }),
    triesOf: (id: string): number => tried.filter((one) => one === id).length,
    /** Advances the clock. */
    pass: async (milliseconds: number): Promise<void> => {
      office.now += milliseconds;
      office.move();
      await shortPause();
    },
    failures: () => failedItems.page('test', { after: null, limit: 10_000 }),
    checkpoint: async () => JSON.parse((await office.coordination.read('reactor:test')) ?? 'null') as unknown,
  };
};

test('an item that fails permanently does not delay other items, and a restart does not handle the other two thousand again', async () => {
  const { office, put, tried, fails, start: begin, checkpoint, failures } = start();
  put('bad');
  for (let index = 1; index < 2_000; index++) put(`item${index}`);
  fails('bad', () => new IllegalState('It can not be done.'));
  for (let restarts = 0; restarts < 3; restarts++) {
    const stop = begin();
    await eventually(() => tried.length >= 2_000);
    await shortPause();
    await stop();
    assert.equal(await checkpoint(), { activated: 0, handled: 2_000 });
  }
  assert.is(tried.length, 2_000);
  assert.is((await failures()).length, 1);
  await office.close();
});

test('an item that the domain rejects fails permanently at once, with its reason', async () => {
  const { office, put, tried, fails, start: begin, pass, failures } = start();
  fails('bad', () => new IllegalState('It can not be done.'));
  put('bad');
  put('good');
  begin();
  await eventually(() => tried.length === 2);
  await shortPause();
  const { now } = office;
  const record = { state: 'given_up', tries: 1, again: 0, tried: now, since: now, reason: 'It can not be done.' };
  assert.equal(await failures(), [{ id: 'bad', position: 1, ...record }]);
  await pass(1_440 * MINUTE_MS);
  assert.is(tried.length, 2);
  assert.equal(office.lines, [
    {
      level: 'error',
      message: 'The reactor test gave up on an item. Run `uptrail reactors`.',
      item: 'bad',
      tries: 1,
      error: 'It can not be done.',
    },
  ]);
  await office.close();
});

test('permanent failures of items are logged individually only while they are few', async () => {
  const { office, put, tried, fails, start: begin, pass } = start();
  const add = (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      put(`item${index}`);
      fails(`item${index}`, () => new IllegalState('It can not be done.'));
    }
  };
  add(0, 2_000);
  begin();
  await eventually(() => tried.length === 2_000);
  await shortPause();
  const one = 'The reactor test gave up on an item. Run `uptrail reactors`.';
  const many = (items: number) =>
    `The reactor test gave up on ${items} items within a minute. Run \`uptrail reactors\`.`;
  const expected = [...Array.from({ length: 10 }, () => one), many(100), many(1_000)];
  assert.equal(
    office.lines.map(({ message }) => message),
    expected,
  );
  await pass(MINUTE_MS);
  add(2_000, 2_001);
  office.move();
  await eventually(() => tried.length === 2_001);
  await shortPause();
  assert.equal(
    office.lines.map(({ message }) => message),
    [...expected, one],
  );
  await office.close();
});

test('an item that failed only because of concurrent work is retried', async () => {
  const { office, put, triesOf, fails, endings, start: begin, pass, failures } = start();
  fails('item', () => new ConcurrentChange());
  put('item');
  begin();
  await eventually(() => triesOf('item') === 1);
  endings.clear();
  await pass(1_000);
  assert.is(triesOf('item'), 2);
  assert.equal(await failures(), []);
  await office.close();
});

test('an item that always fails is tried twenty times, for about an hour', async () => {
  const { office, put, triesOf, fails, start: begin, pass, failures } = start();
  const begun = office.now;
  fails('item', () => new Error('It is broken.'));
  put('item');
  let stop = begin();
  await eventually(() => triesOf('item') === 1);
  await shortPause();
  for (let tries = 2; tries <= 20; tries++) {
    const [record] = await failures();
    assert.is(record?.state, 'retrying');
    assert.is(record?.tries, tries - 1);
    // The number of attempts and the time of the next attempt survive restarts.
    if (tries % 5 === 0) {
      await stop();
      stop = begin();
      await shortPause();
    }
    await pass((record?.again ?? 0) - office.now - 1);
    assert.is(triesOf('item'), tries - 1, 'not before its time');
    await pass(1);
    assert.is(triesOf('item'), tries);
  }
  const [record] = await failures();
  assert.equal([record?.state, record?.tries, record?.reason], ['given_up', 20, 'It is broken.']);
  assert.ok(office.now - begun > 45 * MINUTE_MS && office.now - begun < 90 * MINUTE_MS);
  await office.close();
});

test('an item is retried at the time that its handler requests, and counts as failed only if the handler gives a reason', async () => {
  const { office, put, triesOf, endings, start: begin, pass, failures } = start();
  const at = office.now + 90_000;
  endings.set('early', () => retryItemAt(at));
  endings.set('refused', ({ tries }) =>
    tries === 2 ? failPermanently('Refused three times.') : retryItemAt(office.now + 90_000, 'Refused.'),
  );
  put('early');
  put('refused');
  const stop = begin();
  await eventually(() => triesOf('refused') === 1);
  await stop();
  assert.equal(
    (await failures()).map(({ id, tries, again }) => [id, tries, again]),
    [
      ['early', 0, at],
      ['refused', 1, at],
    ],
  );
  begin();
  await shortPause();
  await pass(90_000 - 1);
  assert.is(triesOf('early'), 1);
  endings.delete('early');
  await pass(1);
  assert.equal([triesOf('early'), triesOf('refused')], [2, 2]);
  await pass(90_000);
  assert.equal(
    (await failures()).map(({ id, state, reason }) => [id, state, reason]),
    [['refused', 'given_up', 'Refused three times.']],
  );
  await office.close();
});

test('an item never fails permanently because a store does not respond, and no other item starts until the store responds', async () => {
  const { office, put, tried, endings, start: begin, pass, failures, checkpoint } = start();
  let down = true;
  for (let index = 0; index < 1_000; index++) {
    put(`item${index}`);
    endings.set(`item${index}`, () => {
      if (down) throw new StoreUnavailable('The disk is full.');
      return done();
    });
  }
  begin();
  await eventually(() => tried.length > 0);
  await shortPause();
  assert.ok(tried.length <= 64, 'a window of them');
  for (let seconds = 0; seconds < 3_600; seconds += 4) {
    office.now += 4_000;
    office.move();
    if (seconds % 400 === 0) await shortPause();
  }
  assert.equal(
    (await failures()).filter(({ state }) => state === 'given_up'),
    [],
  );
  assert.ok(new Set(tried).size <= 64);
  const { handled } = (await checkpoint()) as { handled: number };
  assert.is(handled, (await failures()).length, 'the checkpoint passes stored items, and no others');
  down = false;
  await eventually(async () => {
    await pass(4_000);
    return new Set(tried).size >= 1_000;
  });
  await pass(4_000);
  assert.equal(await checkpoint(), { activated: 0, handled: 1_000 });
  assert.equal(await failures(), []);
  await office.close();
});

test('an item that failed permanently is handled again when it changes', async () => {
  const { office, put, triesOf, fails, endings, start: begin, failures } = start();
  fails('item', () => new IllegalState('It can not be done.'));
  put('item');
  begin();
  await eventually(() => triesOf('item') === 1);
  await shortPause();
  put('item');
  office.move();
  await eventually(() => triesOf('item') === 2);
  await shortPause();
  assert.is(office.lines.length, 1, 'the permanent failure is logged once');
  assert.equal(
    (await failures()).map(({ position, state }) => [position, state]),
    [[2, 'given_up']],
  );
  endings.clear();
  put('item');
  office.move();
  await eventually(() => triesOf('item') === 3);
  await shortPause();
  assert.equal(await failures(), []);
  await office.close();
});

test('an operator can retry one item that failed permanently, or all of them', async () => {
  const { office, put, tried, fails, endings, start: begin, list, failures } = start();
  const { coordination } = office;
  for (const id of ['a', 'b', 'c']) {
    fails(id, () => new IllegalState('It can not be done.'));
    put(id);
  }
  begin();
  await eventually(() => tried.length === 3);
  await shortPause();
  const listing = async () => {
    const reactors = [{ name: 'test', waiting: () => countWaitingChanges(list) }];
    const [one] = await listReactors(reactors, NO_READS, { coordination, now: office.now, serviceRuns: true });
    return [one?.state, one?.handled, one?.waiting, one?.retrying, one?.given_up];
  };
  assert.equal(await listing(), ['active', 3, 0, 0, 3]);
  assert.equal(
    (await listFailedItems(['test'], coordination, 2)).map(({ reactor, id }) => [reactor, id]),
    [
      ['test', 'a'],
      ['test', 'b'],
    ],
  );
  endings.clear();
  assert.is(await retryItems(coordination, 'test', 'nothing', 'request 1'), 0);
  assert.is(await retryItems(coordination, 'test', 'b', 'request 2'), 1);
  for (const ask of office.asked) ask();
  await eventually(() => tried.length === 4);
  await shortPause();
  assert.equal(tried.slice(3), ['b']);
  assert.equal(await listing(), ['active', 3, 0, 0, 2]);
  assert.is(await retryItems(coordination, 'test', null, 'request 3'), 2);
  for (const ask of office.asked) ask();
  await eventually(() => tried.length === 6);
  await shortPause();
  assert.equal(await failures(), []);
  await office.close();
});

test('the failure of an item that is no longer on the list is forgotten when its retry is due', async () => {
  const { office, put, take, tried, fails, start: begin, pass, failures } = start();
  fails('item', () => new Error('It is broken.'));
  put('item');
  begin();
  await eventually(() => tried.length === 1);
  await shortPause();
  take('item');
  await pass(1_000);
  assert.equal(await failures(), []);
  assert.is(tried.length, 1);
  await office.close();
});

test('thousands of failures of one kind are logged once, and so is the end of these failures', async () => {
  const { office, put, tried, fails, endings, start: begin, pass } = start();
  for (let index = 0; index < 8_000; index++) {
    put(`item${index}`);
    fails(`item${index}`, () => new Error(`item${index} is broken.`));
  }
  begin();
  await eventually(() => tried.length === 8_000);
  await shortPause();
  await pass(1_000);
  await eventually(() => tried.length === 16_000);
  assert.is(office.lines.length, 1);
  endings.clear();
  await shortPause();
  await pass(2_000);
  await eventually(() => tried.length === 24_000);
  await shortPause();
  const what = 'The reactor test failed on an item, which will be retried. Further failures of this kind are counted.';
  assert.equal(office.lines, [
    { level: 'error', message: what, item: 'item0', error: 'item0 is broken.' },
    {
      level: 'info',
      message: 'The failures of the reactor test are over.',
      error: 'Error',
      items: 8_000,
      tries: 16_000,
      given_up: 0,
      seconds: 3,
    },
  ]);
  await office.close();
});

test('an item is aborted when the reactor stops, and is handled by the next process', async () => {
  const { office, put, triesOf, endings, start: begin, failures, checkpoint } = start();
  put('done before');
  put('slow');
  endings.set(
    'slow',
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('It was cut off.'));
        });
      }),
  );
  const stop = begin();
  await eventually(() => triesOf('slow') === 1);
  await stop();
  assert.equal(await checkpoint(), { activated: 0, handled: 1 });
  assert.equal([await failures(), office.logged], [[], []], 'an aborted item is no failure');
  endings.clear();
  begin();
  await eventually(() => triesOf('slow') === 2);
  assert.is(triesOf('done before'), 1);
  await office.close();
});

test('an item is aborted when the lease is lost', async () => {
  const { office, put, triesOf, endings, start: begin } = start();
  const losing = new AbortController();
  let leases = 0;
  const acquire = office.coordination.acquire.bind(office.coordination);
  office.coordination.acquire = async (name, signal) => {
    const lease = await acquire(name, signal);
    return leases++ === 0 ? { ...lease, lost: losing.signal } : lease;
  };
  put('item');
  endings.set('item', ({ signal }) =>
    leases > 1
      ? done()
      : new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('It was cut off.'));
          });
        }),
  );
  begin();
  await eventually(() => triesOf('item') === 1);
  losing.abort();
  await eventually(() => triesOf('item') === 2);
  await office.close();
});

test('an item does not wait for a slower item that arrived earlier', async () => {
  const { office, put, tried, endings, start: begin, checkpoint } = start();
  let finish: () => void = () => undefined;
  const finished = new Promise<ItemResult>((resolve) => {
    finish = () => {
      resolve(done());
    };
  });
  put('before');
  put('slow');
  endings.set('slow', () => finished);
  for (let index = 0; index < 2_000; index++) put(`item${index}`);
  const stop = begin();
  await eventually(() => tried.length === 2_002);
  put('new');
  office.move();
  await eventually(() => tried.includes('new'));
  await shortPause();
  assert.equal(await checkpoint(), { activated: 0, handled: 1 }, 'a crash now repeats the slow item');
  finish();
  await stop();
  assert.equal(await checkpoint(), { activated: 0, handled: 2_003 });
});

test('after a kill an item is repeated if its outcome was not recorded, and no item is lost', async () => {
  const { office, put, tried, fails, endings, start: begin, failures, checkpoint } = start();
  for (let index = 0; index < 300; index++) put(`item${index}`);
  fails('item7', () => new IllegalState('It can not be done.'));
  fails('item8', () => new Error('It is broken.'));
  endings.set('item100', () => {
    office.dead = true;
    return done();
  });
  const stop = begin();
  await eventually(() => tried.includes('item100'));
  await shortPause();
  await stop();
  const { handled } = (await checkpoint()) as { handled: number };
  assert.ok(handled <= 100);
  office.dead = false;
  endings.delete('item100');
  begin();
  await eventually(() => new Set(tried).size === 300);
  await shortPause();
  assert.equal(await checkpoint(), { activated: 0, handled: 300 });
  assert.equal(
    (await failures()).map(({ id, state }) => [id, state]),
    [
      ['item7', 'given_up'],
      ['item8', 'retrying'],
    ],
  );
  await office.close();
});

test('after the log was restored, failed items are forgotten together with all other state of the reactor', async () => {
  const { office, put, tried, fails, start: begin, failures } = start();
  fails('item', () => new IllegalState('It can not be done.'));
  put('item');
  const stop = begin();
  await eventually(() => tried.length === 1);
  await stop();
  await office.coordination.write(REACTORS_HALTED, 'The log main was restored.');
  begin();
  await shortPause();
  assert.is((await failures()).length, 1);
  assert.is(tried.length, 1);
  await resumeReactors(office.coordination, ['test']);
  await eventually(() => tried.length === 2);
  await office.close();
});

test.run();
