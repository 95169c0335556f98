import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from '../../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GenerationMissing, ReadStoreUnavailable, type Document } from '../../../../stores/read-store/port.ts';
import { available, openGenerationFiles } from '../../../../stores/read-store/sqlite/generation-files.ts';
import { openSqliteReadStore } from '../../../../stores/read-store/sqlite/open.ts';
import { NewerSchema } from '../../../../stores/sqlite/migrate.ts';
import { at, commitThings, HOLDER, openThings } from '../../../contracts/read-store/opened.ts';
import { rejects } from '../../../rejects.ts';
import { temporaryDirectory } from '../../temporary.ts';

const GENERATION = { projection: 'things@1', number: 3 };
const FILE = 'things@1.3.db';

const test = suite<{ directory: string; remove: () => void }>('failures of a SQLite read store');

test.before.each((context) => {
  Object.assign(context, temporaryDirectory());
});

test.after.each(({ remove }) => {
  remove();
});

test('a commit on a full disk changes nothing, and commits succeed again when there is room', ({ directory }) => {
  const files = openGenerationFiles({ directory, mode: 'writer' });
  const file = files.create(GENERATION);
  file.open({ things: { indexes: [] } }, false);
  file.commit({ things: [{ put: { id: 'a' } }] }, at(1n));
  const writes = { things: [{ delete: 'a' }, { put: { id: 'b', text: 'x'.repeat(100_000) } as Document }] };
  const pages = file.connection.pragma('page_count', { simple: true }) as number;
  file.connection.pragma(`max_page_count = ${pages}`);
  assert.throws(
    () => {
      available(() => {
        file.commit(writes, at(2n));
      });
    },
    (error: unknown) => error instanceof ReadStoreUnavailable && error.message.includes('SQLITE_FULL'),
  );
  assert.equal(file.get('things', ['a', 'b']), [{ id: 'a' }]);
  assert.equal(file.checkpoint, at(1n));
  file.connection.pragma('max_page_count = 1000000');
  file.commit(writes, at(2n));
  assert.is(file.count('things'), 1);
  assert.equal(file.checkpoint, at(2n));
  files.close();
});

test('a writer that can not get the lock of a read model fails, and does not delay readers', ({ directory }) => {
  const files = openGenerationFiles({ directory, mode: 'writer' });
  const file = files.create(GENERATION);
  file.open({ things: { indexes: [] } }, false);
  file.connection.pragma('busy_timeout = 10');
  const commit = (): void => {
    available(() => {
      file.commit({ things: [{ put: { id: 'a' } }] }, at(1n));
    });
  };
  const other = new Database(join(directory, FILE));
  other.exec('BEGIN IMMEDIATE');
  assert.throws(
    commit,
    (error: unknown) => error instanceof ReadStoreUnavailable && error.message.includes('SQLITE_BUSY'),
  );
  const readers = openGenerationFiles({ directory, mode: 'reader' });
  assert.is(readers.of(GENERATION).count('things'), 0);
  other.close();
  commit();
  assert.is(readers.of(GENERATION).count('things'), 1);
  readers.close();
  files.close();
});

test('a read model file that is not a database makes the read model unavailable instead of empty', async ({
  directory,
}) => {
  writeFileSync(join(directory, FILE), 'no database '.repeat(1_000));
  const store = openSqliteReadStore({ directory, mode: 'reader' });
  await rejects(store.get(GENERATION, 'things', ['a']), ReadStoreUnavailable, /SQLITE_NOTADB/);
  await store.close();
});

test('a read model file of a newer release is refused with a sentence and left unchanged', async ({ directory }) => {
  const newer = new Database(join(directory, FILE));
  newer.pragma('user_version = 99');
  newer.close();
  for (const mode of ['reader', 'writer'] as const) {
    const store = openSqliteReadStore({ directory, mode });
    await rejects(store.get(GENERATION, 'things', ['a']), NewerSchema, /^.*things@1\.3\.db has schema version 99/);
    await store.close();
  }
});

test('an empty read model file of a writer that died early counts as a missing generation, and the generation can be created', async ({
  directory,
}) => {
  writeFileSync(join(directory, FILE), '');
  for (const mode of ['reader', 'writer'] as const) {
    const store = openSqliteReadStore({ directory, mode });
    await rejects(store.find(GENERATION, 'things', {}), GenerationMissing);
    await store.close();
  }
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  await openThings(store, GENERATION, [{ id: 'a' }]);
  assert.is(await store.count(GENERATION, 'things'), 1);
  await store.close();
});

test('dropping a generation removes all its files', async ({ directory }) => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  await openThings(store, GENERATION, [{ id: 'a' }]);
  assert.ok(existsSync(join(directory, `${FILE}-wal`)));
  await store.drop(GENERATION, HOLDER);
  assert.equal(readdirSync(directory), []);
  await store.close();
});

test('the name of a generation can not lead outside the directory', async ({ directory }) => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  for (const projection of ['../things@1', 'a/b@1', 'things', '.@1']) {
    await rejects(store.open({ projection, number: 1 }, {}), TypeError);
    await rejects(store.drop({ projection, number: 1 }, HOLDER), TypeError);
  }
  await store.close();
});

test('a read store opened for reading refuses writes', async ({ directory }) => {
  const store = openSqliteReadStore({ directory, mode: 'reader' });
  await rejects(store.open(GENERATION, {}), TypeError, 'This read store is open for reading only.');
  await rejects(commitThings(store, GENERATION, []), TypeError);
  await rejects(store.drop(GENERATION, HOLDER), TypeError);
  await store.close();
});

test.run();
