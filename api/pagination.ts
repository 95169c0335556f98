import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Instant } from '../domain/time.ts';
import { jsonArrayOf, type JsonParts } from '../http/json-parts.ts';
import type { Listing, LongList, Paging } from '../queries/engine/listing.ts';
import { instantIn } from './schema.ts';

/** Largest page (spec.md: Pagination). */
export const MAX_PAGE_SIZE = 100;

export const pageNumber = (options: { default?: number; description: string }) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options }));
const anyPage = pageNumber({ default: 1, description: 'from 1' });
export const size = (initial: number, largest = MAX_PAGE_SIZE) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: largest, default: initial }));
const amount = Type.Integer({ minimum: 0 });

/** Keeps the pages of a list the same while it grows at its top. */
export const createdUntil = (field: string) =>
  Type.Optional(
    instantIn({
      end: true,
      description:
        `only items whose \`${field}\` is not later. While items are added, each of them moves the others on by one: ` +
        `send the \`${field}\` of the first item of page 1 with all further pages, so that none repeats an item`,
    }),
  );

interface PageOptions {
  /** the fixed key of the array in the answer */
  key: string;
  /** size of a page when the request names none */
  size: number;
  /** the largest page, where that is not {@link MAX_PAGE_SIZE} */
  largest?: number;
  /** of a list that is newest first: the field that says how new an item is */
  newestBy?: string;
}

/** How a list is requested and answered: in one of the styles below. */
export interface ListStyle {
  /** parameters of the query, all optional */
  query: Record<string, TSchema>;
  answer: (item: TSchema) => TSchema;
  // A method, so styles with any parameters fit.
  body<T>(query: Readonly<Record<string, unknown>>, ask: Ask<T>, present?: Present<T>): Promise<unknown>;
}

export const PaginationA = Type.Object(
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

const PaginationWithTotal = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }),
    total: amount,
  },
  { title: 'PaginationWithTotal' },
);

/** Where a page stands in its list. */
export interface Place {
  page: number;
  size: number;
  pages: number;
  total: number;
}

/** `pagination` of style A. */
export const placeOfStyleA = ({ page, size: page_size, pages, total }: Place): Static<typeof PaginationA> => ({
  page,
  page_size,
  total_pages: pages,
  total_items: total,
  has_next: page < pages,
  has_prev: page > 1,
});

/** The place of a page in a list whose pages may be larger than others. */
const ofPagesUpTo = <P extends TSchema>(largest: number, pagination: P, size: string): P =>
  largest === MAX_PAGE_SIZE
    ? pagination
    : {
        ...pagination,
        title: `${String(pagination['title'])}UpTo${largest.toString()}`,
        properties: {
          ...(pagination['properties'] as object),
          [size]: Type.Integer({ minimum: 1, maximum: largest }),
        },
      };

/** Lists by pages whose size a parameter names, and whose place in the list is answered in a form of its own. */
const byPages =
  <N extends 'page_size' | 'per_page', P extends TSchema>(named: N, Pagination: P, shown: (at: Place) => Static<P>) =>
  ({ key, size: initial, largest = MAX_PAGE_SIZE, newestBy }: PageOptions) => ({
    query: {
      page: anyPage,
      [named]: size(initial, largest),
      ...(newestBy !== undefined && { created_until: createdUntil(newestBy) }),
    } as Record<'page' | N, typeof anyPage>,
    answer: <S extends TSchema>(item: S) =>
      Type.Object({ [key]: Type.Array(item), pagination: ofPagesUpTo(largest, Pagination, named) }),
    body: async <T>(
      query: { readonly page?: number } & { readonly [K in N]?: number },
      ask: Ask<T>,
      present: Present<T> = asItIs,
    ): Promise<Record<string, unknown>> => {
      const { page = 1, created_until: until } = query as { page?: number; created_until?: Instant };
      const paging: Paging = { page, size: query[named] ?? initial, ...(until !== undefined && { until }) };
      const { items, total, pages } = await onePage(paging, ask, present);
      return { [key]: items, pagination: shown({ ...paging, total, pages }) };
    },
  });

/**
 * One page of a collection, in pagination style A: `page`, `page_size` in, `{ [key]: […], pagination:
 * { page, page_size, total_pages, total_items, has_next, has_prev } }` out.
 *
 * ```ts
 * const list = pagesOfStyleA({ key: 'pages', size: 20 });
 * route({ query: Type.Object({ ...list.query }), answers: { 200: list.answer(Page) },
 *   handle: ({ query, scope }) => ok(() => list.body(query, (paging) => listPages(scope, paging), presentPage)) });
 * ```
 */
export const pagesOfStyleA = byPages('page_size', PaginationA, placeOfStyleA);

/** The same in style B: `page`, `per_page` in, `{ page, per_page, pages, total, has_next, has_prev }` out. */
export const pagesOfStyleB = byPages('per_page', PaginationB, ({ page, size: per_page, pages, total }) => ({
  page,
  per_page,
  pages,
  total,
  has_next: page < pages,
  has_prev: page > 1,
}));

/**
 * The same for reports: `page`, `page_size` in, `{ page, page_size, total }` out and no more (spec.md: Pagination,
 * Style A).
 */
export const pagesWithTotal = byPages('page_size', PaginationWithTotal, ({ page, size: page_size, total }) => ({
  page,
  page_size,
  total,
}));

/** A page that holds everything. */
const WHOLE: Paging = { page: 1, size: Number.MAX_SAFE_INTEGER };

/** A list that is always short, as an array (spec.md: Pagination, Not paginated). */
export const wholeList: ListStyle = {
  query: {},
  answer: (item) => Type.Array(item),
  body: async (_, ask, present = asItIs) => {
    const list = await ask(WHOLE);
    return 'each' in list ? partsOf(list, present) : (await shownPage(list, WHOLE, present)).items;
  },
};

/** Asks for one page of the list; one that has only one page may be long. */
type Ask<T> = (paging: Paging) => Promise<Listing<T> | LongList<T>>;

/** How one item of a page is shown. */
type Present<T> = (item: T) => unknown;
const asItIs = (item: unknown): unknown => item;

interface ShownPage {
  items: unknown[];
  total: number;
  pages: number;
}

const onePage = async <T>(paging: Paging, ask: Ask<T>, present: Present<T>): Promise<ShownPage> => {
  const list = await ask(paging);
  if ('each' in list) throw new TypeError('A list that has pages is not read as a whole.');
  return shownPage(list, paging, present);
};

const shownPage = async <T>(
  { items, total }: Listing<T>,
  { size }: Paging,
  present: Present<T>,
): Promise<ShownPage> => ({
  // A list may look something up for each of its items.
  items: await Promise.all(items.map(present)),
  total,
  pages: Math.ceil(total / size),
});

const partsOf = <T>({ each, version }: LongList<T>, present: Present<T>): JsonParts =>
  jsonArrayOf(async function* () {
    for await (const item of each()) yield await present(item);
  }, version);
