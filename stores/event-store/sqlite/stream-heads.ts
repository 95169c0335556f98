import { LRUCache } from 'lru-cache';
import { categoryOf } from '../../../domain/decider.ts';
import type { StreamState } from '../append-outcome.ts';
import type { SerializedEvent } from '../serialized.ts';
import { checksumOf, withChecksum } from './checksum.ts';
import { encodePayload } from './encoding.ts';
import type { Connection } from './schema.ts';
import { createStreamEnds } from './stream-ends.ts';
import { uuidBytes, uuidOf } from './uuid.ts';

/** The end of an existing stream. */
interface StreamHead {
  stream: number;
  /** revision of the last event; -1 if there is none */
  revision: number;
  /** revisions of the last events by id, for appends with expected revision "any"; null until the first such append */
  recent: Map<string, number> | null;
}

const ABSENT: StreamState = { current: -1, idAt: () => undefined, recent: () => undefined };

export interface StreamHeads {
  /**
   * Returns the stream's state for the next append.
   *
   * @throws DamagedEvent
   */
  stateOf: (stream: string) => StreamState;
  /**
   * Inserts events at the end of a stream.
   *
   * @returns revision and position of the last inserted event
   */
  insert: (stream: string, events: readonly SerializedEvent[]) => { revision: number; position: number };
  /** Returns the position of the event at a revision; undefined if there is none. */
  positionAt: (stream: string, revision: number) => number | undefined;
  /**
   * Forgets the cached state of one stream, or of all. Call after a rollback, or after another connection has written.
   */
  forget: (stream?: string) => void;
}

const MAX_STREAMS = 20_000;
/** Number of the newest events of a stream among which a repeated append with expected revision "any" is recognized. */
const MAX_RECENT = 4_000;

/**
 * Caches the ends of streams. The end of a stream is read once, and then updated when this connection inserts events.
 */
export const createStreamHeads = (connection: Connection): StreamHeads => {
  const heads = new LRUCache<string, StreamHead>({ max: MAX_STREAMS });
  const kinds = new Map<string, number>();
  /** position of the last event of the log; null: not read yet */
  let last: number | null = null;

  const endOf = createStreamEnds(connection);
  const addStream = connection.prepare<[string]>('INSERT INTO streams (name) VALUES (?)');
  const kindOf = connection
    .prepare<[string, string], number>('SELECT kind FROM kinds WHERE category = ? AND type = ?')
    .pluck();
  const addKind = connection.prepare<[string, string]>('INSERT INTO kinds (category, type) VALUES (?, ?)');
  const add = connection.prepare<[number, number, number, number, number, Buffer, string | Buffer, string | null]>(
    'INSERT INTO events (position, stream, revision, kind, encoding, id, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const lastPosition = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  const idAt = connection
    .prepare<[number, number], string>('SELECT lower(hex(id)) FROM events WHERE stream = ? AND revision = ?')
    .pluck();
  const positionAt = connection
    .prepare<[number, number], number>('SELECT position FROM events WHERE stream = ? AND revision = ?')
    .pluck();
  const idsFrom = connection
    .prepare<[number, number]>('SELECT lower(hex(id)), revision FROM events WHERE stream = ? AND revision > ?')
    .raw();

  const headOf = (stream: string): StreamHead | undefined => {
    const known = heads.get(stream);
    if (known) return known;
    const end = endOf(stream);
    if (!end) return undefined;
    const head = { ...end, recent: null };
    heads.set(stream, head);
    return head;
  };

  const newHead = (stream: string): StreamHead => {
    const head = { stream: Number(addStream.run(stream).lastInsertRowid), revision: -1, recent: null };
    heads.set(stream, head);
    return head;
  };

  const recentOf = (head: StreamHead): Map<string, number> =>
    (head.recent ??= new Map(
      (idsFrom.all(head.stream, head.revision - MAX_RECENT) as [string, number][]).map(([hex, revision]) => [
        uuidOf(hex),
        revision,
      ]),
    ));

  const remember = (recent: Map<string, number>, id: string, revision: number): void => {
    recent.set(id, revision);
    if (recent.size <= 2 * MAX_RECENT) return;
    for (const [old, at] of recent) if (at <= revision - MAX_RECENT) recent.delete(old);
  };

  const kind = (category: string, type: string): number => {
    const key = `${category} ${type}`;
    const known = kinds.get(key);
    if (known !== undefined) return known;
    const number = kindOf.get(category, type) ?? Number(addKind.run(category, type).lastInsertRowid);
    kinds.set(key, number);
    return number;
  };

  return {
    stateOf: (stream) => {
      const head = headOf(stream);
      if (!head) return ABSENT;
      return {
        current: head.revision,
        idAt: (revision) => {
          const hex = idAt.get(head.stream, revision);
          return hex === undefined ? undefined : uuidOf(hex);
        },
        recent: (id) => recentOf(head).get(id),
      };
    },

    insert: (stream, events) => {
      const head = headOf(stream) ?? newHead(stream);
      const category = categoryOf(stream);
      let position = (last ??= lastPosition.get() ?? 0);
      for (const event of events) {
        const revision = ++head.revision;
        position++;
        const number = kind(category, event.type);
        const { encoding, data, metadata } = encodePayload(event);
        const { type } = event;
        const id = uuidBytes(event.id);
        const hex = id.toString('hex');
        const checksum = checksumOf({ position, stream, revision, category, type, id: hex, encoding, data, metadata });
        add.run(position, head.stream, revision, number, withChecksum(encoding, checksum), id, data, metadata);
        if (head.recent) remember(head.recent, event.id, revision);
      }
      last = position;
      return { revision: head.revision, position };
    },

    positionAt: (stream, revision) => {
      const head = headOf(stream);
      return head && positionAt.get(head.stream, revision);
    },

    forget: (stream) => {
      last = null;
      // The rollback may have undone the insertion of an event type, so forget the known types.
      kinds.clear();
      if (stream === undefined) heads.clear();
      else heads.delete(stream);
    },
  };
};
