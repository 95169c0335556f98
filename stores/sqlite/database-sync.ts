import type BetterSqlite3 from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { SqliteError, errorOf, withSqliteErrors } from './native-errors.ts';
import { castToText, hasNul } from './nul-parameters.ts';

type Value = string | number | bigint | Uint8Array | null;

/** The part of the interface of `node:sqlite` that this file uses. */
export interface NodeSqlite {
  DatabaseSync: new (file: string, options: { readOnly: boolean; timeout: number }) => NativeDatabase;
  backup: (source: NativeDatabase, file: string, options: { rate: number }) => Promise<number>;
}

interface NativeDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare: (sql: string) => NativeStatement;
  exec: (sql: string) => void;
  function: (name: string, options: FunctionOptions, body: (...values: Value[]) => unknown) => void;
  close: () => void;
}

interface FunctionOptions {
  deterministic: boolean;
  useBigIntArguments: boolean;
  varargs: boolean;
}

interface NativeStatement {
  run: (...parameters: unknown[]) => { changes: number; lastInsertRowid: number | bigint };
  get: (...parameters: unknown[]) => Value[] | undefined;
  all: (...parameters: unknown[]) => Value[][];
  columns: () => { name: string }[];
  setReturnArrays: (enabled: boolean) => void;
  setAllowUnknownNamedParameters: (enabled: boolean) => void;
}

interface DatabaseOptions {
  readonly?: boolean;
  fileMustExist?: boolean;
  /** maximum time in milliseconds to wait for a lock of another connection; default: 5,000 */
  timeout?: number;
}

/** A number of pages that no database exceeds. */
const ALL_PAGES = 0x7fffffff;

/**
 * Wraps a package that has the interface of `node:sqlite`. The result has the part of better-sqlite3's interface that
 * Uptrail uses, and returns the same results as better-sqlite3: see test/contracts/sqlite-driver.ts.
 */
export const adaptToBetterSqlite3 = ({ DatabaseSync, backup }: NodeSqlite): typeof BetterSqlite3 => {
  class Database {
    static readonly SqliteError = SqliteError;
    readonly name: string;
    readonly readonly: boolean;
    readonly #native: NativeDatabase;

    constructor(file: string, { readonly = false, fileMustExist = false, timeout = 5_000 }: DatabaseOptions = {}) {
      const isFile = file !== '' && file !== ':memory:';
      if (isFile && !existsSync(dirname(file))) {
        throw new TypeError('Cannot open database because the directory does not exist');
      }
      if (isFile && fileMustExist && !existsSync(file)) {
        throw new SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
      }
      this.name = file;
      this.readonly = readonly;
      this.#native = withSqliteErrors(() => new DatabaseSync(file, { readOnly: readonly, timeout }));
    }

    get open(): boolean {
      return this.#native.isOpen;
    }

    get inTransaction(): boolean {
      return this.#native.isOpen && this.#native.isTransaction;
    }

    prepare(sql: string): Statement {
      return new Statement(sql, (text) => withSqliteErrors(() => this.#native.prepare(text)));
    }

    exec(sql: string): this {
      withSqliteErrors(() => {
        this.#native.exec(sql);
      });
      return this;
    }

    pragma(source: string, { simple = false } = {}): unknown {
      const statement = this.prepare(`PRAGMA ${source}`);
      return simple ? statement.pluck().get() : statement.all();
    }

    function(name: string, { deterministic = false }, body: (...values: unknown[]) => unknown): this {
      // Integers are passed as bigint, because an integer beyond 2^53 that is passed as a number would cause an error.
      // JSON from other programs contains such integers.
      const options = { deterministic, useBigIntArguments: true, varargs: true };
      this.#native.function(name, options, (...values) => body(...values.map(argument)));
      return this;
    }

    transaction<Arguments extends unknown[], Result>(action: (...values: Arguments) => Result) {
      const within =
        (begin: string) =>
        (...values: Arguments): Result =>
          this.#atomically(begin, () => action(...values));
      return Object.assign(within('BEGIN'), {
        deferred: within('BEGIN DEFERRED'),
        immediate: within('BEGIN IMMEDIATE'),
        exclusive: within('BEGIN EXCLUSIVE'),
      });
    }

    /** Copies all pages in one step. A copy in several steps starts again whenever another connection writes. */
    async backup(file: string): Promise<void> {
      if (!existsSync(dirname(file))) {
        throw new TypeError('Cannot save backup because the directory does not exist');
      }
      try {
        await backup(this.#native, file, { rate: ALL_PAGES });
      } catch (error) {
        throw errorOf(error);
      }
    }

    close(): this {
      withSqliteErrors(() => {
        if (this.#native.isOpen) this.#native.close();
      });
      return this;
    }

    #atomically<Result>(begin: string, action: () => Result): Result {
      const [before, after, undo] = this.inTransaction
        ? ['SAVEPOINT nested', 'RELEASE nested', 'ROLLBACK TO nested; RELEASE nested']
        : [begin, 'COMMIT', 'ROLLBACK'];
      this.exec(before);
      try {
        const result = action();
        this.exec(after);
        return result;
      } catch (error) {
        // After some failures, SQLite has already rolled back.
        if (this.inTransaction) this.exec(undo);
        throw error;
      }
    }
  }
  return Database as unknown as typeof BetterSqlite3;
};

/** A prepared statement. Rows are objects, unless `raw` (arrays) or `pluck` (first column) was called. */
class Statement {
  readonly #sql: string;
  readonly #prepare: (sql: string) => NativeStatement;
  readonly #native: NativeStatement;
  #rowOf: (values: Value[]) => unknown = (values) => this.#object(values);
  #names: readonly string[] | null = null;

  constructor(sql: string, prepare: (sql: string) => NativeStatement) {
    this.#sql = sql;
    this.#prepare = (text) => {
      const native = prepare(text);
      native.setReturnArrays(true);
      native.setAllowUnknownNamedParameters(true);
      return native;
    };
    this.#native = this.#prepare(sql);
  }

  pluck(): this {
    this.#rowOf = first;
    return this;
  }

  raw(): this {
    this.#rowOf = array;
    return this;
  }

  run(...parameters: unknown[]): { changes: number; lastInsertRowid: number | bigint } {
    return withSqliteErrors(() =>
      parameters.some(hasNul)
        ? this.#withNul(parameters, (native, whole) => native.run(...whole))
        : this.#native.run(...parameters),
    );
  }

  get(...parameters: unknown[]): unknown {
    const values = withSqliteErrors(() =>
      parameters.some(hasNul)
        ? this.#withNul(parameters, (native, whole) => native.get(...whole))
        : this.#native.get(...parameters),
    );
    return values && this.#rowOf(values);
  }

  all(...parameters: unknown[]): unknown[] {
    const rows = withSqliteErrors(() =>
      parameters.some(hasNul)
        ? this.#withNul(parameters, (native, whole) => native.all(...whole))
        : this.#native.all(...parameters),
    );
    return rows.map(this.#rowOf);
  }

  /**
   * Runs the statement with parameters that contain a NUL character. The package would truncate a text at this
   * character without an error, so such texts are bound as bytes.
   */
  #withNul<Result>(
    parameters: readonly unknown[],
    execute: (native: NativeStatement, parameters: readonly unknown[]) => Result,
  ): Result {
    const sql = castToText(this.#sql, (index) => hasNul(parameters[index]));
    const whole = parameters.map((value) => (typeof value === 'string' && hasNul(value) ? Buffer.from(value) : value));
    return execute(this.#prepare(sql), whole);
  }

  /**
   * Converts a row to an object. The row objects of the package are not used, because they have no prototype and are
   * slower.
   */
  #object(values: Value[]): Record<string, unknown> {
    // The columns of `SELECT *` may change with the schema. If their number has changed, the cached names are read
    // again.
    if (this.#names?.length !== values.length)
      this.#names = withSqliteErrors(() => this.#native.columns()).map(({ name }) => name);
    const row: Record<string, unknown> = {};
    for (const [column, name] of this.#names.entries()) row[name] = withBuffer(values[column]);
    return row;
  }
}

const first = (values: Value[]): unknown => withBuffer(values[0]);

const array = (values: Value[]): unknown[] => {
  for (let column = 0; column < values.length; column++) values[column] = withBuffer(values[column]) as Value;
  return values;
};

/** Converts bytes to a Buffer on the same memory. Returns other values unchanged. */
const withBuffer = (value: Value | undefined): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

/** Converts an argument of a user-defined function. */
const argument = (value: Value): unknown => (typeof value === 'bigint' ? Number(value) : withBuffer(value));
