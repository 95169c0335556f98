import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makePrivate } from '../../stores/file-modes.ts';
import { openDatabase } from '../../stores/sqlite/open.ts';
import { temporaryDirectory } from './temporary.ts';

const test = suite('file modes of databases');

const modesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
  );

const ALL = { 'a.db': '600', 'a.db-shm': '600', 'a.db-wal': '600' };

test('a database and the files beside it are accessible to their owner only, whatever the umask and their previous modes', () => {
  const { directory, remove } = temporaryDirectory();
  const before = process.umask(0);
  try {
    const file = join(directory, 'a.db');
    const open = () => openDatabase(file, { migrations: ['CREATE TABLE a (b TEXT) STRICT;'], synchronous: 'NORMAL' });
    const first = open();
    first.exec("INSERT INTO a VALUES ('x')");
    assert.equal(modesIn(directory), ALL);
    for (const name of Object.keys(ALL)) chmodSync(join(directory, name), 0o644);
    const second = open();
    assert.equal(modesIn(directory), ALL);
    second.close();
    first.close();
  } finally {
    process.umask(before);
    remove();
  }
});

test('setting file modes creates no absent file, and does not change a sticky folder', () => {
  const { directory, remove } = temporaryDirectory();
  makePrivate(join(directory, 'absent'));
  chmodSync(directory, 0o1777);
  makePrivate(directory);
  assert.is(statSync(directory).mode & 0o7777, 0o1777);
  remove();
});

test.run();
