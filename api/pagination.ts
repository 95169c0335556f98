import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { CollectionReader } from '../projections/readers.ts';
import type { Document, Query } from '../stores/read-store/port.ts';

/** Largest page (spec.md: Pagination). */
export const MAX_PAGE_SIZE = 100;

const pageNumber = Type.Optional(
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'from 1' }),
);
const size = (initial: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: initial }));
const amount = Type.Integer({ minimum: 0 });

export interface Paging {
  /** the fixed key of the array in the answer */
  key: string;
  /** size of a page when the request names none */
  size: number;
}

type Select = Pick<Query, 'where' | 'sort'>;

/**
 * One page of a collection, in pagination style A: `page`, `page_size` in, `{ [key]: […], pagination:
 * { page, page_size, total_pages, total_items, has_next, has_prev } }` out.
 *
 * ```ts
 * const list = pagesOfStyleA({ key: 'pages', size: 20 });
 * route({ query: Type.Object({ ...list.query }), answers: { 200: list.answer(Page) },
 *   handle: ({ query, read }) => ok(() => list.body(read(pages).pages, { where, sort }, query, presentPage)) });
 * ```
 */
export const pagesOfStyleA = ({ key, size: initial }: Paging) => ({
  query: { page: pageNumber, page_size: size(initial) },
  answer: <S extends TSchema>(item: S) => Type.Object({ [key]: Type.Array(item), pagination: PaginationA }),
  body: async <D extends Document>(
    reader: Pick<CollectionReader<D>, 'find' | 'count'>,
    select: Select,
    query: { page?: number; page_size?: number },
    present: Present<D> = asItIs,
  ): Promise<Record<string, unknown>> => {
    const { page = 1, page_size = initial } = query;
    const { items, total, pages } = await onePage(reader, select, page, page_size, present);
    const pagination: Static<typeof PaginationA> = {
      page,
      page_size,
      total_pages: pages,
      total_items: total,
      has_next: page < pages,
      has_prev: page > 1,
    };
    return { [key]: items, pagination };
  },
});

/** The same in pagination style B: `page`, `per_page` in, `{ page, per_page, pages, total, has_next, has_prev }` out. */
export const pagesOfStyleB = ({ key, size: initial }: Paging) => ({
  query: { page: pageNumber, per_page: size(initial) },
  answer: <S extends TSchema>(item: S) => Type.Object({ [key]: Type.Array(item), pagination: PaginationB }),
  body: async <D extends Document>(
    reader: Pick<CollectionReader<D>, 'find' | 'count'>,
    select: Select,
    query: { page?: number; per_page?: number },
    present: Present<D> = asItIs,
  ): Promise<Record<string, unknown>> => {
    const { page = 1, per_page = initial } = query;
    const { items, total, pages } = await onePage(reader, select, page, per_page, present);
    const pagination: Static<typeof PaginationB> = {
      page,
      per_page,
      pages,
      total,
      has_next: page < pages,
      has_prev: page > 1,
    };
    return { [key]: items, pagination };
  },
});

/** How one document of a page is shown; may look further ones up. */
type Present<D> = (document: D) => unknown;
const asItIs = (document: unknown): unknown => document;

const onePage = async <D extends Document>(
  reader: Pick<CollectionReader<D>, 'find' | 'count'>,
  select: Select,
  page: number,
  pageSize: number,
  present: Present<D>,
): Promise<{ items: unknown[]; total: number; pages: number }> => {
  const skip = (page - 1) * pageSize;
  const [documents, total] = await Promise.all([
    // No collection reaches that far, and no store can count so far.
    Number.isSafeInteger(skip) ? reader.find({ ...select, skip, limit: pageSize }) : [],
    reader.count(select.where),
  ]);
  const items = await Promise.all(documents.map(present));
  return { items, total, pages: Math.ceil(total / pageSize) };
};

const PaginationA = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }),
    total_pages: amount,
    total_items: amount,
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
  },
  { title: 'Pagination' },
);

const PaginationB = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    per_page: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }),
    pages: amount,
    total: amount,
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
  },
  { title: 'PaginationByPerPage' },
);
