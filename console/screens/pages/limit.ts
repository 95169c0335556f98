import type { Schemas } from '../../api/openapi.d.ts';

type Usage = Schemas['Usage'];

/** The number of pages and the plan's limit; null: the number is unlimited. */
export type PageLimit = { used: number; limit: number } | null;

export const limitIn = ({ pages: { used, limit } }: Pick<Usage, 'pages'>): PageLimit =>
  limit === null ? null : { used, limit };

/** Returns whether no more pages can be created. */
export const isReached = (limit: PageLimit): boolean => limit !== null && limit.used >= limit.limit;
