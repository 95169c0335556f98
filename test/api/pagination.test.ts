import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pagesOfStyleA, pagesOfStyleB } from '../../api/pagination.ts';
import type { Paging } from '../../queries/engine/listing.ts';

const test = suite('pagination');

const ITEMS = Array.from({ length: 45 }, (_, index) => ({ id: `item-${index + 1}` }));
const ask = async ({ page, size }: Paging) => ({
  items: ITEMS.slice((page - 1) * size, page * size),
  total: ITEMS.length,
});
const list = pagesOfStyleA({ key: 'incidents', size: 20 });

test('pagination style A contains page, size, totals and neighbours', async () => {
  const body = await list.body({}, ask);
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

test('pagination style B contains page, size, totals and neighbours under its own field names', async () => {
  const body = await pagesOfStyleB({ key: 'jobs', size: 50 }).body({ page: 3, per_page: 20 }, ask);
  assert.equal(body, {
    jobs: ITEMS.slice(40),
    pagination: { page: 3, per_page: 20, pages: 3, total: 45, has_next: false, has_prev: true },
  });
});

test('a page query returns the page with the requested number', async () => {
  const { incidents } = await list.body({ page: 2, page_size: 10 }, ask);
  assert.equal(incidents, ITEMS.slice(10, 20));
});

test('a page beyond the end is empty and has a previous page', async () => {
  for (const page of [4, 1_000_000_000]) {
    const { incidents, pagination } = await list.body({ page }, ask);
    assert.equal(incidents, []);
    assert.is((pagination as { has_next: boolean }).has_next, false);
    assert.is((pagination as { has_prev: boolean }).has_prev, true);
  }
});

test('an empty collection has no pages', async () => {
  assert.equal(await list.body({}, async () => ({ items: [], total: 0 })), {
    incidents: [],
    pagination: { page: 1, page_size: 20, total_pages: 0, total_items: 0, has_next: false, has_prev: false },
  });
});

test('each item of a page is presented', async () => {
  const body = await list.body({ page_size: 2 }, ask, ({ id }) => ({ shown: id }));
  assert.equal(body['incidents'], [{ shown: 'item-1' }, { shown: 'item-2' }]);
});

test.run();
