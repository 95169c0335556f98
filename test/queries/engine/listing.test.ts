import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { joinItems, readListing } from '../../../queries/engine/listing.ts';
import type { Query } from '../../../stores/read-store/port.ts';

const test = suite('paginated lists');

const DOCUMENTS = Array.from({ length: 45 }, (_, index) => ({ id: `document-${index + 1}` }));
const queries: Query[] = [];
const reader = {
  find: async (query: Query) => {
    queries.push(query);
    return DOCUMENTS.slice(query.skip, (query.skip ?? 0) + (query.limit ?? 0));
  },
  count: async () => DOCUMENTS.length,
};
const select = { where: { page_id: 'page' }, sort: { created_at: -1 } as const };

test.before.each(() => {
  queries.length = 0;
});

test('the condition, the order and the offset of a page are passed to the store', async () => {
  assert.equal(await readListing(reader, select, { page: 3, size: 20 }), { items: DOCUMENTS.slice(40), total: 45 });
  assert.equal(queries, [{ ...select, skip: 40, limit: 20 }]);
});

test('a page beyond the end of a list is empty', async () => {
  for (const page of [4, 1_000_000_000, Number.MAX_SAFE_INTEGER, 1e300]) {
    assert.equal(await readListing(reader, select, { page, size: 20 }), { items: [], total: 45 });
  }
  assert.ok(queries.every(({ skip = 0 }) => Number.isSafeInteger(skip)));
});

test('related objects are read once for all items of a page', async () => {
  const found = await readListing(reader, select, { page: 1, size: 2 });
  let lookups = 0;
  const shown = await joinItems(found, async (items) => {
    lookups += 1;
    const places = new Map(items.map(({ id }, index) => [id, index]));
    return async ({ id }) => ({ shown: id, place: places.get(id) });
  });
  assert.equal(shown, {
    items: [
      { shown: 'document-1', place: 0 },
      { shown: 'document-2', place: 1 },
    ],
    total: 45,
  });
  assert.is(lookups, 1);
});

test.run();
