import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from '../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeysUnavailable, UnreadableSeal } from '../../../stores/keys/port.ts';
import { openSqliteKeys } from '../../../stores/keys/sqlite.ts';
import { WrongWrappingKey } from '../../../stores/keys/wrapping.ts';
import { NewerSchema } from '../../../stores/sqlite/migrate.ts';
import { keysContract, movableKeysContract, LOCATION } from '../../contracts/keys.ts';
import { rejects } from '../../rejects.ts';
import { temporaryDirectory } from '../temporary.ts';

const wrappingKey = randomBytes(32);

keysContract(
  'SQLite',
  async () => {
    const { directory, remove } = temporaryDirectory();
    const again = async () => openSqliteKeys({ file: join(directory, 'keys.db'), wrappingKey });
    const keys = await again();
    return {
      keys,
      again,
      dispose: async () => {
        await keys.close();
        remove();
      },
    };
  },
  { durable: true },
);

movableKeysContract('SQLite', async () => {
  const { directory, remove } = temporaryDirectory();
  const keys = openSqliteKeys({ file: join(directory, 'keys.db'), wrappingKey: randomBytes(32) });
  return {
    keys,
    dispose: async () => {
      await keys.close();
      remove();
    },
  };
});

const test = suite<{ file: string; remove: () => void }>('keys.db');

test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  Object.assign(context, { file: join(directory, 'keys.db'), remove });
});

test.after.each(({ remove }) => {
  remove();
});

/** Returns all bytes on the disk: the database and its WAL. */
const bytesOf = (file: string): Buffer =>
  Buffer.concat([file, `${file}-wal`].filter((part) => existsSync(part)).map((part) => readFileSync(part)));

test('a wrong wrapping key for keys.db is refused with an error message, and nothing is changed', async ({ file }) => {
  const keys = openSqliteKeys({ file, wrappingKey });
  const sealed = await keys.seal('check-1', 'secret', LOCATION);
  await keys.close();
  const before = readFileSync(file);
  assert.throws(
    () => openSqliteKeys({ file, wrappingKey: randomBytes(32) }),
    (error: unknown) =>
      error instanceof WrongWrappingKey &&
      /keys\.db was encrypted with another key\. .*SECRETS_KEY/.test(error.message),
  );
  assert.ok(before.equals(readFileSync(file)));
  const again = openSqliteKeys({ file, wrappingKey });
  assert.is(await again.open(sealed, LOCATION), 'secret');
  await again.close();
});

test('keys.db contains no unwrapped key', async ({ file }) => {
  const keys = openSqliteKeys({ file, wrappingKey });
  await keys.seal('check-1', 'a secret of the user', LOCATION);
  assert.not.ok(bytesOf(file).includes('a secret of the user'));
  assert.not.ok(bytesOf(file).includes(wrappingKey));
  await keys.close();
});

test('a forgotten key is overwritten on the disk, in keys.db and in its WAL', async ({ file }) => {
  const keys = openSqliteKeys({ file, wrappingKey });
  for (const name of ['check-1', 'check-2', 'check-3']) await keys.seal(name, 'secret', LOCATION);
  const reading = new Database(file, { readonly: true });
  const wrapped = reading.prepare('SELECT wrapped FROM keys WHERE name = ?').pluck().get('check-2') as Buffer;
  reading.close();
  assert.ok(bytesOf(file).includes(wrapped));
  await keys.forget('check-2');
  assert.not.ok(bytesOf(file).includes(wrapped));
  await keys.close();
});

test('a wrapped key that was moved to another name can open no text', async ({ file }) => {
  const keys = openSqliteKeys({ file, wrappingKey });
  const sealed = await keys.seal('check-1', 'secret', LOCATION);
  const vandal = new Database(file);
  vandal.exec("UPDATE keys SET name = 'check-2' WHERE name = 'check-1'");
  vandal.close();
  await rejects(keys.open({ ...sealed, key: 'check-2' }, LOCATION), UnreadableSeal, /the key itself is damaged/);
  await keys.close();
});

test('a copy of keys.db that SQLite made while the file was in use can open the texts that were sealed before the copy', async ({
  file,
}) => {
  const keys = openSqliteKeys({ file, wrappingKey });
  const sealed = await keys.seal('check-1', 'secret', LOCATION);
  const source = new Database(file);
  await source.backup(`${file}.copy`);
  source.close();
  await keys.forget('check-1');
  const restored = openSqliteKeys({ file: `${file}.copy`, wrappingKey });
  assert.is(await restored.open(sealed, LOCATION), 'secret');
  await restored.close();
  await keys.close();
});

test('a key is written to the file before the first text that was sealed under it is returned', async ({ file }) => {
  const keys = openSqliteKeys({ file, wrappingKey });
  const sealed = await keys.seal('check-1', 'secret', LOCATION);
  // These copies are the files that kill -9 would leave behind.
  for (const part of ['', '-wal']) copyFileSync(file + part, `${file}.left${part}`);
  const left = openSqliteKeys({ file: `${file}.left`, wrappingKey });
  assert.is(await left.open(sealed, LOCATION), 'secret');
  await left.close();
  await keys.close();
});

test('a keys.db that is not a database, or belongs to a newer release, is refused with an error message', ({
  file,
}) => {
  const refused = (kind: abstract new (...given: never[]) => Error) => {
    assert.throws(
      () => openSqliteKeys({ file, wrappingKey }),
      (error: unknown) => error instanceof kind,
    );
  };
  const newer = new Database(file);
  newer.pragma('user_version = 99');
  newer.close();
  refused(NewerSchema);
  writeFileSync(file, 'no database '.repeat(1_000));
  refused(KeysUnavailable);
});

test.run();
