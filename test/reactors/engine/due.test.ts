import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDueWork } from '../../../reactors/engine/due.ts';
import { retryItemAt, done as ended } from '../../../reactors/engine/item-result.ts';
import { isDueUpTo, type DueItem } from '../../../reactors/engine/lists.ts';
import { instantOf, millisecondsOf } from '../../../domain/time.ts';
import { ReadModelLate } from '../../../projections/readers.ts';
import { shortPause, createReactorHarness } from '../reactor-harness.ts';
import { eventually } from '../../waiting.ts';

const test = suite('a reactor on due items');

/** longest time for which a reactor waits, in milliseconds; longer than most tests need */
const LONGEST_MS = 86_400_000;

const start = () => {
  const office = createReactorHarness();
  const list = new Map<string, DueItem>();
  const done: string[] = [];
  const refused = new Set<string>();
  /** Items that stay on the list although they were handled. */
  const sticky = new Set<string>();
  /**
   * Items that are not due yet when they are first handled, each with the delay in milliseconds after which it is
   * retried.
   */
  const early = new Map<string, number>();
  /** Number of further reads of the list that fail, because the list lags behind the work done. */
  const late = { looks: 0 };
  const inOrder = () => [...list.values()].sort((a, b) => (isDueUpTo(a, b) ? -1 : 1));
  const work = (longest: number | null = LONGEST_MS) =>
    createDueWork<DueItem>(
      'test',
      office.todo,
      () => ({
        due: async (after, upTo, limit) => {
          if (late.looks-- > 0) throw new ReadModelLate('chores');
          return inOrder()
            .filter((chore) => !isDueUpTo(chore, after) && chore.due_at <= upTo)
            .slice(0, limit);
        },
        next: async (after) => inOrder().find((chore) => !isDueUpTo(chore, after))?.due_at ?? null,
        countDue: async (after, upTo) =>
          inOrder().filter((chore) => !isDueUpTo(chore, after) && chore.due_at <= upTo).length,
        changedBetween: async (after, upTo, limit) =>
          inOrder()
            .filter(({ changed_position: position }) => position > after && position <= upTo)
            .sort((a, b) => a.changed_position - b.changed_position)
            .slice(0, limit),
        find: async (ids) => inOrder().filter(({ id }) => ids.includes(id)),
      }),
      async ({ id }, { now }) => {
        if (refused.has(id)) throw new Error('refused');
        const wait = early.get(id);
        if (early.delete(id) && wait !== undefined) return retryItemAt(millisecondsOf(now) + wait);
        done.push(`${id} at ${now.slice(11, 19)}`);
        if (!sticky.has(id)) list.delete(id);
        return ended();
      },
      { longest },
    );
  /** Puts an item on the list that is due in `seconds`. */
  const add = (id: string, seconds: number, changed_position = (office.position ?? 0) + 1) => {
    list.set(id, { id, due_at: instantOf(office.now + seconds * 1_000), changed_position });
    office.position = Math.max(office.position ?? 0, changed_position);
  };
  return { office, work, done, refused, sticky, early, late, add };
};

test('due items are handled earliest first, including those that fell due while the service was down', async () => {
  const { office, work, done, add } = start();
  add('later', 60);
  add('missed', -3_600);
  add('now', 0);
  office.start(work());
  await eventually(() => done.length === 2);
  assert.equal(done, ['missed at 15:00:00', 'now at 15:00:00']);
  office.now += 60_000;
  office.move();
  await eventually(() => done.length === 3);
  assert.is(done[2], 'later at 15:01:00');
  await office.close();
});

test('a reactor waits for a lagging list as often as necessary, logs no wait, and skips no item', async () => {
  const { office, work, done, late, add } = start();
  late.looks = 20;
  add('put off', 2 * 86_400);
  add('now', 0);
  office.start(work());
  await eventually(() => {
    office.move();
    return late.looks < 0;
  });
  await eventually(() => done.length === 1);
  office.now += LONGEST_MS;
  office.move();
  await eventually(() => done.length === 2);
  assert.equal(done, ['now at 15:00:00', 'put off at 15:00:00']);
  assert.equal(office.logged, []);
  await office.close();
});

test('a reactor wakes when the next item is due', async () => {
  const { office, work, done, add } = start();
  const begun = Date.now();
  const now = office.now;
  Object.defineProperty(office, 'now', { get: () => now + Date.now() - begun });
  add('soon', 0.03);
  office.start(work());
  await eventually(() => done.length === 1);
  await office.close();
});

test('an item that turns out not to be due yet is retried later, and this is not logged as a failure', async () => {
  const { office, work, done, early, add } = start();
  early.set('early', 5_000);
  add('early', -2);
  add('good', -1);
  office.start(work());
  await eventually(() => done.length === 1);
  office.now += 4_999;
  office.move();
  await shortPause();
  assert.equal(done, ['good at 15:00:00']);
  office.now += 1;
  office.move();
  await eventually(() => done.length === 2);
  assert.is(done[1], 'early at 15:00:05');
  assert.equal(office.logged, []);
  await office.close();
});

test('an item that is due in two days because the clock was set back is handled after the longest wait', async () => {
  const { office, work, done, add } = start();
  office.start(work());
  await shortPause();
  add('put off', 2 * 86_400);
  office.now -= 60_000;
  office.move();
  await shortPause();
  assert.equal(done, []);
  office.now += LONGEST_MS;
  office.move();
  await eventually(() => done.length === 1);
  assert.equal(done, ['put off at 14:59:00']);
  await office.close();
});

test('an item that another process with a wrong clock has postponed by three days is handled after the longest wait, whatever else is on the list', async () => {
  const { office, work, done, add } = start();
  add('in its time', 20_000);
  office.start(work());
  await shortPause();
  add('put off', 3 * 86_400);
  office.move();
  await shortPause();
  office.now += 20_000_000;
  office.move();
  await eventually(() => done.length === 1);
  office.now += LONGEST_MS - 20_000_000;
  office.move();
  await eventually(() => done.length === 2);
  assert.equal(done, ['in its time at 20:33:20', 'put off at 15:00:00']);
  await office.close();
});

test('an item that a user has scheduled months ahead is not handled early, even when the clock is set back', async () => {
  const { office, work, done, add } = start();
  const quarter = 90 * 86_400;
  add('ahead', quarter);
  office.start(work(null));
  await shortPause();
  office.now -= 3_600_000;
  add('set later', quarter + 1);
  office.move();
  await shortPause();
  office.now += quarter * 1_000;
  office.move();
  await shortPause();
  assert.equal(done, []);
  office.now += 3_601_000;
  office.move();
  await eventually(() => done.length === 2);
  assert.equal(
    done.map((line) => line.split(' at ')[0]),
    ['set later', 'ahead'],
  );
  await office.close();
});

test('a reactor wakes for a postponed item after the longest wait', async () => {
  const { office, work, add } = start();
  add('in its time', 20_000);
  const chores = work();
  await chores.begin(office.shift());
  const round = async (): Promise<number | null> => (await chores.round(office.now)).next;
  const begun = office.now;
  assert.is(await round(), begun + 20_000_000);
  add('put off', 2 * 86_400);
  chores.written(false);
  assert.is(await round(), begun + 20_000_000);
  office.now = begun + 20_000_000;
  assert.is(await round(), begun + LONGEST_MS);
  await chores.idle();
  await office.close();
});

test('a reactor notices that the clock was set just after it has read the list', async () => {
  const { office, work, done, add } = start();
  add('later', 3_600);
  const chores = work();
  let isSet = false;
  office.start({
    ...chores,
    round: async (now) => {
      const found = await chores.round(now);
      if (!isSet) {
        setImmediate(() => {
          office.now += 3_600_000;
        });
      }
      isSet = true;
      return found;
    },
  });
  await eventually(() => done.length === 1);
  await office.close();
});

test('a failed item is retried immediately when the clock was set back', async () => {
  const { office, work, done, refused, add } = start();
  refused.add('bad');
  add('bad', -3 * 86_400);
  office.start(work());
  await eventually(() => office.logged.length === 1);
  refused.clear();
  office.now -= 2 * 86_400_000;
  office.move();
  await eventually(() => done.length === 1);
  await office.close();
});

test('a failed item is retried later, and does not stop other items', async () => {
  const { office, work, done, refused, add } = start();
  refused.add('bad');
  add('bad', -2);
  add('good', -1);
  office.start(work());
  await eventually(() => done.length === 1);
  await shortPause();
  assert.is(office.logged.length, 1);
  refused.clear();
  office.now += 1_000;
  office.move();
  await eventually(() => done.length === 2);
  assert.is(done[1], 'bad at 15:00:01');
  await office.close();
});

test('an item that stays on the list after it was handled counts as failed, and is not handled again endlessly', async () => {
  const { office, work, done, sticky, add } = start();
  sticky.add('stuck');
  add('stuck', -2);
  add('good', -1);
  office.start(work());
  await eventually(() => done.some((line) => line.startsWith('good')));
  await shortPause();
  assert.is(done.length, 2);
  assert.is(office.logged.length, 1);
  await office.close();
});

test('more failed items than fit into a page do not hide other items', async () => {
  const { office, work, done, refused, add } = start();
  for (let index = 0; index < 250; index++) {
    refused.add(`bad${index}`);
    add(`bad${index}`, -1_000 + index);
  }
  add('good', -1);
  office.start(work());
  await eventually(() => done.length === 1);
  await office.close();
});

test('the failure of an item is forgotten when another event removes the item from the list', async () => {
  const { office, work, done, refused, add } = start();
  refused.add('bad');
  add('bad', -1);
  office.start(work());
  await eventually(() => office.logged.length === 1);
  add('bad', 3_600);
  office.now += 1_000;
  office.move();
  await shortPause();
  refused.clear();
  office.now += 3_600_000;
  office.move();
  await eventually(() => done.length === 1);
  await office.close();
});

test('items from before the activation of a reactor are skipped if the reactor does not handle earlier items', async () => {
  const { office, work, done, add } = start();
  office.position = 5;
  add('early', -1, 5);
  office.start(work(), { countsEarlier: false });
  await shortPause();
  add('new', -1, 6);
  office.move();
  await eventually(() => done.length === 1);
  assert.equal(done, ['new at 15:00:00']);
  await office.close();
});

test.run();
