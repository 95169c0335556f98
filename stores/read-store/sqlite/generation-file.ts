import type { Statement } from '../../sqlite/driver.ts';
import { LRUCache } from 'lru-cache';
import { BUSY_TIMEOUT, type Connection } from '../../sqlite/open.ts';
import { indexedFields } from '../indexes.ts';
import type { Checkpoint, CollectionDeclaration, Document, Query, Where, Writes } from '../port.ts';
import { Refusals } from '../refusals.ts';
import { pathOf } from '../values.ts';
import { countSql, findSql, idsSql, explicitIds, oneSql, sweepSql, type Sql, type Table } from './query.ts';
import { declarationsIn, makeCollections, makeIndexes, tableOf } from './schema.ts';

interface Collection extends Table {
  declaration: CollectionDeclaration;
  paths: readonly (readonly string[])[];
  get: Statement<[string], string>;
  put: Statement<[string, string]>;
  delete: Statement<[string]>;
  /** returns 1 if the collection has few documents */
  few: Statement<[], number>;
  /** time until which the collection is assumed to have many documents, by the monotonic clock */
  manyUntil: number;
  /** whether a list of the collection was long; if so, all its lists are read in parts */
  hasLongLists: boolean;
}

/** The unread rest of a list that is being read in parts. */
export interface ListRest {
  /** statement that selects the columns of the list for one id */
  sql: string;
  /** ids and sizes of documents in bytes, in order. Size 0: the size is unknown, and the document may not exist */
  rows: readonly (readonly [id: string, bytes: number])[];
  /** index of the next row */
  next: number;
}

/**
 * Parts of a list and its unread rest, which is null if nothing is left. Each part is a JSON array of about {@link
 * PART} characters, or of one larger document.
 */
export interface ListParts {
  parts: string[];
  rest: ListRest | null;
}

const STATEMENTS_KEPT = 200;

/** Number of characters of JSON that can be parsed in a few milliseconds. */
export const PART = 262_144;
/**
 * A list counts as short if the `limit` of its query is at most this number, and no list of the collection was long so
 * far.
 */
const SHORT_LIST = 50;
/** Number of characters of documents above which a list counts as long. Reading them takes some ten milliseconds. */
const LONG_LIST = 4 * PART;

/**
 * Number of documents that can be listed or counted in a millisecond or two, if they have at most {@link PART} bytes in
 * total.
 */
const FEW = 200;
/** Milliseconds for which a collection that had many documents is assumed to still have many. */
const MANY_FOR = 10_000;

const arrayOf = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** One generation, read and written through one connection. All calls are synchronous. */
export class GenerationFile {
  readonly connection: Connection;
  readonly #collections = new Map<string, Collection>();
  readonly #statements = new LRUCache<string, Statement>({ max: STATEMENTS_KEPT });
  readonly #writeCheckpoint: Statement<[string, string, string | null]>;

  constructor(connection: Connection) {
    this.connection = connection;
    this.#writeCheckpoint = connection.prepare(
      'INSERT OR REPLACE INTO checkpoint (only, log_id, position, event_id) VALUES (1, ?, ?, ?)',
    );
  }

  /** whether the collections of the generation have been created */
  get isCreated(): boolean {
    return this.#statement('SELECT 1 FROM collections LIMIT 1').get() !== undefined;
  }

  open(collections: Readonly<Record<string, CollectionDeclaration>>, deferIndexes: boolean): void {
    this.#atOnce(() => {
      makeCollections(this.connection, collections);
      if (!deferIndexes) makeIndexes(this.connection);
    });
    this.#collections.clear();
  }

  buildIndexes(): void {
    this.#atOnce(() => {
      makeIndexes(this.connection);
    });
    // The WAL now contains all indexes. Without this checkpoint, reads would be slower, and the WAL would stay large.
    this.connection.pragma('wal_checkpoint(TRUNCATE)');
  }

  get checkpoint(): Checkpoint | null {
    const row = this.#statement('SELECT log_id, position, event_id FROM checkpoint').get() as
      { log_id: string; position: string; event_id: string | null } | undefined;
    return row ? { ...row, position: BigInt(row.position) } : null;
  }

  commit(writes: Writes, checkpoint: Checkpoint): void {
    this.#atOnce(() => {
      const refusals = new Refusals();
      for (const [name, list] of Object.entries(writes)) {
        const collection = this.#collection(name);
        for (const write of list) {
          if ('delete' in write) {
            collection.delete.run(write.delete);
            continue;
          }
          const text = refusals.textOf(name, write.put, collection.paths);
          if (text !== null) collection.put.run(write.put.id, text);
        }
      }
      refusals.check();
      this.#writeCheckpoint.run(checkpoint.log_id, checkpoint.position.toString(), checkpoint.event_id);
    });
  }

  get(name: string, ids: readonly string[]): Document[] {
    const collection = this.#collection(name);
    const documents: Document[] = [];
    for (const id of ids) {
      const text = collection.get.get(id);
      if (text !== undefined) documents.push(JSON.parse(text) as Document);
    }
    return documents;
  }

  /** Returns the documents of a query as the text of a JSON array. */
  find(name: string, query: Query): string {
    return arrayOf(this.#texts(name, query));
  }

  /**
   * Returns the documents of a query in parts. If the list may be long, reads only the first part, so that other
   * requests can be served between parts. Each later part contains the documents in their state when that part is read.
   * Documents that were deleted by then are missing.
   */
  findParts(name: string, query: Query): ListParts {
    const collection = this.#collection(name);
    const mayBeLong = collection.hasLongLists || (query.limit ?? Infinity) > SHORT_LIST;
    // If an index contains all requested fields, no document has to be read.
    const readsDocuments = !query.fields?.every((field) => field === 'id' || collection.indexed.has(field));
    const listed = mayBeLong && readsDocuments ? explicitIds(query) : null;
    if (listed) {
      const rows = listed.map((id) => [id, 0] as const);
      return this.nextPart({ sql: oneSql(collection, query.fields), rows, next: 0 });
    }
    if (mayBeLong && readsDocuments) {
      const { text, parameters } = idsSql(collection, query);
      const rows = this.#statement(text)
        .raw()
        .all(...parameters) as [string, number][];
      if (rows.reduce((sum, [, bytes]) => sum + bytes, 0) > LONG_LIST) collection.hasLongLists = true;
      return this.nextPart({ sql: oneSql(collection, query.fields), rows, next: 0 });
    }
    const parts: string[] = [];
    let part: string[] = [];
    let [length, total] = [0, 0];
    for (const text of this.#texts(name, query)) {
      if (part.length > 0 && length + text.length > PART) {
        parts.push(arrayOf(part));
        part = [];
        length = 0;
      }
      part.push(text);
      length += text.length;
      total += text.length;
    }
    parts.push(arrayOf(part));
    if (total > LONG_LIST) collection.hasLongLists = true;
    return { parts, rest: null };
  }

  /** Reads the next part of a list. */
  nextPart({ sql, rows, next }: ListRest): ListParts {
    const one = this.#statement(sql).pluck();
    const part: string[] = [];
    let end = next;
    for (let length = 0; end < rows.length; end++) {
      const [id = '', bytes = 0] = rows[end] ?? [];
      if (part.length > 0 && length + bytes > PART) break;
      const text = one.get(id);
      if (typeof text === 'string') part.push(text);
      length += bytes === 0 && typeof text === 'string' ? text.length : bytes;
    }
    const rest = end < rows.length ? { sql, rows, next: end } : null;
    return { parts: [arrayOf(part)], rest };
  }

  /** Returns whether a collection has so few documents that any list or count of it takes only a millisecond or two. */
  hasFew(name: string): boolean {
    const collection = this.#collection(name);
    const now = performance.now();
    if (now < collection.manyUntil) return false;
    if (collection.few.get() === 1) return true;
    collection.manyUntil = now + MANY_FOR;
    return false;
  }

  count(name: string, where: Where = {}): number {
    return this.#run(countSql(this.#collection(name), where))[0] as number;
  }

  sweep(name: string, before: string, limit: number): number {
    const collection = this.#collection(name);
    const field = collection.declaration.expires?.field;
    if (field === undefined) throw new TypeError(`${name} is kept for ever.`);
    return this.#statement(sweepSql(collection, field)).run(before, limit).changes;
  }

  /** Limits the page cache, in KiB. */
  limitCache(kibibytes: number): void {
    this.connection.pragma(`cache_size = -${kibibytes}`);
  }

  /**
   * Copies the WAL into the database and empties the WAL. This can fail, for example while another connection reads
   * from the WAL, or if the disk is full. In this case nothing changes.
   *
   * @returns whether the WAL is empty
   */
  emptyWal(): boolean {
    this.connection.pragma('busy_timeout = 0');
    try {
      const [result] = this.connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
      return result.busy === 0;
    } catch {
      return false;
    } finally {
      this.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    }
  }

  close(): void {
    this.connection.close();
  }

  #texts(name: string, query: Query): string[] {
    return this.#run(findSql(this.#collection(name), query)) as string[];
  }

  #run({ text, parameters }: Sql): unknown[] {
    return this.#statement(text)
      .pluck()
      .all(...parameters);
  }

  #statement(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.connection.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known) return known;
    const declaration = declarationsIn(this.connection).get(name);
    if (!declaration) throw new TypeError(`There is no collection ${JSON.stringify(name)}.`);
    const table = tableOf(name);
    const fields = indexedFields(declaration);
    const collection: Collection = {
      name: table,
      declaration,
      indexed: new Set(fields),
      paths: fields.map(pathOf),
      get: this.connection.prepare<[string], string>(`SELECT document FROM ${table} WHERE id = ?`).pluck(),
      // REPLACE is not used, because it moves the row to the end of the table and rewrites all its index entries. The
      // WHERE clause skips an update that changes nothing, because an update would rewrite index entries even then.
      put: this.connection.prepare(
        `INSERT INTO ${table} (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document WHERE document <> excluded.document`,
      ),
      few: this.connection
        .prepare<[], number>(
          `WITH some AS (SELECT octet_length(document) AS bytes FROM ${table} LIMIT ${FEW + 1}) SELECT count(*) <= ${FEW} AND total(bytes) <= ${PART} FROM some`,
        )
        .pluck(),
      manyUntil: 0,
      delete: this.connection.prepare(`DELETE FROM ${table} WHERE id = ?`),
      hasLongLists: false,
    };
    this.#collections.set(name, collection);
    return collection;
  }

  /**
   * Runs an action in one transaction. Takes the write lock first, so that the transaction can't fail half-way because
   * of another writer.
   */
  #atOnce(action: () => void): void {
    this.#statement('BEGIN IMMEDIATE').run();
    try {
      action();
      this.#statement('COMMIT').run();
    } catch (error) {
      // After some failures SQLite has already rolled back.
      if (this.connection.inTransaction) this.#statement('ROLLBACK').run();
      throw error;
    }
  }
}
