import type { Generation, Query, Where } from '../port.ts';

/** A request to the list thread. */
export type ListRequest = { id: number; generation: Generation; collection: string } & (
  { kind: 'find'; query: Query } | { kind: 'count'; where: Where }
);

/** Its answer: documents as texts of JSON arrays, which cross between threads faster than objects. */
export type ListAnswer = { id: number } & (
  | { kind: 'found'; parts: string[] }
  | { kind: 'counted'; count: number }
  | { kind: 'missing' }
  | { kind: 'unavailable' | 'refused' | 'damaged'; message: string }
);

/** The start parameters of the list thread. */
export interface ListThreadData {
  directory: string;
}
