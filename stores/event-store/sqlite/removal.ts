import { RESULT_CATEGORIES } from '../../../domain/event-types.ts';
import type { EventMetadata } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import { checksumOf, partsOf, type StoredEvent } from './checksum.ts';
import { decodePayload } from './encoding.ts';
import type { Connection } from './schema.ts';

/** One small step of retention. Within the adapter, positions are numbers, not bigints. */
export interface RemovalStep {
  /** events after this position are examined */
  after: number;
  /** events recorded before this instant are removed */
  before: Instant;
}

/** Progress of a step. */
export interface RemovalProgress {
  outcome: 'removed';
  upTo: number;
  count: number;
  /** whether no further event is old enough to be removed */
  done: boolean;
}

/** Number of events that a step examines. A step takes a few milliseconds, during which appends wait. */
const EVENTS_PER_STEP = 200;

/** A row with its stream's `number` and the raw column `encoding`. */
type Row = StoredEvent & { number: number };

const ROWS = `
  SELECT position, stream AS number, streams.name AS stream, revision, type, category, encoding,
         lower(hex(id)) AS id, data, metadata
  FROM events JOIN kinds USING (kind) JOIN streams USING (stream)`;

/**
 * Creates a function that removes events of the categories to which retention applies
 * (docs/decisions/0002-two-logs.md), oldest first, in small steps. Never removes a damaged event. Never removes the
 * last event of a stream either, because this event contains the stream's revision.
 *
 * Regions append concurrently, so timestamps are only roughly in order. Therefore the removal continues until a step
 * finds only events that must stay. This decision ignores events whose timestamp is later than that of the log's last
 * event, because such timestamps come from a clock that is ahead.
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

/** Returns when an event was recorded; null if the event is damaged. */
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
