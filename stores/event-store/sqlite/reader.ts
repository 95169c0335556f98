import type { EventMetadata, RecordedEvent } from '../../../domain/event.ts';
import type { LogScan } from '../follow.ts';
import { isDamage } from '../../sqlite/failures.ts';
import { DamagedEvent, type ReadStreamOptions } from '../port.ts';
import { checksumOf, partsOf, type StoredEvent } from './checksum.ts';
import { decodePayload } from './encoding.ts';
import type { Connection } from './schema.ts';
import { createStreamEnds } from './stream-ends.ts';
import { uuidOf } from './uuid.ts';

export interface LogReader {
  /** @throws DamagedEvent */
  readStream: (stream: string, options?: ReadStreamOptions) => RecordedEvent[];
  /**
   * Returns at most `limit` events after a position. With a filter, examines at most {@link WINDOW} events. Ends before
   * a damaged event.
   *
   * @throws DamagedEvent the first event of the page is damaged
   */
  scan: (after: bigint, categories: readonly string[] | undefined, limit: number) => LogScan;
  /** Returns a number that changes whenever another connection commits. */
  dataVersion: () => number;
}

/** Maximum number of events that one scan examines, so that a filter with few matches does not block the thread. */
const WINDOW = 2_000;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** position, stream, revision, kind, encoding, id, data, metadata */
type Row = [number, string | null, number, number, number, string, string | Buffer, string | null];

const COLUMNS =
  'position, (SELECT name FROM streams WHERE streams.stream = events.stream), revision, kind, encoding, lower(hex(id)), data, metadata';

/**
 * Reads a log through one connection, in pages. Never leaves a statement open between calls, because an open statement
 * prevents the WAL from being reset. Reads rows as arrays, which is twice as fast as objects. Verifies the checksum of
 * every event and that no event is missing, and applies the filter afterwards.
 */
export const createLogReader = (connection: Connection): LogReader => {
  const rows = (sql: string): ((...parameters: (string | number | bigint)[]) => Row[]) => {
    const statement = connection.prepare(sql).raw();
    return (...parameters) => statement.all(...parameters) as Row[];
  };
  const ofStream = `SELECT ${COLUMNS} FROM events WHERE stream = ?`;
  const forwards = rows(`${ofStream} AND revision >= ? ORDER BY revision LIMIT ?`);
  const backwards = rows(`${ofStream} AND revision <= ? ORDER BY revision DESC LIMIT ?`);
  const everything = rows(`SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`);

  const last = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  const lastUnchecked = connection.prepare<[], number>('SELECT unchecked FROM bounds').pluck();
  const lastRemoved = connection.prepare<[], number>('SELECT removed FROM bounds').pluck();
  const allKinds = connection.prepare<[], [number, string, string]>('SELECT kind, category, type FROM kinds').raw();
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const endOf = createStreamEnds(connection);

  let kinds = new Map<number, { category: string; type: string }>();
  const kindOf = (kind: number): { category: string; type: string } => {
    if (!kinds.has(kind))
      kinds = new Map(allKinds.all().map(([number, category, type]) => [number, { category, type }]));
    return kinds.get(kind) ?? { category: '', type: '' };
  };

  const damaged = (position: number, stream: string | null, reason: string): DamagedEvent =>
    new DamagedEvent(
      `The event at position ${position}${isPlain(stream) ? ` of stream ${stream}` : ''} in ${connection.name} ${reason}.`,
      { position: BigInt(position), stream },
    );

  /** highest position of an event that may lack a checksum. Read only once, because this position does not change */
  let unchecked: number | undefined;
  const isUnchecked = (position: number): boolean => position <= (unchecked ??= lastUnchecked.get() ?? 0);

  /**
   * Converts a row to an event, and verifies its checksum.
   *
   * @throws DamagedEvent
   */
  const intact = ([position, stream, revision, kind, column, id, data, metadata]: Row): StoredEvent => {
    const { encoding, checksum } = partsOf(column);
    const { category, type } = kindOf(kind);
    // The fields are listed one by one, because a spread would take longer than the rest of this function.
    const event = { position, stream: stream ?? '', revision, category, type, id, encoding, data, metadata };
    const fits = checksum === null ? isUnchecked(position) : isPayload(event) && checksumOf(event) === checksum;
    if (!fits || stream === null) throw damaged(position, stream, 'is damaged: its checksum differs');
    return event;
  };

  const recorded = (event: StoredEvent): RecordedEvent => {
    const { position, stream, revision, type, id } = event;
    try {
      const [data, metadata] = decodePayload(type, event);
      return {
        id: uuidOf(id),
        type,
        data: JSON.parse(data) as object,
        metadata: JSON.parse(metadata) as EventMetadata,
        stream,
        revision: BigInt(revision),
        position: BigInt(position),
      };
    } catch (error) {
      throw damaged(position, stream, `is damaged: ${(error as Error).message}`);
    }
  };

  /**
   * Returns whether retention may have removed the event at a position. Call this after reading the events, because
   * retention may remove events at any time.
   */
  const mayBeRemoved = (position: number): boolean => position <= (lastRemoved.get() ?? 0);

  /**
   * Returns at most `limit` rows after a position. If SQLite can't read a row because of damage, returns only the rows
   * before that row.
   */
  const readable = (after: number, limit: number): Row[] => {
    try {
      return everything(after, limit);
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (limit === 1) throw error;
      return readable(after, Math.floor(limit / 2));
    }
  };

  /**
   * Converts rows of a stream to events, and verifies that none is missing.
   *
   * @throws DamagedEvent
   */
  const withoutGaps = (stream: string, read: Row[], start: number, step: 1 | -1): RecordedEvent[] => {
    let expected = start;
    let before = 0;
    return read.map((row) => {
      const event = intact(row);
      const { position, revision } = event;
      if (event.stream !== stream || (revision !== expected && !mayBeRemoved(Math.min(before, position) + 1))) {
        throw missing(stream, expected);
      }
      expected = revision + step;
      before = position;
      return recorded(event);
    });
  };

  const missing = (stream: string, revision: number): DamagedEvent =>
    new DamagedEvent(`The event at revision ${revision} of stream ${stream} in ${connection.name} is missing.`, {
      stream,
    });

  const readForwards = (stream: string, from: number, limit: number): RecordedEvent[] => {
    // Read the end before the events: then all events up to the end must exist, even if more events are appended in
    // between.
    const end = endOf(stream);
    if (!end) return [];
    const events = withoutGaps(stream, forwards(end.stream, from, limit), from, 1);
    const next = from + events.length;
    const reached = Number(events.at(-1)?.revision ?? from - 1);
    if (events.length < limit && reached < end.revision) throw missing(stream, next);
    return events;
  };

  const readBackwards = (stream: string, from: number, limit: number): RecordedEvent[] => {
    const end = endOf(stream);
    if (!end) return [];
    const read = backwards(end.stream, from, limit);
    const newest = Math.max(end.revision, read[0]?.[2] ?? 0);
    const events = withoutGaps(stream, read, Math.min(from, newest), -1);
    const reached = Number(events.at(-1)?.revision ?? from + 1);
    if (events.length < limit && reached > 0 && !mayBeRemoved(1)) throw missing(stream, reached - 1);
    return events;
  };

  /** Runs a read. If SQLite detects damage, throws a DamagedEvent that says what was being read. */
  const withPosition = <T>(where: string, stream: string | null, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      throw new DamagedEvent(`${connection.name} can't be read ${where}: ${error.message}.`, { stream });
    }
  };

  const scan = (start: number, categories: readonly string[] | undefined, limit: number): LogScan => {
    // Read the last position before the events: then all events up to this position must exist.
    const end = last.get() ?? 0;
    const events: RecordedEvent[] = [];
    let upTo = start;
    try {
      const read = readable(start, categories ? WINDOW : limit);
      for (const row of read) {
        const event = intact(row);
        const { position } = event;
        const isNext = position === upTo + 1 || (position > upTo && mayBeRemoved(position - 1));
        if (!isNext) throw damaged(upTo + 1, null, 'is missing');
        if (!categories || categories.includes(event.category)) events.push(recorded(event));
        upTo = position;
        if (events.length === limit) break;
      }
      if (read.length === 0 && start < end) throw damaged(start + 1, null, 'is missing');
    } catch (error) {
      if (!(error instanceof DamagedEvent) || upTo === start) throw error;
    }
    return { events, upTo: BigInt(upTo), atEnd: upTo >= end };
  };

  return {
    readStream: (stream, { from, direction = 'forwards', limit = UNLIMITED } = {}) =>
      withPosition(`for stream ${stream}`, stream, () => {
        const most = Math.min(limit, UNLIMITED);
        return direction === 'forwards'
          ? readForwards(stream, Number(from ?? 0), most)
          : readBackwards(stream, Number(from ?? UNLIMITED), most);
      }),

    scan: (after, categories, limit) =>
      withPosition(`after position ${after}`, null, () => scan(Number(after), categories, limit)),

    dataVersion: () => dataVersion.get() ?? 0,
  };
};

/** Returns whether a name can be shown in a message. A damaged name may contain any bytes. */
const isPlain = (name: string | null): name is string => name !== null && /^[\x21-\x7e]+$/.test(name);

/** Returns whether the columns have types that the writer uses. */
const isPayload = ({ data, metadata }: StoredEvent): boolean =>
  (typeof data === 'string' || Buffer.isBuffer(data)) && (metadata === null || typeof metadata === 'string');
