import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, serve, uptrail } from './program.ts';

const test = suite('file modes');

// There is no umask during these tests, so the program itself must restrict the modes of its files.
const before = process.umask(0);
test.after.each(endPrograms);
test.after(() => {
  process.umask(before);
});

const ADMIN_API_KEY = 'the-admin-key-of-the-test';

/** Returns the folder and everything in it that users other than the owner can access. */
const openToOthers = (folder: string): string[] => {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return [folder, ...inside]
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => `${path} ${(statSync(path).mode & 0o777).toString(8)}`);
};

/** Makes everything in a folder accessible to all users, as a careless copy might. */
const openUp = (folder: string): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
};

test(
  'a start of the service gives only the owner access to files in the data folder, even if all users had access before',
  inTemporaryFolder(async (folder) => {
    const DATA_DIR = join(folder, 'data');
    const first = await serve({ DATA_DIR });
    const key = /upt_\S+/.exec(first.output.stdout)?.[0] ?? '';
    const check = { name: 'C', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
    assert.is((await callApi(first, key, 'POST', '/v1/checks', check)).status, 201);
    const written = readdirSync(DATA_DIR);
    for (const name of ['events.db', 'events.db-wal', 'keys.db', 'service.sock', 'secrets-key', 'admin-api-key'])
      assert.ok(written.includes(name), name);
    assert.equal(openToOthers(DATA_DIR), []);
    await first.end('SIGKILL');
    openUp(DATA_DIR);
    const second = await serve({ DATA_DIR });
    assert.is((await callApi(second, key, 'POST', '/v1/checks', check)).status, 201);
    assert.equal(openToOthers(DATA_DIR), []);
    await second.end('SIGTERM');
  }),
);

test(
  'a backup or an export gives only the owner access to its files, even in a folder that all users could access',
  inTemporaryFolder(async (folder) => {
    const DATA_DIR = join(folder, 'data');
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    mkdirSync(join(folder, 'export'), { mode: 0o755 });
    const done = async (...parameters: string[]): Promise<void> => {
      const { code, stderr } = await uptrail({ DATA_DIR }, ...parameters);
      assert.is(code, 0, stderr);
    };
    await done('backup', join(folder, 'backup'));
    await done('export', join(folder, 'export'));
    await done('keys', 'export', join(folder, 'export', 'keys.jsonl'));
    for (const name of ['backup', 'export']) assert.equal(openToOthers(join(folder, name)), []);
    openUp(join(folder, 'export'));
    await done('export', join(folder, 'export'));
    chmodSync(join(folder, 'export', 'keys.jsonl'), 0o600);
    assert.equal(openToOthers(join(folder, 'export')), []);
    await program.end('SIGTERM');
  }),
);

test(
  'an export to a folder that contains other files changes neither the mode of the folder nor the other files',
  inTemporaryFolder(async (folder) => {
    const DATA_DIR = join(folder, 'data');
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const shared = join(folder, 'shared');
    mkdirSync(join(shared, 'artifacts'), { recursive: true, mode: 0o755 });
    chmodSync(shared, 0o755);
    writeFileSync(join(shared, 'artifacts', 'notes.txt'), 'for all');
    assert.is((await uptrail({ DATA_DIR }, 'export', shared)).code, 0);
    assert.is(statSync(shared).mode & 0o777, 0o755);
    assert.is(readFileSync(join(shared, 'artifacts', 'notes.txt'), 'utf8'), 'for all');
    assert.is(statSync(join(shared, 'main.jsonl')).mode & 0o777, 0o600);
    await program.end('SIGTERM');
  }),
);

test.run();
