import type { Schemas } from '../../api/openapi.d.ts';

type Usage = Schemas['Usage'];

/** Pages of the organization, and how many its plan allows; null: as many as it likes. */
export type PageLimit = { used: number; limit: number } | null;

export const limitIn = ({ pages: { used, limit } }: Pick<Usage, 'pages'>): PageLimit =>
  limit === null ? null : { used, limit };

/** Whether no more pages can be created. */
export const isReached = (limit: PageLimit): boolean => limit !== null && limit.used >= limit.limit;
