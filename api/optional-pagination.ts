import { Type, type TSchema } from '@sinclair/typebox';
import type { Instant } from '../domain/time.ts';
import type { Paging } from '../queries/engine/listing.ts';
import {
  createdUntilParameter,
  PaginationA,
  pageParameter,
  paginationOfStyleA,
  pageSizeParameter,
} from './pagination.ts';

interface OptionalPages {
  /** name of the property that contains the items when the response is paginated */
  key: string;
  /** default page size */
  size: number;
}

/** Query parameters that request a page. */
interface PageQuery {
  page?: number;
  page_size?: number;
  created_until?: Instant;
}

/**
 * Creates a list that is paginated on request. If the request has `page`, `page_size` or `created_until`, the response
 * is a page in pagination style A (api/pagination.ts). Otherwise the response is an array of all items, as older
 * clients expect.
 */
export const optionalPages = ({ key, size: initial }: OptionalPages) => ({
  query: {
    page: pageParameter({
      description: `Counted from 1. With \`page\`, \`page_size\` or \`created_until\` the response is \`{ ${key}, pagination }\` instead of an array of all items.`,
    }),
    page_size: pageSizeParameter(initial),
    created_until: createdUntilParameter('created_at'),
  },

  answer: (item: TSchema) =>
    Type.Union([Type.Array(item), Type.Object({ [key]: Type.Array(item), pagination: PaginationA })]),

  /** Returns the requested page, or null if the request asks for the whole list. */
  pagingOf: ({ page, page_size, created_until: until }: PageQuery): Paging | null =>
    page === undefined && page_size === undefined && until === undefined
      ? null
      : { page: page ?? 1, size: page_size ?? initial, ...(until !== undefined && { until }) },

  /** Returns the parts of the body before and after the array of items. */
  around: (paging: Paging, total: number): { beginning: string; end: string } => {
    const pagination = paginationOfStyleA({ ...paging, total, pages: Math.ceil(total / paging.size) });
    return { beginning: `{${JSON.stringify(key)}:`, end: `,"pagination":${JSON.stringify(pagination)}}` };
  },
});
