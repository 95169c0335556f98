/**
 * Counts the statements that a service executes in SQLite. Node.js loads this module before the service, in each of its
 * threads (`node --import`), so the product needs no code for counting. In response to each message of the parent
 * process, this module sends the current counts in the order of slots.ts, followed by the queries of readers per
 * collection.
 */
import Module from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { COLLECTIONS, SLOTS } from './slots.ts';

type Slot = (typeof SLOTS)[number];

const KEY = 'uptrail.bench.weight';
const collections = (process.env[COLLECTIONS] ?? '').split(',');

const shared = (): Int32Array => {
  if (!isMainThread) return getEnvironmentData(KEY) as unknown as Int32Array;
  const numbers = new Int32Array(
    new SharedArrayBuffer((SLOTS.length + collections.length) * Int32Array.BYTES_PER_ELEMENT),
  );
  setEnvironmentData(KEY, numbers);
  return numbers;
};
const numbers = shared();

const add = (slot: Slot): void => {
  Atomics.add(numbers, SLOTS.indexOf(slot), 1);
};

/** The counts of a connection since its transaction began; null outside of a transaction. */
interface Transaction {
  documents: number;
  positions: number;
}

interface Connection {
  /** whether the connection belongs to read models, not to a log */
  models: boolean;
  readonly: boolean;
  transaction: Transaction | null;
}

interface Statement {
  run: (...parameters: unknown[]) => unknown;
  get: (...parameters: unknown[]) => unknown;
  all: (...parameters: unknown[]) => unknown;
  iterate?: (...parameters: unknown[]) => unknown;
}

interface Native {
  prepare: (sql: string, ...rest: unknown[]) => Statement;
  exec: (sql: string) => unknown;
}

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;
const POSITION = /^\s*(?:INSERT|UPDATE|REPLACE)\b[^"]*\bcheckpoints?\b/i;
const READS = /^\s*SELECT\b.*\bFROM "documents_(\w+)"/is;
const BY_ID = /\bWHERE id = \?$/;

/** Counts a transaction that has ended. */
const committed = (connection: Connection): void => {
  const { transaction } = connection;
  connection.transaction = null;
  if (!transaction || transaction.documents + transaction.positions === 0) return;
  if (!connection.models) {
    add('otherCommits');
    return;
  }
  add('commits');
  if (transaction.documents === 0) add('positionCommits');
};

const wrote = (connection: Connection, what: keyof Transaction): void => {
  if (connection.transaction) {
    connection.transaction[what]++;
    return;
  }
  // A statement without BEGIN is a separate transaction.
  connection.transaction = { documents: 0, positions: 0, [what]: 1 };
  committed(connection);
};

/**
 * Returns a function that counts one execution of a statement; null if statements of this kind are not counted. Each
 * statement text is analysed only once.
 */
const countOf = (connection: Connection, sql: string): ((result: unknown) => void) | null => {
  if (/^\s*BEGIN\b/i.test(sql)) {
    return () => {
      connection.transaction = { documents: 0, positions: 0 };
    };
  }
  if (/^\s*(?:COMMIT|END)\b/i.test(sql))
    return () => {
      committed(connection);
    };
  if (/^\s*ROLLBACK\s*;?\s*$/i.test(sql)) {
    return () => {
      connection.transaction = null;
    };
  }
  if (WRITES.test(sql)) {
    const what = connection.models && POSITION.test(sql) ? 'positions' : 'documents';
    return (result) => {
      if ((result as { changes?: number } | undefined)?.changes !== 0) wrote(connection, what);
    };
  }
  const [, collection] = connection.models ? (READS.exec(sql) ?? []) : [];
  if (collection === undefined) return null;
  if (BY_ID.test(sql))
    return connection.readonly
      ? () => {
          add('documents');
        }
      : null;
  if (!connection.readonly)
    return () => {
      add('searches');
    };
  const index = collections.indexOf(collection);
  if (index < 0) throw new Error(`The collection ${collection} was not declared.`);
  return () => {
    Atomics.add(numbers, SLOTS.length + index, 1);
  };
};

/** Wraps the functions of a native driver's connection so that its statements are counted. */
const watch = (native: Native, file: string, readonly: boolean): void => {
  const connection: Connection = { models: /\bread-models\b/.test(file), readonly, transaction: null };
  const { prepare, exec } = native;
  const own = (object: object, name: string, value: unknown): void => {
    // Uses `defineProperty`, because assignments can't override properties of a native class's prototype.
    Object.defineProperty(object, name, { value });
  };
  own(native, 'prepare', (sql: string, ...rest: unknown[]): Statement => {
    const statement = prepare.call(native, sql, ...rest);
    const count = countOf(connection, sql);
    if (!count) return statement;
    for (const name of ['run', 'get', 'all'] as const) {
      const execute = statement[name];
      own(statement, name, (...parameters: unknown[]) => {
        const result = execute.apply(statement, parameters);
        count(result);
        return result;
      });
    }
    return statement;
  });
  own(native, 'exec', (sql: string): unknown => {
    const result = exec.call(native, sql);
    countOf(connection, sql)?.(result);
    return result;
  });
};

type NodeSqliteClass = new (file: string, options: { readOnly: boolean }) => Native;

/** Returns the interface of @photostructure/sqlite with counted connections. */
const watchedNodeSqlite = (loaded: { DatabaseSync: NodeSqliteClass }): object => ({
  ...loaded,
  DatabaseSync: class extends loaded.DatabaseSync {
    constructor(file: string, options: { readOnly: boolean }) {
      super(file, options);
      watch(this, file, options.readOnly);
    }
  },
});

type BetterSqlite3Class = new (file: string, options?: { readonly?: boolean }) => object;

/**
 * Returns the class of better-sqlite3 with counted connections. A property with a symbol as its name contains the
 * native connection.
 */
const watchedBetterSqlite3 = (Loaded: BetterSqlite3Class): object =>
  class extends Loaded {
    constructor(file: string, options: { readonly?: boolean } = {}) {
      super(file, options);
      for (const symbol of Object.getOwnPropertySymbols(this)) {
        const native = (this as Record<symbol, unknown>)[symbol];
        if (typeof (native as Native | undefined)?.prepare === 'function')
          watch(native as Native, file, options.readonly ?? false);
      }
    }
  };

const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
const load = loader._load;
const watched = new Map<unknown, object>();
const once = (loaded: unknown, make: () => object): object => {
  const made = watched.get(loaded) ?? make();
  watched.set(loaded, made);
  return made;
};
loader._load = (request, ...rest) => {
  const loaded = load.call(Module, request, ...rest);
  if (request === '@photostructure/sqlite')
    return once(loaded, () => watchedNodeSqlite(loaded as { DatabaseSync: NodeSqliteClass }));
  if (request === 'better-sqlite3') return once(loaded, () => watchedBetterSqlite3(loaded as BetterSqlite3Class));
  return loaded;
};

if (isMainThread && process.send) {
  process.on('message', () => {
    process.send?.([...numbers]);
  });
  // The channel to the parent process must not keep a stopped service alive.
  process.channel?.unref();
}
