import type { ExpectedRevision } from './port.ts';

/** The parts of an append that decide its outcome. */
export interface AppendAttempt {
  events: readonly { id: string }[];
  expected: ExpectedRevision;
}

/** The state of a stream at the time of an append. Here, revisions are numbers, and -1 means "no stream". */
export interface StreamState {
  current: number;
  /** returns the id of the event at a revision; undefined if there is none */
  idAt: (revision: number) => string | undefined;
  /** returns the revision of a recently appended event; undefined if the id is unknown */
  recent: (id: string) => number | undefined;
}

/**
 * The outcome of an append. `append`: the events must be stored. `conflict`: nothing is stored. `repeats`: the events
 * are already stored, beginning at this revision.
 */
export type AppendOutcome = 'append' | 'conflict' | { repeats: number };

/**
 * Decides the outcome of an append like EventStoreDB. A repeated append, with the same ids and the same expected
 * revision, has the result of the first one. An append is a conflict if only some of its ids are stored. There is one
 * difference, for the expected revision "any": EventStoreDB checks only whether the first id is stored, and would store
 * the others again; this function checks every id.
 */
export const decideAppend = ({ events, expected }: AppendAttempt, stream: StreamState): AppendOutcome => {
  if (expected === 'any' || expected === 'stream_exists') {
    if (expected === 'stream_exists' && stream.current === -1) return 'conflict';
    const known = events.map(({ id }) => stream.recent(id)).find((revision) => revision !== undefined);
    return known === undefined ? 'append' : isStoredAt(known, events, stream);
  }
  const revision = expected === 'no_stream' ? -1 : Number(expected);
  if (revision === stream.current) return 'append';
  return revision < stream.current ? isStoredAt(revision + 1, events, stream) : 'conflict';
};

const isStoredAt = (first: number, events: AppendAttempt['events'], stream: StreamState): AppendOutcome =>
  events.every(({ id }, index) => stream.idAt(first + index) === id) ? { repeats: first } : 'conflict';

/** Converts a current revision to the type that the port uses. */
export const actualRevision = (current: number): bigint | 'no_stream' =>
  current === -1 ? 'no_stream' : BigInt(current);
