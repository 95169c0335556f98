import { RESULT_CATEGORIES } from '../../../domain/catalogue.ts';
import type { EventMetadata } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import { decodePayload } from './encoding.ts';
import type { Connection } from './schema.ts';

/** One small step of retention: what to look at. Positions are plain numbers within the adapter. */
export interface RemovalStep {
  /** events after this position are looked at */
  after: number;
  /** what was recorded before goes */
  before: Instant;
}

/** How far a step has come. */
export interface Removed {
  outcome: 'removed';
  upTo: number;
  count: number;
  /** whether all that is old enough has been looked at */
  done: boolean;
}

/** How many events a step looks at: some milliseconds, in which appends wait. */
const EVENTS_A_STEP = 200;

/** position, stream, revision, type, category, encoding, data, metadata */
type Row = [number, number, number, string, string, number, string | Buffer, string | null];

/**
 * Removes events of the categories that retention counts for (design.md: Two logs), oldest first, a few at a
 * time. The last event of a stream stays, since it holds the stream's revision. Regions append side by side, so
 * times are in order only roughly: the end is where a whole step finds nothing old.
 */
export const createRemoval = (connection: Connection): ((step: RemovalStep) => Removed) => {
  const rows = connection
    .prepare<[number, number]>(
      `SELECT position, stream, revision, type, category, encoding, data, metadata
       FROM events JOIN kinds USING (kind) WHERE position > ? ORDER BY position LIMIT ?`,
    )
    .raw();
  const lastRevision = connection
    .prepare<[number], number>('SELECT max(revision) FROM events WHERE stream = ?')
    .pluck();
  const remove = connection.prepare<[number]>('DELETE FROM events WHERE position = ?');

  return ({ after, before }) => {
    const looked = rows.all(after, EVENTS_A_STEP) as Row[];
    const old = looked.filter(
      ([, , , type, category, encoding, data, metadata]) =>
        RESULT_CATEGORIES.includes(category) && recordedAt(type, encoding, data, metadata) < before,
    );
    const lasts = new Map(old.map(([, stream]) => [stream, lastRevision.get(stream)]));
    const removable = old.filter(([, stream, revision]) => revision !== lasts.get(stream));
    for (const [position] of removable) remove.run(position);
    const results = looked.some(([, , , , category]) => RESULT_CATEGORIES.includes(category));
    return {
      outcome: 'removed',
      upTo: looked.at(-1)?.[0] ?? after,
      count: removable.length,
      done: looked.length < EVENTS_A_STEP || (results && old.length === 0),
    };
  };
};

const recordedAt = (type: string, encoding: number, data: string | Buffer, metadata: string | null): Instant => {
  const [, text] = decodePayload(type, { encoding, data, metadata });
  return (JSON.parse(text) as EventMetadata).recorded_at;
};
