import type { ExpectedRevision } from './port.ts';

/** An append, as needed to judge it. */
export interface Asked {
  events: readonly { id: string }[];
  expected: ExpectedRevision;
}

/** A stream at the time of an append. Revisions are plain numbers here, -1 stands for "no stream". */
export interface StreamAsMet {
  current: number;
  /** id of the event at a revision; undefined when there is none */
  idAt: (revision: number) => string | undefined;
  /** revision of a recently appended event, by its id */
  recent: (id: string) => number | undefined;
}

/**
 * The outcome of an append: it is stored, it was stored before (its events begin at `repeats`),
 * or it conflicts.
 */
export type Judgement = 'append' | 'conflict' | { repeats: number };

/**
 * Judges an append as EventStoreDB does: the same ids at the same expected revision get the same answer as the
 * first time; ids of which only some are found are a conflict. When any revision is expected,
 * EventStoreDB looks for the first id only and stores the others again; here each of them counts.
 */
export const judge = ({ events, expected }: Asked, stream: StreamAsMet): Judgement => {
  if (expected === 'any' || expected === 'stream_exists') {
    if (expected === 'stream_exists' && stream.current === -1) return 'conflict';
    const known = events.map(({ id }) => stream.recent(id)).find((revision) => revision !== undefined);
    return known === undefined ? 'append' : standsAt(known, events, stream);
  }
  const revision = expected === 'no_stream' ? -1 : Number(expected);
  if (revision === stream.current) return 'append';
  return revision < stream.current ? standsAt(revision + 1, events, stream) : 'conflict';
};

const standsAt = (first: number, events: Asked['events'], stream: StreamAsMet): Judgement =>
  events.every(({ id }, index) => stream.idAt(first + index) === id) ? { repeats: first } : 'conflict';

/** How the port represents a current revision. */
export const actualRevision = (current: number): bigint | 'no_stream' =>
  current === -1 ? 'no_stream' : BigInt(current);
