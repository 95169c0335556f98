import type { CollectionReader } from '../../projections/readers.ts';
import { changedPages } from '../engine/changed-pages.ts';
import { changeList, type ListItem } from '../engine/lists.ts';

const PAGE = 1_000;

/** Documents that changed after one position and up to another, page by page. */
export async function* changedDocuments<D extends ListItem>(
  reader: CollectionReader<D>,
  after: number,
  upTo: number,
): AsyncIterable<D[]> {
  for await (const { items } of changedPages(changeList(reader), after, upTo)) if (items.length > 0) yield items;
}

/** All documents of a collection that satisfy conditions, by id. */
export async function* pagesOf<D extends { id: string }>(
  reader: CollectionReader<D>,
  where: Parameters<CollectionReader<D>['count']>[0] = {},
): AsyncIterable<D[]> {
  for (let after: string | null = null; ;) {
    const page: D[] = await reader.find({
      where: { ...where, ...(after !== null && { id: { $gt: after } }) },
      sort: { id: 1 },
      limit: PAGE,
    });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? null;
  }
}
