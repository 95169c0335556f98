import type BetterSqlite3 from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from '../stores/temporary.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

/** The behaviour that the stores require of each package that `stores/sqlite/driver.ts` can use. */
export const sqliteDriverContract = (name: string, Database: typeof BetterSqlite3): void => {
  const test = suite(`${name} fulfils the contract of the SQLite driver`);
  const { SqliteError } = Database;

  const { directory, remove } = temporaryDirectory();
  test.after(remove);
  let files = 0;
  const file = (): string => join(directory, `${files++}.db`);

  const opened: BetterSqlite3.Database[] = [];
  const open = (path = ':memory:', options: BetterSqlite3.Options = {}): BetterSqlite3.Database => {
    const connection = new Database(path, options);
    opened.push(connection);
    return connection;
  };
  test.after.each(() => {
    for (const connection of opened.splice(0)) connection.close();
  });

  /** Returns the code and message of SQLite's error. */
  const failure = (action: () => unknown): [code: string, message: string] => {
    try {
      action();
    } catch (error) {
      assert.instance(error, SqliteError);
      assert.instance(error, Error);
      const { name, code, message } = error as Error & { code: string };
      assert.is(name, 'SqliteError');
      return [code, message];
    }
    throw new Error('Nothing was thrown.');
  };

  test('a row is returned as a plain object, an array, or its first column', () => {
    const connection = open();
    const sql = 'SELECT 1 AS one, NULL AS two UNION ALL SELECT 3, 4';
    assert.equal(connection.prepare(sql).get(), { one: 1, two: null });
    assert.is(Object.getPrototypeOf(connection.prepare(sql).get()), Object.prototype);
    assert.equal(connection.prepare(sql).all(), [
      { one: 1, two: null },
      { one: 3, two: 4 },
    ]);
    assert.equal(connection.prepare(sql).raw().get(), [1, null]);
    assert.equal(connection.prepare(sql).raw().all(), [
      [1, null],
      [3, 4],
    ]);
    assert.is(connection.prepare(sql).pluck().get(), 1);
    assert.equal(connection.prepare(sql).pluck().all(), [1, 3]);
  });

  test('a query without rows returns undefined, or an empty list', () => {
    const none = open().prepare('SELECT 1 WHERE 0');
    assert.is(none.get(), undefined);
    assert.equal(none.all(), []);
    assert.is(none.pluck().get(), undefined);
  });

  test('values are read as they were written', () => {
    const connection = open();
    connection.exec('CREATE TABLE "values" (value)');
    const roundTrip = (value: unknown): unknown => {
      connection.exec('DELETE FROM "values"');
      connection.prepare('INSERT INTO "values" VALUES (?)').run(value);
      return connection.prepare('SELECT value FROM "values"').pluck().get();
    };
    for (const value of [0, -1, 1.5, 2 ** 31, LARGEST, -LARGEST, '', 'Grüße 🚀', 'x'.repeat(100_000), null]) {
      assert.is(roundTrip(value), value);
    }
    assert.is(roundTrip(undefined), null);
    assert.is(roundTrip(7n), 7);
    for (const bytes of [Buffer.alloc(0), Buffer.of(0, 1, 255), Buffer.from('xabcx').subarray(1, 4)]) {
      const found = roundTrip(bytes);
      assert.ok(Buffer.isBuffer(found));
      assert.equal(found, bytes);
    }
  });

  test('bytes are returned as a Buffer in every form of a row', () => {
    const statement = open().prepare("SELECT x'00ff' AS bytes");
    assert.ok(Buffer.isBuffer((statement.get() as { bytes: unknown }).bytes));
    assert.ok(Buffer.isBuffer((statement.all() as { bytes: unknown }[])[0]?.bytes));
    assert.ok(Buffer.isBuffer((statement.raw().all() as unknown[][])[0]?.[0]));
    assert.ok(Buffer.isBuffer(statement.pluck().all()[0]));
  });

  test('a number is bound as a floating-point number, and a bigint as an integer', () => {
    const type = open().prepare('SELECT typeof(?)').pluck();
    assert.is(type.get(5), 'real');
    assert.is(type.get(5n), 'integer');
    assert.is(type.get(Buffer.of(1)), 'blob');
  });

  test('text with a NUL character is stored, found and read completely', () => {
    const connection = open();
    connection.exec('CREATE TABLE texts (id INTEGER, text TEXT, "why?" TEXT)');
    const add = connection.prepare(`INSERT INTO texts VALUES (?, ?, 'it''s?' || ?) -- or?`);
    const text = 'Grüße\0🚀';
    add.run(1, text, 'b');
    add.run(2, 'Grüße', 'b\0c');
    assert.is(add.run(3, 'plain', '').changes, 1);
    const whole = connection.prepare<[string, string]>('SELECT * FROM texts WHERE text = ? OR "why?" = ? ORDER BY id');
    assert.equal(whole.all(text, "it's?b\0c"), [
      { id: 1, text, 'why?': "it's?b" },
      { id: 2, text: 'Grüße', 'why?': "it's?b\0c" },
    ]);
    assert.equal(whole.get('Grüße', "it's?b\0d"), { id: 2, text: 'Grüße', 'why?': "it's?b\0c" });
    const compared = connection.prepare('SELECT ? < ?').pluck();
    assert.is(compared.get(5, '1\0'), 1);
    assert.is(compared.get('a\0a', 'a\0b'), 1);
  });

  test('an object binds the named parameters, and may have more properties', () => {
    const statement = open().prepare('SELECT :one, @two, $three').raw();
    assert.equal(statement.get({ one: 1, two: 'b', three: null, four: 4 }), [1, 'b', null]);
  });

  test('a write returns the number of changed rows and the last id', () => {
    const connection = open();
    connection.exec('CREATE TABLE names (id INTEGER PRIMARY KEY, name UNIQUE)');
    const add = connection.prepare('INSERT OR IGNORE INTO names (name) VALUES (?)');
    assert.equal(add.run('a'), { changes: 1, lastInsertRowid: 1 });
    assert.equal(add.run('b'), { changes: 1, lastInsertRowid: 2 });
    assert.is(add.run('b').changes, 0);
    assert.is(connection.prepare('DELETE FROM names').run().changes, 2);
    assert.is(connection.prepare('DELETE FROM names').run().changes, 0);
    add.run('c');
    assert.equal(connection.prepare('DELETE FROM names RETURNING name').all(), [{ name: 'c' }]);
  });

  test('a statement adapts to a change of the schema', () => {
    const connection = open();
    connection.exec('CREATE TABLE things (one); INSERT INTO things VALUES (1)');
    const all = connection.prepare('SELECT * FROM things');
    assert.equal(all.all(), [{ one: 1 }]);
    connection.exec('ALTER TABLE things ADD COLUMN two DEFAULT 2');
    assert.equal(all.all(), [{ one: 1, two: 2 }]);
    assert.equal(all.get(), { one: 1, two: 2 });
  });

  test('pragmas are read as a value or as rows, and written', () => {
    const connection = open(file());
    assert.is(connection.pragma('user_version', { simple: true }), 0);
    connection.pragma('user_version = 7');
    assert.equal(connection.pragma('user_version'), [{ user_version: 7 }]);
    assert.equal(connection.pragma('journal_mode = WAL'), [{ journal_mode: 'wal' }]);
    assert.is(connection.pragma('integrity_check(1)', { simple: true }), 'ok');
    const [state] = connection.pragma('wal_checkpoint(NOOP)') as { busy: number; log: number }[];
    assert.is(state?.busy, 0);
  });

  test('foreign keys are enforced, and names in double quotes are not strings', () => {
    const connection = open();
    assert.is(connection.pragma('foreign_keys', { simple: true }), 1);
    assert.is(failure(() => connection.prepare('SELECT "text"'))[0], 'SQLITE_ERROR');
  });

  test("an error has the name of SQLite's extended result code", () => {
    const connection = open();
    connection.exec('CREATE TABLE names (id TEXT PRIMARY KEY, name UNIQUE NOT NULL); INSERT INTO names VALUES (1, 1)');
    const add = connection.prepare('INSERT INTO names VALUES (?, ?)');
    assert.equal(
      failure(() => add.run('1', 2)),
      ['SQLITE_CONSTRAINT_PRIMARYKEY', 'UNIQUE constraint failed: names.id'],
    );
    assert.is(failure(() => add.run(2, 1))[0], 'SQLITE_CONSTRAINT_UNIQUE');
    assert.is(failure(() => add.run(2, null))[0], 'SQLITE_CONSTRAINT_NOTNULL');
    assert.is(
      failure(() => connection.prepare('INSERT INTO names VALUES (1, 1) RETURNING id').all())[0].slice(0, 17),
      'SQLITE_CONSTRAINT',
    );
    assert.is(failure(() => connection.exec("INSERT INTO names VALUES ('1', 2)"))[0], 'SQLITE_CONSTRAINT_PRIMARYKEY');
    assert.equal(
      failure(() => connection.prepare('SELEKT')),
      ['SQLITE_ERROR', 'near "SELEKT": syntax error'],
    );
    assert.equal(
      failure(() => connection.exec('DELETE FROM absent')),
      ['SQLITE_ERROR', 'no such table: absent'],
    );
  });

  test('a write to a full database throws SQLITE_FULL', () => {
    const connection = open(file());
    connection.exec('CREATE TABLE filler (bytes)');
    connection.pragma('max_page_count = 4');
    const fill = connection.prepare('INSERT INTO filler VALUES (zeroblob(?))');
    assert.equal(
      failure(() => fill.run(100_000)),
      ['SQLITE_FULL', 'database or disk is full'],
    );
    assert.is(connection.inTransaction, false);
  });

  test('every method waits for the lock of another connection, and throws if the lock is not released in time', () => {
    const path = file();
    const holder = open(path);
    holder.exec('CREATE TABLE things (one); BEGIN EXCLUSIVE');
    const patient = open(path, { timeout: 200 });
    const started = performance.now();
    assert.equal(
      failure(() => patient.exec('BEGIN IMMEDIATE')),
      ['SQLITE_BUSY', 'database is locked'],
    );
    const waited = performance.now() - started;
    assert.ok(waited >= 150 && waited < 5_000, waited.toString());

    const impatient = open(path, { timeout: 0 });
    assert.is(failure(() => impatient.exec('BEGIN EXCLUSIVE'))[0], 'SQLITE_BUSY');
    assert.is(failure(() => impatient.pragma('journal_mode = WAL'))[0], 'SQLITE_BUSY');
    assert.is(failure(() => impatient.pragma('user_version', { simple: true }))[0], 'SQLITE_BUSY');
    holder.exec('COMMIT');
    const all = impatient.prepare('SELECT * FROM things');
    const add = impatient.prepare('INSERT INTO things VALUES (1)');
    holder.exec('BEGIN EXCLUSIVE');
    assert.is(failure(() => all.all())[0], 'SQLITE_BUSY');
    assert.is(failure(() => all.get())[0], 'SQLITE_BUSY');
    assert.is(failure(() => add.run())[0], 'SQLITE_BUSY');
    holder.exec('COMMIT');
    assert.is(add.run().changes, 1);
  });

  test('absent, damaged and read-only files throw different errors', () => {
    const absent = join(directory, 'absent.db');
    assert.equal(
      failure(() => open(absent, { readonly: true, fileMustExist: true })),
      ['SQLITE_CANTOPEN', 'unable to open database file'],
    );
    assert.is(existsSync(absent), false);
    const folder = file();
    mkdirSync(folder);
    assert.match(failure(() => open(folder).pragma('user_version'))[0], /^SQLITE_CANTOPEN/);
    assert.throws(() => open('/nowhere/at/all.db'), /directory does not exist/);

    const damaged = file();
    writeFileSync(damaged, 'This is no database. '.repeat(1_000));
    assert.equal(
      failure(() => open(damaged).pragma('user_version', { simple: true })),
      ['SQLITE_NOTADB', 'file is not a database'],
    );

    const path = file();
    open(path).exec('CREATE TABLE things (one)');
    const reading = open(path, { readonly: true });
    assert.is(reading.readonly, true);
    assert.is(failure(() => reading.exec('INSERT INTO things VALUES (1)'))[0], 'SQLITE_READONLY');
  });

  test('a transaction is committed completely, or rolled back when its function throws', () => {
    const connection = open();
    connection.exec('CREATE TABLE things (one)');
    const count = connection.prepare('SELECT count(*) FROM things').pluck();
    const add = connection.prepare('INSERT INTO things VALUES (?)');
    const addAll = connection.transaction((values: number[]) => {
      assert.is(connection.inTransaction, true);
      for (const value of values) {
        if (value < 0) throw new RangeError('below zero');
        add.run(value);
      }
      return values.length;
    });
    assert.is(addAll([1, 2]), 2);
    assert.is(addAll.immediate([3]), 1);
    assert.is(connection.inTransaction, false);
    assert.throws(() => addAll([4, -1]), /^below zero$/);
    assert.throws(() => addAll.immediate([4, -1]), /^below zero$/);
    assert.is(connection.inTransaction, false);
    assert.is(count.get(), 3);

    connection.transaction(() => {
      addAll([5]);
      assert.throws(() => addAll([6, -1]), /^below zero$/);
    })();
    assert.is(count.get(), 4);
  });

  test('an immediate transaction waits for the lock before its function runs', () => {
    const path = file();
    const holder = open(path);
    holder.exec('BEGIN IMMEDIATE');
    const other = open(path, { timeout: 0 });
    let ran = false;
    const run = other.transaction(() => {
      ran = true;
    });
    assert.is(
      failure(() => {
        run.immediate();
      })[0],
      'SQLITE_BUSY',
    );
    assert.is(ran, false);
  });

  test('a JavaScript function in a query receives the values of its arguments, and its errors are thrown unchanged', () => {
    const connection = open();
    const seen: unknown[][] = [];
    connection.function('describe', { deterministic: true }, (one: unknown, two: unknown) => {
      seen.push([one, two]);
      if (one === 'bad') throw new RangeError('bad value');
      return typeof one === 'string' ? `${one}!` : 1;
    });
    const statement = connection.prepare('SELECT describe(?, ?)').pluck();
    assert.is(statement.get('Grüße', null), 'Grüße!');
    assert.is(statement.get(2.5, 'x'), 1);
    assert.equal(seen, [
      ['Grüße', null],
      [2.5, 'x'],
    ]);
    assert.throws(
      () => statement.get('bad', 1),
      (error: unknown) => error instanceof RangeError && error.message === 'bad value',
    );
    assert.is(statement.get('good', 1), 'good!');

    const integers = connection.prepare('SELECT describe(9007199254740993, -9007199254740993)').pluck();
    assert.is(integers.get(), 1);
    assert.equal(seen.at(-1), [2 ** 53, -(2 ** 53)]);
    connection.prepare("SELECT describe(x'00', 7)").get();
    assert.equal(seen.at(-1), [Buffer.of(0), 7]);
  });

  test('no other statement runs while a query calls a JavaScript function', async () => {
    const connection = open();
    connection.function('plain', { deterministic: true }, () => 1);
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        process.nextTick(() => order.push('tick'));
        void Promise.resolve().then(() => order.push('microtask'));
        connection.prepare('SELECT plain()').get();
        order.push('query');
        setImmediate(resolve);
      });
    });
    assert.equal(order, ['query', 'tick', 'microtask']);
  });

  test('a closed connection has released its files, even with prepared statements', () => {
    const path = file();
    const connection = open(path);
    connection.pragma('journal_mode = WAL');
    connection.exec('CREATE TABLE things (one)');
    const add = connection.prepare('INSERT INTO things VALUES (1)');
    add.run();
    assert.ok(existsSync(`${path}-wal`));
    assert.is(connection.open, true);
    assert.is(connection.name, path);
    connection.close();
    assert.is(connection.open, false);
    assert.is(existsSync(`${path}-wal`), false);
    if (existsSync('/proc/self/fd'))
      assert.equal(
        openFiles().filter((name) => name.startsWith(path)),
        [],
      );
    assert.throws(() => add.run());
    assert.throws(() => connection.prepare('SELECT 1'));
    connection.close();
  });

  test('a backup is a complete copy, including data that is only in the WAL', async () => {
    const path = file();
    const copy = file();
    const connection = open(path);
    connection.pragma('journal_mode = WAL');
    connection.exec('CREATE TABLE things (one)');
    connection.prepare('INSERT INTO things VALUES (zeroblob(?))').run(1_000_000);
    const reading = open(path, { readonly: true });
    await reading.backup(copy, { progress: () => LARGEST });
    assert.is(open(copy).prepare('SELECT length(one) FROM things').pluck().get(), 1_000_000);
    let error: unknown;
    await reading.backup('/nowhere/at/all.db').catch((reason: unknown) => (error = reason));
    assert.match((error as Error).message, 'directory does not exist');
  });

  test.run();
};

const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return []; // This descriptor belonged to readdirSync, which has closed it.
    }
  });
