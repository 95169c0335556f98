import { RESULT_CATEGORIES } from '../../../domain/event-types.ts';
import type { EventMetadata } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import { checksumOf, partsOf, type StoredEvent } from './checksum.ts';
import { decodePayload } from './encoding.ts';
import type { Connection } from './schema.ts';

/** One small step of retention. Positions are plain numbers within the adapter. */
export interface RemovalStep {
  /** events after this position are examined */
  after: number;
  /** events recorded before this are removed */
  before: Instant;
}

/** Progress of a step. */
export interface RemovalProgress {
  outcome: 'removed';
  upTo: number;
  count: number;
  /** whether everything old enough has been examined */
  done: boolean;
}

/** How many events a step examines; it takes some milliseconds, during which appends wait. */
const EVENTS_PER_STEP = 200;

/** A row with its stream's `number` and the raw column `encoding`. */
type Row = StoredEvent & { number: number };

const ROWS = `
  SELECT position, stream AS number, streams.name AS stream, revision, type, category, encoding,
         lower(hex(id)) AS id, data, metadata
  FROM events JOIN kinds USING (kind) JOIN streams USING (stream)`;

/**
 * Removes events of the categories that retention applies to (docs/decisions/0002-two-logs.md), oldest first, in small steps. The
 * last event of a stream stays, since it contains the stream's revision, and so does a damaged event. Regions append
 * concurrently, so times are only roughly in order: removal ends when a whole step finds no old event. A time later
 * than that of the log's last event comes from a skewed clock, and does not end the removal.
 */
export const createRemoval = (connection: Connection): ((step: RemovalStep) => RemovalProgress) => {
  const rows = connection.prepare<[number, number], Row>(`${ROWS} WHERE position > ? ORDER BY position LIMIT ?`);
  const lastRevision = connection
    .prepare<[number], number>('SELECT max(revision) FROM events WHERE stream = ?')
    .pluck();
  const remove = connection.prepare<[number]>('DELETE FROM events WHERE position = ?');
  const tellRemoved = connection.prepare<[number]>('UPDATE bounds SET removed = max(removed, ?)');

  const last = connection.prepare<[], Row>(`${ROWS} ORDER BY position DESC LIMIT 1`);

  return ({ after, before }) => {
    const looked = rows.all(after, EVENTS_PER_STEP);
    const old = looked.filter((row) => {
      const recordedAt = RESULT_CATEGORIES.includes(row.category) ? recordedAtOf(row) : null;
      return recordedAt !== null && recordedAt < before;
    });
    const lasts = new Map(old.map(({ number }) => [number, lastRevision.get(number)]));
    const removable = old.filter(({ number, revision }) => revision !== lasts.get(number));
    for (const { position } of removable) remove.run(position);
    const newest = removable.at(-1);
    if (newest) tellRemoved.run(newest.position);
    const lastOfAll = last.get();
    const present = lastOfAll ? recordedAtOf(lastOfAll) : null;
    const stored = looked.some((row) => {
      const recordedAt = RESULT_CATEGORIES.includes(row.category) ? recordedAtOf(row) : null;
      return recordedAt !== null && recordedAt >= before && (present === null || recordedAt <= present);
    });
    return {
      outcome: 'removed',
      upTo: looked.at(-1)?.position ?? after,
      count: removable.length,
      done: looked.length < EVENTS_PER_STEP || (stored && old.length === 0),
    };
  };
};

/** Null when the event is damaged. */
const recordedAtOf = (row: Row): Instant | null => {
  const { encoding, checksum } = partsOf(row.encoding);
  const event = { ...row, encoding };
  try {
    if (checksum !== null && checksum !== checksumOf(event)) return null;
    const [, metadata] = decodePayload(event.type, event);
    return (JSON.parse(metadata) as EventMetadata).recorded_at;
  } catch {
    return null;
  }
};
