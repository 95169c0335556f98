import type { Generation, Query, Where } from '../port.ts';

/**
 * A request to the list thread. `of` is the id of the `find` whose next part is requested, or whose rest is no longer
 * needed.
 */
export type ListRequest = { id: number; generation: Generation } & (
  | { kind: 'find'; collection: string; query: Query }
  | { kind: 'next' | 'leave'; of: number }
  | { kind: 'count'; collection: string; where: Where }
);

/** The response: documents as texts of JSON arrays, which cross between threads faster than objects. */
export type ListResponse = { id: number } &
  /** `more`: the rest must be requested part by part, so that other requests come between */
  (
    | { kind: 'found'; parts: string[]; more: boolean }
    | { kind: 'counted'; count: number }
    | { kind: 'missing' }
    | { kind: 'unavailable' | 'refused' | 'damaged'; message: string }
  );

/** The start parameters of the list thread. */
export interface ListThreadData {
  directory: string;
}
