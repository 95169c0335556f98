import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChangeWork } from '../../../reactors/engine/changes.ts';
import { resumeReactors } from '../../../reactors/engine/checkpoint.ts';
import { done as ended } from '../../../reactors/engine/item-result.ts';
import type { ChangeList, ListItem } from '../../../reactors/engine/lists.ts';
import { REACTORS_HALTED } from '../../../stores/coordination/port.ts';
import { shortPause, createReactorHarness } from '../reactor-harness.ts';
import { eventually } from '../../waiting.ts';

const test = suite('a reactor on changes');

const start = () => {
  const office = createReactorHarness();
  const items = new Map<string, ListItem>();
  const done: string[] = [];
  const tried: string[] = [];
  const refused = new Set<string>();
  /** Puts an item on the list, or changes it. */
  const change = (id: string, changed_position: number) => {
    items.set(id, { id, changed_position });
    office.position = Math.max(office.position ?? 0, changed_position);
  };
  const list: ChangeList<ListItem> = {
    changedBetween: async (after, upTo, limit) =>
      [...items.values()]
        .filter(({ changed_position: position }) => position > after && position <= upTo)
        .sort((a, b) => a.changed_position - b.changed_position)
        .slice(0, limit),
    find: async (ids) => [...items.values()].filter(({ id }) => ids.includes(id)),
    countAfter: async (position) => [...items.values()].filter((item) => item.changed_position > position).length,
  };
  const work = () =>
    createChangeWork<ListItem>('test', office.todo, list, async ({ id, changed_position }) => {
      tried.push(id);
      if (refused.has(id)) throw new Error('refused');
      done.push(`${id}@${changed_position}`);
      return ended();
    });
  const remembered = async () => JSON.parse((await office.coordination.read('reactor:test')) ?? 'null') as unknown;
  return { office, change, list, work, done, tried, refused, remembered };
};

test('changed items are handled in the order of their changes, and again after another change', async () => {
  const { office, change, work, done } = start();
  change('b', 2);
  change('a', 1);
  office.start(work());
  await eventually(() => done.length === 2);
  change('a', 3);
  office.move();
  await eventually(() => done.length === 3);
  assert.equal(done, ['a@1', 'b@2', 'a@3']);
  await office.close();
});

test('a restarted reactor resumes where it stopped', async () => {
  const { office, change, work, done, remembered } = start();
  change('a', 1);
  const stop = office.start(work());
  await eventually(() => done.length === 1);
  await stop();
  assert.equal(await remembered(), { activated: 0, handled: 1 });
  change('b', 2);
  office.start(work());
  await eventually(() => done.length === 2);
  assert.equal(done, ['a@1', 'b@2']);
  await office.close();
});

test('a change that appears on the list after a later change is not skipped', async () => {
  const { office, change, work, done, remembered } = start();
  change('first', 1);
  office.start(work());
  await eventually(() => done.length === 1);
  // Documents that are committed together appear on the list one after another. The new folded position is reported
  // only after all of them have appeared.
  office.folded = 1;
  change('third', 3);
  office.move();
  await shortPause();
  change('second', 2);
  office.folded = 3;
  office.move();
  await eventually(() => done.length === 3);
  assert.equal(done, ['first@1', 'second@2', 'third@3']);
  await office.close();
  assert.equal(await remembered(), { activated: 0, handled: 3 });
});

test('items from before the activation of a reactor are skipped if the reactor does not handle earlier items', async () => {
  const { office, change, work, done, remembered } = start();
  change('a', 5);
  const stop = office.start(work(), { countsEarlier: false });
  await shortPause();
  assert.equal(await remembered(), { activated: 5, handled: 5 });
  await stop();
  change('b', 6);
  office.start(work(), { countsEarlier: false });
  await eventually(() => done.length === 1);
  assert.equal(done, ['b@6']);
  await office.close();
});

test('a reactor is activated when its list has reached the head of the log', async () => {
  const { office, change, work, done, remembered } = start();
  change('a', 5);
  office.position = null;
  office.start(work(), { countsEarlier: false });
  await shortPause();
  assert.is(await remembered(), null);
  change('b', 7);
  office.move();
  await shortPause();
  assert.equal(await remembered(), { activated: 7, handled: 7 });
  assert.equal(done, []);
  await office.close();
});

test('a failed item is retried later, and does not stop other items', async () => {
  const { office, change, work, done, tried, refused, remembered } = start();
  refused.add('bad');
  change('bad', 1);
  change('good', 2);
  const stop = office.start(work());
  await eventually(() => done.length === 1);
  assert.equal(done, ['good@2']);
  assert.ok(office.logged.some((line) => line.startsWith('error')));
  office.now += 1_000;
  office.move();
  await eventually(() => tried.length === 3);
  await shortPause();
  assert.is(office.logged.length, 1, 'a repeated failure of the same kind is logged once');
  refused.clear();
  office.now += 1_000;
  office.move();
  await shortPause();
  assert.equal(done, ['good@2'], 'the second pause is longer than the first');
  office.now += 1_000;
  office.move();
  await eventually(() => done.length === 2);
  await stop();
  assert.equal(await remembered(), { activated: 0, handled: 2 });
});

test('a failed item survives a restart', async () => {
  const { office, change, work, done, refused, remembered } = start();
  refused.add('bad');
  change('bad', 1);
  change('good', 2);
  const stop = office.start(work());
  await eventually(() => done.length === 1);
  await stop();
  assert.equal(await remembered(), { activated: 0, handled: 2 });
  refused.clear();
  office.start(work());
  await shortPause();
  assert.equal(done, ['good@2'], 'the pause of a failed item survives a restart, and no other item is repeated');
  office.now += 1_000;
  office.move();
  await eventually(() => done.includes('bad@1'));
  await eventually(() => office.logged.length === 1);
  assert.equal(await office.coordination.failedItems.page('test', { after: null, limit: 10 }), []);
  assert.equal(done, ['good@2', 'bad@1']);
  await office.close();
});

test('all of the many items that one event has changed are handled', async () => {
  const { office, change, work, done } = start();
  change('first', 1);
  for (let index = 0; index < 1_350; index++) change(`item${index}`, 2);
  change('last', 3);
  office.start(work());
  await eventually(() => done.includes('last@3'));
  assert.is(new Set(done).size, 1_352);
  assert.is(done.length, 1_352);
  await office.close();
});

test('many items run concurrently, and an item that changes while it is being handled is handled again after that, and not at the same time', async () => {
  const { office, change, list } = start();
  const under = new Set<string>();
  const finish = new Map<string, () => void>();
  const done: string[] = [];
  for (let index = 0; index < 1_000; index++) change(`item${index}`, index + 1);
  office.start(
    createChangeWork<ListItem>('test', office.todo, list, async ({ id, changed_position }) => {
      assert.not.ok(under.has(id), `${id} is done twice at once`);
      under.add(id);
      await new Promise<void>((resolve) => finish.set(id, resolve));
      under.delete(id);
      done.push(`${id}@${changed_position}`);
      return ended();
    }),
  );
  await eventually(() => under.size > 10);
  change('item3', 1_001);
  office.move();
  let most = 0;
  await eventually(() => {
    most = Math.max(most, under.size);
    for (const [id, end] of finish) {
      finish.delete(id);
      end();
    }
    return done.includes('item3@1001');
  });
  assert.ok(most <= 100, 'items do not all run at the same time');
  assert.is(done.length, 1_001);
  assert.ok(done.indexOf('item3@4') < done.indexOf('item3@1001'));
  await office.close();
});

test('after a restart, all items that one event has changed are read again', async () => {
  const { office, change, list, remembered } = start();
  change('before', 1);
  for (let index = 0; index < 200; index++) change(`item${index}`, 2);
  const begun: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = office.start(
    createChangeWork<ListItem>('test', office.todo, list, async ({ id }) => {
      begun.push(id);
      await finished;
      return ended();
    }),
  );
  await eventually(() => begun.length > 1);
  const stopped = stop();
  finish();
  await stopped;
  assert.ok(begun.length < 201);
  assert.equal(await remembered(), { activated: 0, handled: 1 });
});

test('halted reactors do nothing, and start from the beginning of the list after they are resumed', async () => {
  const { office, change, work, done, remembered } = start();
  await office.coordination.write('reactor:test', JSON.stringify({ activated: 0, handled: 1_000 }));
  await office.coordination.write(REACTORS_HALTED, 'The log main was restored.');
  change('a', 1);
  office.start(work());
  await shortPause();
  assert.equal(done, []);
  assert.equal(office.logged, ['warn: The reactor test is halted. Run `uptrail reactors resume`.']);
  await resumeReactors(office.coordination, ['test']);
  await eventually(() => done.length === 1);
  assert.equal(await remembered(), { activated: 0, handled: 1 });
  await office.close();
});

const halted = async (reason = 'The log main was restored.') => {
  const begun = start();
  await begun.office.coordination.write('reactor:test', JSON.stringify({ activated: 1, handled: 1_000 }));
  await begun.office.coordination.write(REACTORS_HALTED, reason);
  return begun;
};

test('a resumed reactor handles only the items that arrived after it had been halted', async () => {
  const { office, change, work, done, remembered } = await halted();
  change('a', 5);
  const stop = office.start(work(), { countsEarlier: false });
  await shortPause();
  change('b', 6);
  await stop();
  office.start(work(), { countsEarlier: false });
  await shortPause();
  change('c', 7);
  assert.equal(done, []);
  await resumeReactors(office.coordination, ['test']);
  await eventually(() => done.length === 2);
  assert.equal(done, ['b@6', 'c@7']);
  assert.equal(await remembered(), { activated: 5, handled: 7 });
  await office.close();
});

test('a resumed reactor handles only items newer than the end of the restored log; after several restores, the newest restore counts', async () => {
  const { office, change, work, done } = await halted();
  // The list is still in its state from before the restore.
  office.position = 900;
  office.start(work(), { countsEarlier: false });
  const noted = (what: string) =>
    eventually(async () => (await office.coordination.read('reactor-halted:test'))?.includes(what));
  await noted('"position":900');
  office.position = null;
  await shortPause();
  change('a', 5);
  await noted('"position":5');
  change('b', 6);
  await shortPause();
  await office.coordination.write(REACTORS_HALTED, 'The log main was restored once more.');
  await noted('once more');
  change('c', 7);
  await resumeReactors(office.coordination, ['test']);
  await eventually(() => done.length === 1);
  assert.equal(done, ['c@7']);
  await office.close();
});

test('a reactor waits while a store does not respond, and then resumes', async () => {
  const { office, change, work, done } = start();
  change('a', 1);
  const list = work();
  let failures = 3;
  office.start({
    ...list,
    round: async (...input) => {
      if (failures-- > 0) throw new Error('The store does not answer.');
      return list.round(...input);
    },
  });
  await eventually(() => done.length === 1);
  assert.is(office.logged.length, 3);
  await office.close();
});

test('a reactor stops when it loses its lease, and works again under the next lease', async () => {
  const { office, change, work, done } = start();
  change('a', 1);
  const losing = new AbortController();
  let leases = 0;
  const acquire = office.coordination.acquire.bind(office.coordination);
  office.coordination.acquire = async (name, signal) => {
    const lease = await acquire(name, signal);
    return leases++ === 0 ? { ...lease, lost: losing.signal } : lease;
  };
  office.start(work());
  await eventually(() => done.length === 1);
  losing.abort();
  await eventually(() => leases === 2);
  change('b', 2);
  office.move();
  await eventually(() => done.length === 2);
  assert.equal(done, ['a@1', 'b@2']);
  await office.close();
});

test.run();
