import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { LRUCache } from 'lru-cache';

/** An event before it is stored. */
export interface ProposedEvent {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

/** An event as it is stored. */
export interface StoredEvent extends ProposedEvent {
  stream: string;
  revision: bigint;
  /** commit and prepare position, which are equal in EventStoreDB */
  position: bigint;
  /** milliseconds since 1970 */
  created: number;
}

export type Expected = bigint | 'no_stream' | 'stream_exists' | 'any';

export type Outcome =
  | { outcome: 'stored'; last: StoredEvent }
  | { outcome: 'wrong expected version'; current: bigint | null }
  | { outcome: 'tombstoned' };

interface StreamMetadata {
  $maxCount?: number;
  /** seconds */
  $maxAge?: number;
  /** truncate before */
  $tb?: number;
}

/** The revision of a tombstone and the value of `$tb` of a deleted stream. */
const LAST_REVISION = 9_223_372_036_854_775_807n;
/** Position of the first event. The positions before it belong to internal records, as in EventStoreDB. */
const START = 1_000n;
const JSON_TYPE = 'application/json';
const NOTHING = new Uint8Array();

/** Maximum number of remembered ids. */
const KNOWN_IDS = 50_000;

/** Number of bytes that a record has in addition to its texts. Positions in the log count bytes. */
const RECORD_BYTES = 90;

/**
 * All events in one order, in memory and optionally in a file. The file has one line per append. If the program is
 * killed in the middle of a line, that append does not count.
 */
export class EventLog {
  readonly all: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  /**
   * events appended since the start, by stream and event id; the oldest are forgotten when there are more than
   * KNOWN_IDS
   */
  readonly #ids = new LRUCache<string, StoredEvent>({ max: KNOWN_IDS });
  readonly #metadata = new Map<string, StreamMetadata>();
  readonly #growth = new Set<() => void>();
  readonly #file: string | undefined;
  #end = START;

  constructor(file?: string) {
    this.#file = file;
    if (file !== undefined && existsSync(file)) this.#load(file);
  }

  /** Calls back after each append, until the returned function is called. */
  onGrowth(callback: () => void): () => void {
    this.#growth.add(callback);
    return () => this.#growth.delete(callback);
  }

  /** Forgets all ids, as a restart does. */
  forgetIds(): void {
    this.#ids.clear();
  }

  /**
   * Handles appends like EventStoreDB. An append at an exact revision is a repetition if all of its ids are already
   * stored after that revision. An append with the expected revision "any" is a repetition if all of its ids are
   * remembered. A repetition stores nothing and returns the result of the earlier append. Otherwise, with "any": if the
   * first id is not remembered, all events are stored; if the first id is remembered, the append is a conflict.
   */
  append(stream: string, events: readonly ProposedEvent[], expected: Expected): Outcome {
    const stored = this.#streams.get(stream) ?? [];
    if (this.isTombstoned(stream)) return { outcome: 'tombstoned' };
    const deleted = this.isDeleted(stream);
    const current = BigInt(stored.length) - 1n;
    const conflict: Outcome = { outcome: 'wrong expected version', current: current < 0n ? null : current };
    if (expected === 'stream_exists' && (current < 0n || deleted)) return conflict;
    if (expected === 'any' || expected === 'stream_exists') {
      const known = events.map(({ id }) => this.#ids.get(`${stream}/${id}`));
      const last = known.at(-1);
      if (last && known.every(Boolean)) return { outcome: 'stored', last };
      if (known[0]) return conflict;
    } else {
      const at = expected === 'no_stream' ? -1n : expected;
      const again = at < current && events.every(({ id }, index) => stored[Number(at) + 1 + index]?.id === id);
      const last = stored[Number(at) + events.length];
      if (again && last) return { outcome: 'stored', last };
      if (at !== current && !(deleted && expected === 'no_stream')) return conflict;
    }
    const added = this.#place(stream, events, current + 1n);
    const last = added.at(-1);
    if (!last) return conflict;
    // The first append after a deletion revives the stream from this revision on.
    const revived = deleted ? this.#metadataRecord(stream, { $tb: Number(current + 1n) }, endOf(last)) : [];
    this.#commit([...added, ...revived]);
    return { outcome: 'stored', last };
  }

  /** Returns the events of a stream that its metadata leaves readable. */
  visible(stream: string): StoredEvent[] {
    const stored = this.#streams.get(stream) ?? [];
    const { $maxCount, $maxAge, $tb } = this.#metadata.get(stream) ?? {};
    if (stored.length === 0 || ($maxCount === undefined && $maxAge === undefined && $tb === undefined)) return stored;
    const first = Math.max($tb ?? 0, $maxCount === undefined ? 0 : stored.length - $maxCount);
    const from = stored.slice(Math.min(first, stored.length));
    if ($maxAge === undefined) return from;
    const oldest = Date.now() - $maxAge * 1_000;
    return from.filter(({ created }) => created >= oldest);
  }

  /**
   * Returns the highest revision ever issued in a stream, whether or not the event is readable; -1 for an absent
   * stream.
   */
  lastRevision(stream: string): number {
    return (this.#streams.get(stream)?.length ?? 0) - 1;
  }

  at(stream: string, revision: number): StoredEvent | undefined {
    return this.#streams.get(stream)?.[revision];
  }

  isTombstoned(stream: string): boolean {
    return this.#streams.get(stream)?.at(-1)?.revision === LAST_REVISION;
  }

  isDeleted(stream: string): boolean {
    return (this.#metadata.get(stream)?.$tb ?? 0) > Number.MAX_SAFE_INTEGER;
  }

  /** Deletes a stream so that it can be appended to again, with continuing revisions. */
  delete(stream: string): StoredEvent | undefined {
    const added = this.#metadataRecord(stream, { $tb: Number(LAST_REVISION) }, this.#end);
    this.#commit(added);
    return added[0];
  }

  /** Deletes a stream permanently. */
  tombstone(stream: string): StoredEvent | undefined {
    const end = { id: randomUUID(), type: '$streamDeleted', contentType: JSON_TYPE };
    const added = this.#place(stream, [{ ...end, data: NOTHING, metadata: NOTHING }], LAST_REVISION);
    this.#commit(added);
    return added[0];
  }

  /** Returns the index in `all` of the first event at or after a position. */
  indexAt(position: bigint): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle]?.position ?? 0n) >= position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Position after the last event. */
  get end(): bigint {
    return this.#end;
  }

  #place(stream: string, events: readonly ProposedEvent[], first: bigint, from = this.#end): StoredEvent[] {
    const created = Date.now();
    let position = from;
    return events.map((event, index) => {
      const placed = { ...event, stream, revision: first + BigInt(index), position, created };
      position = endOf(placed);
      return placed;
    });
  }

  #metadataRecord(stream: string, changes: StreamMetadata, from: bigint): StoredEvent[] {
    const text = JSON.stringify({ ...this.#metadata.get(stream), ...changes });
    const event = { id: randomUUID(), type: '$metadata', contentType: JSON_TYPE, metadata: NOTHING };
    const metastream = `$$${stream}`;
    const revision = BigInt(this.lastRevision(metastream) + 1);
    return this.#place(metastream, [{ ...event, data: Buffer.from(text) }], revision, from);
  }

  #commit(records: readonly StoredEvent[]): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(records.map(toLine))}\n`);
    for (const record of records) {
      this.#take(record);
      this.#ids.set(`${record.stream}/${record.id}`, record);
    }
    for (const callback of [...this.#growth]) callback();
  }

  #take(record: StoredEvent): void {
    this.all.push(record);
    const stream = this.#streams.get(record.stream);
    if (stream) stream.push(record);
    else this.#streams.set(record.stream, [record]);
    if (record.type === '$metadata' && record.stream.startsWith('$$')) {
      this.#metadata.set(record.stream.slice(2), JSON.parse(Buffer.from(record.data).toString()) as StreamMetadata);
    }
    this.#end = endOf(record);
  }

  #load(file: string): void {
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
    for (const line of whole.split('\n')) {
      if (line !== '') for (const record of JSON.parse(line) as Line[]) this.#take(fromLine(record));
    }
  }
}

const endOf = ({ position, stream, type, data, metadata }: StoredEvent): bigint =>
  position + BigInt(RECORD_BYTES + 2 * (stream.length + type.length) + data.length + metadata.length);

interface Line extends Omit<StoredEvent, 'data' | 'metadata' | 'revision' | 'position'> {
  data: string;
  metadata: string;
  revision: string;
  position: string;
}

const toLine = (record: StoredEvent): Line => ({
  ...record,
  data: Buffer.from(record.data).toString('base64'),
  metadata: Buffer.from(record.metadata).toString('base64'),
  revision: record.revision.toString(),
  position: record.position.toString(),
});

const fromLine = (line: Line): StoredEvent => ({
  ...line,
  data: Buffer.from(line.data, 'base64'),
  metadata: Buffer.from(line.metadata, 'base64'),
  revision: BigInt(line.revision),
  position: BigInt(line.position),
});
