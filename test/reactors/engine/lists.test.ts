import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection } from '../../../projections/engine/fold/define.ts';
import { createReaders } from '../../../projections/engine/readers.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import { changeList, dueList } from '../../../reactors/engine/lists.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';

const test = suite('a to-do list');

interface Chore {
  id: string;
  due_at: string;
  changed_position: number;
}

const chores = defineProjection({
  name: 'chores',
  version: 1,
  log: 'main',
  collections: { chores: collection<Chore>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }) },
  documents: () => ({}),
  on: { LogMarked: () => undefined },
});

const chore = (id: string, day: number, position: number): Chore => ({
  id,
  due_at: `2026-11-0${day}T00:00:00.000000`,
  changed_position: position,
});

const start = async (...documents: Chore[]) => {
  const readStore = createMemoryReadStore();
  const generation = { projection: 'chores@1', number: 1 };
  await readStore.open(generation, chores.collections);
  const writes = documents.map((document) => ({ put: document }));
  await readStore.commit(generation, { chores: writes }, { log_id: 'log', position: 9n, event_id: null });
  const statuses = createStatuses([chores]);
  statuses.receive([{ ...statuses.of('chores'), generation: 1, position: 9n, state: 'live' }]);
  const coordination = createMemoryCoordination();
  const readers = createReaders({ readStore, statuses, coordination, timeout: 1_000 });
  return { reader: readers.for({ appended: new Map() })(chores).chores };
};

const ids = (documents: readonly Chore[]): string[] => documents.map(({ id }) => id);

test('a list returns items that changed after one position and up to another, oldest change first', async () => {
  const { reader } = await start(chore('a', 1, 3), chore('b', 1, 1), chore('c', 1, 2));
  const list = changeList(reader);
  assert.equal(ids(await list.changedBetween(1, 9, 10)), ['c', 'a']);
  assert.equal(ids(await list.changedBetween(0, 9, 2)), ['b', 'c']);
  assert.equal(ids(await list.changedBetween(0, 2, 10)), ['b', 'c']);
});

test('a list returns due items, earliest first, and the time when the next item is due', async () => {
  const { reader } = await start(chore('a', 3, 1), chore('b', 1, 2), chore('c', 2, 3), chore('d', 1, 4));
  const list = dueList(reader);
  const second = '2026-11-02T00:00:00.000000';
  assert.equal(ids(await list.due(null, second, 10)), ['b', 'd', 'c']);
  assert.equal(ids(await list.due(null, second, 2)), ['b', 'd']);
  assert.is(await list.next(null), '2026-11-01T00:00:00.000000');
  assert.is(await list.countDue(null, second), 3);
  assert.equal(ids(await list.find(['a', 'nothing', 'd'])).sort(), ['a', 'd']);
});

test('a list returns the items after a cursor, including further items that are due at the same instant', async () => {
  const { reader } = await start(chore('a', 3, 1), chore('b', 1, 2), chore('c', 2, 3), chore('d', 1, 4));
  const list = dueList(reader);
  const second = '2026-11-02T00:00:00.000000';
  const b = { due_at: '2026-11-01T00:00:00.000000', id: 'b' };
  assert.equal(ids(await list.due(b, second, 10)), ['d', 'c']);
  assert.equal(ids(await list.due(b, second, 1)), ['d']);
  assert.equal(ids(await list.due({ due_at: second, id: 'c' }, second, 10)), []);
  assert.is(await list.countDue(b, second), 2);
  assert.is(await list.next({ due_at: second, id: 'c' }), '2026-11-03T00:00:00.000000');
  assert.is(await list.next({ due_at: '2026-11-03T00:00:00.000000', id: 'a' }), null);
  assert.equal(ids(await list.changedBetween(1, 3, 10)), ['b', 'c']);
});

test.run();
