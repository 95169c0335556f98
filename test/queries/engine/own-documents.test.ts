import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import type { CollectionReader } from '../../../projections/readers.ts';
import { containing, exactly, type Match } from '../../../queries/engine/filters.ts';
import { ownDocuments } from '../../../queries/engine/own-documents.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { Query } from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';

interface Ship {
  id: string;
  organization_id: string;
  name: string;
  flag: string | null;
  deleted_at?: string | null;
}

const ship = (id: string, more: Partial<Ship> = {}): Ship => ({
  id,
  organization_id: 'ours',
  name: id,
  flag: null,
  ...more,
});
const SHIPS = [
  ship('argo', { flag: 'greek' }),
  ship('cargo ship', { deleted_at: null }),
  ship('kon-tiki'),
  ship('nina', { organization_id: 'theirs', flag: 'greek' }),
  ship('titanic', { deleted_at: '1912-04-15T02:20:00.000000' }),
];

const test = suite('the documents of an organization');

const generation = { projection: 'ships@1', number: 1 };
const store = createMemoryReadStore();
await store.open(generation, { ships: { indexes: [] } });
const writes = { ships: SHIPS.map((document) => ({ put: document })) };
await store.commit(generation, writes, { log_id: 'log', position: 1n, event_id: null });
test.after(() => store.close());

const reader = {
  get: async (id: string) => (await store.get(generation, 'ships', [id]))[0] ?? null,
  find: (query: Query) => store.find(generation, 'ships', query),
  count: (where?: Query['where']) => store.count(generation, 'ships', where),
} as unknown as CollectionReader<Ship>;

/** A filter on the same field as `flag`. Selects documents by whether the field is set. */
const flagged: Match<boolean> = (_, has) => ({ flag: has ? { $ne: null } : null });

const own = ownDocuments(() => reader, 'ship', {
  sort: { name: -1 },
  where: { deleted_at: null },
  filters: { flag: exactly, name: containing, flagged },
});
const read = (): never => {
  throw new Error('Nothing else is read.');
};
const ours = { read, organizationId: 'ours' };

const listed = async (wanted: Parameters<typeof own.list>[1], page = 1, size = 100) => {
  const { items, total } = await own.list(ours, wanted, { page, size });
  return [items.map(({ id }) => id), total];
};

test("another organization's documents and deleted documents are not found", async () => {
  assert.is((await own.one(ours, 'argo')).id, 'argo');
  for (const id of ['nina', 'titanic', 'mayflower']) {
    await rejects(own.one(ours, id), NotFound, 'There is no such ship.');
    assert.is(await own.has(ours, id), false, id);
  }
  assert.is(await own.has(ours, 'kon-tiki'), true);
});

test('documents of an organization are listed in pages in the given order', async () => {
  assert.equal(await listed({}), [['kon-tiki', 'cargo ship', 'argo'], 3]);
  assert.equal(await listed({}, 2, 2), [['argo'], 3]);
});

test('a list of documents applies every given filter, including null', async () => {
  assert.equal(await listed({ name: 'ARGO' }), [['cargo ship', 'argo'], 2]);
  assert.equal(await listed({ name: 'argo', flag: null }), [['cargo ship'], 1]);
  assert.equal(await listed({ flag: 'greek' }), [['argo'], 1]);
  assert.equal(await listed({ flag: 'greek', flagged: true }), [['argo'], 1]);
  assert.equal(await listed({ flag: 'greek', flagged: false }), [[], 0]);
});

test('filters cannot make a query return documents of another organization', async () => {
  const hostile = { flag: 'greek', organization_id: 'theirs', deleted_at: '1912-04-15T02:20:00.000000' };
  assert.equal(await listed(hostile), [['argo'], 1]);
});

test.run();
