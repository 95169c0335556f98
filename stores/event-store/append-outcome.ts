import type { ExpectedRevision } from './port.ts';

/** The parts of an append that decide its outcome. */
export interface AppendAttempt {
  events: readonly { id: string }[];
  expected: ExpectedRevision;
}

/** A stream at the time of an append. Revisions are plain numbers here; -1 means "no stream". */
export interface StreamState {
  current: number;
  /** id of the event at a revision; undefined when there is none */
  idAt: (revision: number) => string | undefined;
  /** revision of a recently appended event, by its id */
  recent: (id: string) => number | undefined;
}

/**
 * The outcome of an append: it is stored, it is a repeat of stored events (beginning at `repeats`), or it conflicts.
 */
export type AppendOutcome = 'append' | 'conflict' | { repeats: number };

/**
 * Decides an append as EventStoreDB does: the same ids at the same expected revision get the same result as the first
 * time; if only some of the ids are found, it is a conflict. With expected revision "any", EventStoreDB looks for the
 * first id only and stores the others again; here each id is checked.
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

/** A current revision in the port's form. */
export const actualRevision = (current: number): bigint | 'no_stream' =>
  current === -1 ? 'no_stream' : BigInt(current);
