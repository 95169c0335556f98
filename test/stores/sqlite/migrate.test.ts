import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from '../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, NewerSchema } from '../../../stores/sqlite/migrate.ts';
import { openDatabase, openForReading } from '../../../stores/sqlite/open.ts';
import { temporaryDirectory } from '../temporary.ts';

const test = suite<{ file: string; remove: () => void }>('The schema of a SQLite file');

test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  Object.assign(context, { file: join(directory, 'some.db'), remove });
});

test.after.each(({ remove }) => {
  remove();
});

test('missing migrations are applied in order, and only once', ({ file }) => {
  const steps = ['CREATE TABLE steps (step)', 'INSERT INTO steps VALUES (2)', 'INSERT INTO steps VALUES (3)'];
  const connection = new Database(file);
  const appliedSteps = (): unknown[] => connection.prepare('SELECT step FROM steps ORDER BY rowid').pluck().all();
  migrate(connection, steps.slice(0, 2));
  assert.equal(appliedSteps(), [2]);
  migrate(connection, steps);
  migrate(connection, steps);
  assert.equal(appliedSteps(), [2, 3]);
  assert.throws(
    () => {
      migrate(connection, steps.slice(0, 2));
    },
    (error: unknown) => error instanceof NewerSchema,
  );
  connection.close();
});

test('a failing migration rolls back the migrations before it', ({ file }) => {
  const connection = new Database(file);
  assert.throws(() => {
    migrate(connection, ['CREATE TABLE first (a)', 'CREATE TABLE second (a']);
  });
  assert.is(connection.pragma('user_version', { simple: true }), 0);
  assert.equal(connection.prepare('SELECT name FROM sqlite_master').all(), []);
  connection.close();
});

test('the settings of a SQLite connection are applied', ({ file }) => {
  const options = { migrations: ['CREATE TABLE first (a)'], cacheKibibytes: 2_048, checkpointPages: 77 };
  for (const [synchronous, level] of [
    ['FULL', 2],
    ['NORMAL', 1],
  ] as const) {
    const connection = openDatabase(file, { ...options, synchronous });
    const pragma = (name: string) => connection.pragma(name, { simple: true });
    assert.is(pragma('journal_mode'), 'wal');
    assert.is(pragma('synchronous'), level);
    assert.is(pragma('cache_size'), -2_048);
    assert.is(pragma('wal_autocheckpoint'), 77);
    assert.is(pragma('user_version'), 1);
    connection.close();
  }
});

test('opening an absent or empty SQLite file for reading returns null', ({ file }) => {
  assert.is(openForReading(file, 1), null);
  new Database(file).close();
  assert.is(openForReading(file, 1), null);
  openDatabase(file, { migrations: ['CREATE TABLE first (a)'], synchronous: 'NORMAL' }).close();
  const connection = openForReading(file, 1);
  assert.equal(connection?.prepare('SELECT * FROM first').all(), []);
  assert.throws(() => connection?.exec('INSERT INTO first VALUES (1)'), /readonly/);
  connection?.close();
});

test('a SQLite file that exists but can not be opened, for example for lack of file descriptors, is not reported as absent', ({
  file,
}) => {
  assert.is(openForReading(file, 1), null);
  // SQLite opens no path of more than 512 characters.
  const folder = join(dirname(file), ...Array.from({ length: 6 }, () => 'f'.repeat(100)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'some.db'), '');
  assert.throws(() => openForReading(join(folder, 'some.db'), 1), /unable to open database file/);
  assert.is(openForReading(join(folder, 'other.db'), 1), null);
});

test.run();
