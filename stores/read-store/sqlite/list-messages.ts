import type { Generation, Query, Where } from '../port.ts';

/** A request to the list thread; `of` is the `find` whose next part is wanted, or whose rest nobody wants. */
export type ListRequest = { id: number; generation: Generation } & (
  | { kind: 'find'; collection: string; query: Query }
  | { kind: 'next' | 'leave'; of: number }
  | { kind: 'count'; collection: string; where: Where }
);

/** Its answer: documents as texts of JSON arrays, which cross between threads faster than objects. */
export type ListAnswer = { id: number } &
  /** `more`: the rest has to be asked for, part by part, so that requests of others come between */
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
