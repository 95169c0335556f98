import type { CheckTagDocument } from '../../projections/checks/documents.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import { readChangedPages } from '../engine/changed-pages.ts';
import { changeList, type ListItem } from '../engine/lists.ts';

const PAGE = 1_000;
/** Number of ids read in one query. Ids are read from an index, without their documents. */
const IDS = 5_000;

/** Yields pages of the documents that changed at positions above `after` and up to `upTo`. */
export async function* readChangedDocuments<D extends ListItem>(
  reader: CollectionReader<D>,
  after: number,
  upTo: number,
): AsyncIterable<D[]> {
  for await (const { items } of readChangedPages(changeList(reader), after, upTo)) if (items.length > 0) yield items;
}

/** Yields pages of all documents that match the conditions, ordered by id. */
export async function* readInPages<D extends { id: string }>(
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

/** Reads the ids of an organization's checks that have a tag. */
export const readIdsOfChecksWithTag = async (
  reader: CollectionReader<CheckTagDocument>,
  organization_id: string,
  tag: string,
): Promise<string[]> => {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await reader.pick(['check_id'], {
      where: { organization_id, tag, ...(after !== undefined && { check_id: { $gt: after } }) },
      sort: { check_id: 1 },
      limit: IDS,
    });
    ids.push(...page.map(({ check_id }) => check_id));
    if (page.length < IDS) return ids;
    after = page.at(-1)?.check_id;
  }
};
