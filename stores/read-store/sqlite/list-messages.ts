import type { Generation, Query, Where } from '../port.ts';

/**
 * A request to the list thread. `next` requests the next part of a list, and `leave` says that the rest is not needed.
 * `of` is the id of the `find` request that began the list.
 */
export type ListRequest = { id: number; generation: Generation } & (
  | { kind: 'find'; collection: string; query: Query }
  | { kind: 'next' | 'leave'; of: number }
  | { kind: 'count'; collection: string; where: Where }
);

/**
 * A response of the list thread. Documents are texts of JSON arrays, because texts are transferred between threads
 * faster than objects.
 */
export type ListResponse = { id: number } &
  /** `more`: further parts must be requested one by one, so that other requests can be served in between */
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
