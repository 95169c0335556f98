import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pagesOfStyleA, pagesOfStyleB } from '../../api/pagination.ts';
import type { Query } from '../../stores/read-store/port.ts';

const test = suite('lists are read page by page');

const DOCUMENTS = Array.from({ length: 45 }, (_, index) => ({ id: `document-${index + 1}` }));
const asked: Query[] = [];
const reader = {
  find: async (query: Query) => {
    asked.push(query);
    return DOCUMENTS.slice(query.skip, (query.skip ?? 0) + (query.limit ?? 0));
  },
  count: async () => DOCUMENTS.length,
};
const select = { where: { page_id: 'page' }, sort: { created_at: -1 } as const };
const list = pagesOfStyleA({ key: 'incidents', size: 20 });

test('style A tells page, size, totals and neighbours', async () => {
  const body = await list.body(reader, select, {});
  assert.is((body['incidents'] as unknown[]).length, 20);
  assert.equal(body['pagination'], {
    page: 1,
    page_size: 20,
    total_pages: 3,
    total_items: 45,
    has_next: true,
    has_prev: false,
  });
});

test('style B tells the same in its own words', async () => {
  const body = await pagesOfStyleB({ key: 'jobs', size: 50 }).body(reader, select, { page: 3, per_page: 20 });
  assert.equal(body, {
    jobs: DOCUMENTS.slice(40),
    pagination: { page: 3, per_page: 20, pages: 3, total: 45, has_next: false, has_prev: true },
  });
});

test('the condition and the order are handed on, with the place of the page', async () => {
  asked.length = 0;
  await list.body(reader, select, { page: 2, page_size: 10 });
  assert.equal(asked, [{ ...select, skip: 10, limit: 10 }]);
});

test('a page beyond the end is empty, and has earlier ones', async () => {
  for (const page of [4, 1_000_000_000, Number.MAX_SAFE_INTEGER, 1e300]) {
    const { incidents, pagination } = await list.body(reader, select, { page });
    assert.equal(incidents, []);
    assert.is((pagination as { has_next: boolean }).has_next, false);
    assert.is((pagination as { has_prev: boolean }).has_prev, true);
  }
  assert.ok(asked.every(({ skip = 0 }) => Number.isSafeInteger(skip)));
});

test('an empty collection has no pages', async () => {
  const empty = { find: async () => [], count: async () => 0 };
  assert.equal(await list.body(empty, select, {}), {
    incidents: [],
    pagination: { page: 1, page_size: 20, total_pages: 0, total_items: 0, has_next: false, has_prev: false },
  });
});

test('each item is presented, even one that has to look something up', async () => {
  const body = await list.body(reader, select, { page_size: 2 }, async ({ id }) => ({ shown: id }));
  assert.equal(body['incidents'], [{ shown: 'document-1' }, { shown: 'document-2' }]);
});

test.run();
