import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from '../../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { openForReading, openForWriting } from '../../../../stores/event-store/sqlite/schema.ts';
import { rejects } from '../../../rejects.ts';
import { temporaryDirectory } from '../../temporary.ts';

const test = suite<{ directory: string; file: string; remove: () => void }>('the schema of a SQLite log');

test.before.each((context) => {
  Object.assign(context, temporaryDirectory());
  context.file = join(context.directory, 'events.db');
});
test.after.each(({ remove }) => {
  remove();
});

const withVersion = (file: string, version: number): void => {
  const connection = new Database(file);
  connection.pragma(`user_version = ${version}`);
  connection.close();
};

test('a SQLite log writes to the disk at each commit, and allows concurrent readers', ({ file }) => {
  const connection = openForWriting(file);
  assert.is(connection.pragma('journal_mode', { simple: true }), 'wal');
  assert.is(connection.pragma('synchronous', { simple: true }), 2);
  connection.close();
});

for (const mode of ['service', 'appender', 'reader'] as const) {
  test(`opening a SQLite log of a newer release as ${mode} fails with an error message, and does not change the log`, async ({
    file,
  }) => {
    openForWriting(file).close();
    withVersion(file, 1_000);
    const before = readFileSync(file);
    await rejects(
      openSqliteEventStore({ file, name: 'main', mode }),
      Error,
      `${file} has schema version 1000, but this release knows versions up to 2 only. Run the newer release that wrote it.`,
    );
    assert.equal(readFileSync(file), before);
  });
}

test('a SQLite reader reports that there is no log, or that a service has to migrate it', async ({ file }) => {
  const reader = { file, name: 'main', mode: 'reader' } as const;
  await rejects(openSqliteEventStore(reader), Error, `There is no log at ${file}.`);
  withVersion(file, 0);
  await rejects(
    openSqliteEventStore(reader),
    Error,
    `${file} was written by an older release. Start the service once, which migrates it.`,
  );
});

test('a log file that is not a database, or is damaged, is refused with its name', async ({ file }) => {
  const refusal = `${file} is damaged: file is not a database. Restore it from a backup.`;
  writeFileSync(file, 'not a database, but long enough to be read as the header of one '.repeat(20));
  for (const mode of ['service', 'appender', 'reader'] as const) {
    await rejects(openSqliteEventStore({ file, name: 'main', mode }), Error, refusal);
  }
  await rejects(
    openSqliteEventStore({ file: dirname(file), name: 'main', mode: 'service' }),
    Error,
    `${dirname(file)} can't be opened: unable to open database file.`,
  );
});

test('a row of the log is no larger than its payload needs', ({ file }) => {
  const connection = openForWriting(file);
  const add = connection.prepare('INSERT INTO events VALUES (NULL, ?, ?, 3, 45773434913, ?, ?, ?)');
  const [id, payload] = [Buffer.alloc(16, 1), 'x'.repeat(200)];
  connection.transaction(() => {
    for (let index = 0; index < 10_000; index++) add.run(7, index, id, payload, payload);
  })();
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = connection.pragma('page_count', { simple: true }) as number;
  assert.ok((bytes * 4_096) / 10_000 < 400 + 90, `${(bytes * 4_096) / 10_000} bytes a row`);
  connection.close();
  const reader = openForReading(file);
  assert.throws(() => reader.exec('DELETE FROM events'), /readonly/);
  reader.close();
});

test.run();
