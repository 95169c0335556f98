import type { EventMetadata, RecordedEvent } from '../../../domain/event.ts';
import type { Scan } from '../follow.ts';
import type { ReadStreamOptions } from '../port.ts';
import { decodePayload } from './encoding.ts';
import type { Connection } from './schema.ts';
import { uuidOf } from './uuid.ts';

export interface LogReader {
  readStream: (stream: string, options?: ReadStreamOptions) => RecordedEvent[];
  /** At most `limit` events after a position, from at most {@link WINDOW} positions. */
  scan: (after: bigint, categories: readonly string[] | undefined, limit: number) => Scan;
  /** A number that changes when another connection has committed. */
  dataVersion: () => number;
}

/** How many positions one scan looks at, so that a filter that finds little does not hold the thread. */
const WINDOW = 10_000;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** position, stream, revision, kind, encoding, id, data, metadata */
type Row = [number, string, number, number, number, string, string | Buffer, string | null];

const COLUMNS =
  'position, (SELECT name FROM streams WHERE streams.stream = events.stream), revision, kind, encoding, lower(hex(id)), data, metadata';

/**
 * Reads a log through one connection, page by page: no statement is left open, since an open one keeps
 * the WAL from being reset. Rows are read as arrays and numbers, which is twice as fast as objects.
 */
export const createLogReader = (connection: Connection): LogReader => {
  const rows = (sql: string): ((...parameters: (string | number | bigint)[]) => Row[]) => {
    const statement = connection.prepare(sql).raw();
    return (...parameters) => statement.all(...parameters) as Row[];
  };
  const ofStream = `SELECT ${COLUMNS} FROM events WHERE stream = (SELECT stream FROM streams WHERE name = ?)`;
  const forwards = rows(`${ofStream} AND revision >= ? ORDER BY revision LIMIT ?`);
  const backwards = rows(`${ofStream} AND revision <= ? ORDER BY revision DESC LIMIT ?`);
  const between = `SELECT ${COLUMNS} FROM events WHERE position > ? AND position <= ?`;
  const everything = rows(`${between} ORDER BY position LIMIT ?`);
  const ofKinds = new Map<number, (...parameters: number[]) => Row[]>();

  const head = connection.prepare<[], number | null>('SELECT max(position) FROM events').pluck();
  const next = connection
    .prepare<[number], number | null>('SELECT min(position) FROM events WHERE position > ?')
    .pluck();
  const allKinds = connection.prepare<[], [number, string, string]>('SELECT kind, category, type FROM kinds').raw();
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck();

  let kinds = new Map<number, { category: string; type: string }>();
  const readKinds = (): void => {
    kinds = new Map(allKinds.all().map(([kind, category, type]) => [kind, { category, type }]));
  };
  const typeOf = (kind: number): string => {
    if (!kinds.has(kind)) readKinds();
    const known = kinds.get(kind);
    if (!known) throw new Error(`${connection.name} has no kind ${kind.toString()}.`);
    return known.type;
  };

  const recorded = ([position, stream, revision, kind, encoding, id, data, metadata]: Row): RecordedEvent => {
    const type = typeOf(kind);
    const [ofData, ofMetadata] = decodePayload(type, { encoding, data, metadata });
    return {
      id: uuidOf(id),
      type,
      data: JSON.parse(ofData) as object,
      metadata: JSON.parse(ofMetadata) as EventMetadata,
      stream,
      revision: BigInt(revision),
      position: BigInt(position),
    };
  };

  const filtered = (after: number, upTo: number, categories: readonly string[], limit: number): Row[] => {
    // Kinds are few and may have come since the last look.
    readKinds();
    const wanted = [...kinds].filter(([, { category }]) => categories.includes(category)).map(([kind]) => kind);
    let statement = ofKinds.get(wanted.length);
    if (!statement) {
      const places = wanted.map(() => '?').join(', ');
      statement = rows(`${between} AND kind IN (${places}) ORDER BY position LIMIT ?`);
      ofKinds.set(wanted.length, statement);
    }
    return statement(after, upTo, ...wanted, limit);
  };

  return {
    readStream: (stream, { from, direction = 'forwards', limit = Infinity } = {}) =>
      (direction === 'forwards'
        ? forwards(stream, from ?? 0n, Math.min(limit, UNLIMITED))
        : backwards(stream, from ?? BigInt(UNLIMITED), Math.min(limit, UNLIMITED))
      ).map(recorded),

    scan: (after, categories, limit) => {
      const start = Number(after);
      if (!categories) {
        const events = everything(start, UNLIMITED, limit).map(recorded);
        return { events, upTo: events.at(-1)?.position ?? after };
      }
      const first = next.get(start);
      if (first == null) return { events: [], upTo: after };
      // What is committed later has higher positions, so up to the head nothing can be missed.
      const upTo = Math.min(first + WINDOW, head.get() ?? first);
      const events = filtered(start, upTo, categories, limit).map(recorded);
      const last = events.length === limit ? events.at(-1)?.position : undefined;
      return { events, upTo: last ?? BigInt(upTo) };
    },

    dataVersion: () => dataVersion.get() ?? 0,
  };
};
