import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Instant } from '../domain/time.ts';
import { jsonArrayOf, type StreamedJson } from '../http/streamed-json.ts';
import type { Listing, LongList, Paging } from '../queries/engine/listing.ts';
import { instantIn } from './schema.ts';

/** Maximum number of items in a page (docs/reference/requests.md#pagination). */
export const MAX_PAGE_SIZE = 100;

export const pageParameter = (options: { default?: number; description: string }) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options }));
const anyPage = pageParameter({ default: 1, description: 'Counted from 1.' });
export const pageSizeParameter = (initial: number, largest = MAX_PAGE_SIZE) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: largest, default: initial }));
const amount = Type.Integer({ minimum: 0 });

/**
 * Creates a parameter that excludes items created after a given time, so that pages do not shift when items are added
 * to the list.
 */
export const createdUntilParameter = (field: string) =>
  Type.Optional(
    instantIn({
      end: true,
      description:
        `Only items whose \`${field}\` is not later. New items shift the pages of a list: to avoid duplicates, send the ` +
        `\`${field}\` of the first item on page 1 with all further pages.`,
    }),
  );

interface PageOptions {
  /** key of the array in the response */
  key: string;
  /** default page size */
  size: number;
  /** maximum page size; default: {@link MAX_PAGE_SIZE} */
  largest?: number;
  /** Name of the time field that the list is sorted by, newest first. Absent for lists with another order. */
  newestBy?: string;
}

/** The query parameters and response format of a list. */
export interface ListStyle {
  /** parameters of the query, all optional */
  query: Record<string, TSchema>;
  answer: (item: TSchema) => TSchema;
  // This is a method, so that styles with different query parameters are assignable to the interface.
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

/** The position of a page in its list. */
export interface PageInfo {
  page: number;
  size: number;
  pages: number;
  total: number;
}

/** Returns the value of `pagination` in style A. */
export const paginationOfStyleA = ({ page, size: page_size, pages, total }: PageInfo): Static<typeof PaginationA> => ({
  page,
  page_size,
  total_pages: pages,
  total_items: total,
  has_next: page < pages,
  has_prev: page > 1,
});

/** Adapts the schema of a pagination object to a larger maximum page size. */
const ofPagesUpTo = <P extends TSchema>(largest: number, pagination: P, size: string): P =>
  largest === MAX_PAGE_SIZE
    ? pagination
    : {
        ...pagination,
        title: `${String(pagination['title'])}UpTo${largest}`,
        properties: {
          ...(pagination['properties'] as object),
          [size]: Type.Integer({ minimum: 1, maximum: largest }),
        },
      };

/** Creates a pagination style from the name of the size parameter and the form of the pagination object. */
const byPages =
  <N extends 'page_size' | 'per_page', P extends TSchema>(
    sizeParameter: N,
    Pagination: P,
    shown: (at: PageInfo) => Static<P>,
  ) =>
  ({ key, size: initial, largest = MAX_PAGE_SIZE, newestBy }: PageOptions) => ({
    query: {
      page: anyPage,
      [sizeParameter]: pageSizeParameter(initial, largest),
      ...(newestBy !== undefined && { created_until: createdUntilParameter(newestBy) }),
    } as Record<'page' | N, typeof anyPage>,
    answer: <S extends TSchema>(item: S) =>
      Type.Object({ [key]: Type.Array(item), pagination: ofPagesUpTo(largest, Pagination, sizeParameter) }),
    body: async <T>(
      query: { readonly page?: number } & { readonly [K in N]?: number },
      ask: Ask<T>,
      present: Present<T> = asItIs,
    ): Promise<Record<string, unknown>> => {
      const { page = 1, created_until: until } = query as { page?: number; created_until?: Instant };
      const paging: Paging = { page, size: query[sizeParameter] ?? initial, ...(until !== undefined && { until }) };
      const { items, total, pages } = await onePage(paging, ask, present);
      return { [key]: items, pagination: shown({ ...paging, total, pages }) };
    },
  });

/**
 * Pagination style A. Query: `page`, `page_size`. Response: `{ [key]: […], pagination: { page, page_size, total_pages,
 * total_items, has_next, has_prev } }`.
 *
 * ```ts
 * const list = pagesOfStyleA({ key: 'pages', size: 20 });
 * route({ query: Type.Object({ ...list.query }), responses: { 200: list.answer(Page) },
 *   handle: ({ query, scope }) => ok(() => list.body(query, (paging) => listPages(scope, paging), presentPage)) });
 * ```
 */
export const pagesOfStyleA = byPages('page_size', PaginationA, paginationOfStyleA);

/**
 * Pagination style B. Query: `page`, `per_page`. Pagination: `{ page, per_page, pages, total, has_next, has_prev }`.
 */
export const pagesOfStyleB = byPages('per_page', PaginationB, ({ page, size: per_page, pages, total }) => ({
  page,
  per_page,
  pages,
  total,
  has_next: page < pages,
  has_prev: page > 1,
}));

/**
 * Pagination style of reports. Query: `page`, `page_size`. Pagination: `{ page, page_size, total }`
 * (docs/reference/requests.md#pagination).
 */
export const pagesWithTotal = byPages('page_size', PaginationWithTotal, ({ page, size: page_size, total }) => ({
  page,
  page_size,
  total,
}));

/** A page with all items. */
const WHOLE: Paging = { page: 1, size: Number.MAX_SAFE_INTEGER };

/** A list without pages, as an array (docs/reference/requests.md#whole-lists). */
export const unpaginated: ListStyle = {
  query: {},
  answer: (item) => Type.Array(item),
  body: async (_, ask, present = asItIs) => {
    const list = await ask(WHOLE);
    return 'each' in list ? partsOf(list, present) : (await shownPage(list, WHOLE, present)).items;
  },
};

/** Reads one page of the list. An unpaginated list can be returned as a {@link LongList}. */
type Ask<T> = (paging: Paging) => Promise<Listing<T> | LongList<T>>;

/** Converts an item to its form in the response. */
type Present<T> = (item: T) => unknown;
const asItIs = (item: unknown): unknown => item;

interface ShownPage {
  items: unknown[];
  total: number;
  pages: number;
}

const onePage = async <T>(paging: Paging, ask: Ask<T>, present: Present<T>): Promise<ShownPage> => {
  const list = await ask(paging);
  if ('each' in list) throw new TypeError('A list with pages cannot be read as a whole.');
  return shownPage(list, paging, present);
};

const shownPage = async <T>(
  { items, total }: Listing<T>,
  { size }: Paging,
  present: Present<T>,
): Promise<ShownPage> => ({
  // `present` can be asynchronous, because it may look something up for each item.
  items: await Promise.all(items.map(present)),
  total,
  pages: Math.ceil(total / size),
});

const partsOf = <T>({ each, version }: LongList<T>, present: Present<T>): StreamedJson =>
  jsonArrayOf(async function* () {
    for await (const item of each()) yield await present(item);
  }, version);
