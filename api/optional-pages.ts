import { Type, type TSchema } from '@sinclair/typebox';
import type { Instant } from '../domain/time.ts';
import type { Paging } from '../queries/engine/listing.ts';
import { createdUntil, PaginationA, pageNumber, placeOfStyleA, size } from './pagination.ts';

interface OptionalPages {
  /** the fixed key of the array in the answer of a page */
  key: string;
  /** items on a page when the request names no size */
  size: number;
}

/** The query parameters that ask for a page. */
interface PageQuery {
  page?: number;
  page_size?: number;
  created_until?: Instant;
}

/**
 * A list, newest first, that is answered as one array, as it was before it had pages, unless the request has one of
 * `page`, `page_size` and `created_until`: then as a page in pagination style A (api/pagination.ts).
 */
export const optionalPages = ({ key, size: initial }: OptionalPages) => ({
  query: {
    page: pageNumber({
      description: `from 1; with it, or one of the next two, the answer is \`{ ${key}, pagination }\` instead of an array of all`,
    }),
    page_size: size(initial),
    created_until: createdUntil('created_at'),
  },

  answer: (item: TSchema) =>
    Type.Union([Type.Array(item), Type.Object({ [key]: Type.Array(item), pagination: PaginationA })]),

  /** The page that a request asks for; null: the whole list. */
  asked: ({ page, page_size, created_until: until }: PageQuery): Paging | null =>
    page === undefined && page_size === undefined && until === undefined
      ? null
      : { page: page ?? 1, size: page_size ?? initial, ...(until !== undefined && { until }) },

  /** The beginning of the body of a page, up to its items, and the end. */
  around: (paging: Paging, total: number): { beginning: string; end: string } => {
    const pagination = placeOfStyleA({ ...paging, total, pages: Math.ceil(total / paging.size) });
    return { beginning: `{${JSON.stringify(key)}:`, end: `,"pagination":${JSON.stringify(pagination)}}` };
  },
});
