import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CacheShares } from '../../../../stores/read-store/sqlite/cache-shares.ts';
import { openGenerationFiles } from '../../../../stores/read-store/sqlite/generation-files.ts';
import { openSqliteReadStore } from '../../../../stores/read-store/sqlite/open.ts';
import { WalBudget } from '../../../../stores/read-store/sqlite/wal-budget.ts';
import type { Document } from '../../../../stores/read-store/port.ts';
import { at } from '../../../contracts/read-store/opened.ts';
import { eventually } from '../../../waiting.ts';
import { temporaryDirectory } from '../../temporary.ts';

const test = suite<{ directory: string; remove: () => void }>('limits of read model files');

test.before.each((context) => {
  Object.assign(context, temporaryDirectory());
});

test.after.each(({ remove }) => {
  remove();
});

const generation = (index: number) => ({ projection: `things${index}@1`, number: 1 });

const walsIn = (directory: string): number =>
  readdirSync(directory)
    .filter((name) => name.endsWith('-wal'))
    .reduce((bytes, name) => bytes + statSync(join(directory, name)).size, 0);

const large = (id: string): Document => ({ id, text: 'x'.repeat(100_000) }) as Document;

test('the WALs of many read models together stay within their limit, whichever read models are written', async ({
  directory,
}) => {
  const most = 1_000_000;
  const store = openSqliteReadStore({ directory, mode: 'writer', limits: { wals: most } });
  const reader = openSqliteReadStore({ directory, mode: 'reader' });
  let largest = 0;
  for (let index = 0; index < 8; index++) await store.open(generation(index), { things: { indexes: [] } });
  for (let commit = 1; commit <= 40; commit++) {
    const one = generation(commit % 8);
    await store.commit(one, { things: [{ put: large(`d${commit}`) }] }, at(BigInt(commit)));
    assert.is((await reader.get(one, 'things', [`d${commit}`])).length, 1);
    largest = Math.max(largest, walsIn(directory));
  }
  assert.ok(largest <= most, `${largest} bytes`);
  assert.is(await store.count(generation(3), 'things'), 5);
  await reader.close();
  await store.close();
});

test('writing an unchanged document changes none of its pages', async ({ directory }) => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  const indexes = [{ status: 1 }, { name: 1 }] as const;
  const commit = async (position: bigint, status: string): Promise<number> => {
    const before = walsIn(directory);
    const put = { id: 'a', status, name: 'A' } as Document;
    await store.commit(generation(0), { things: [{ put }] }, at(position));
    return walsIn(directory) - before;
  };
  await store.open(generation(0), { things: { indexes } });
  await commit(1n, 'up');
  const changed = await commit(2n, 'down');
  const same = await commit(3n, 'down');
  // Both commits write at least one page, which contains the checkpoint.
  assert.ok(same * 3 <= changed, `${same} and ${changed} bytes`);
  assert.equal(await store.get(generation(0), 'things', ['a']), [{ id: 'a', status: 'down', name: 'A' }]);
  await store.close();
});

test('a small document is stored in the same page as its id', async ({ directory }) => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  const bytesOf = async (index: number, small: boolean): Promise<number> => {
    const one = generation(index);
    await store.open(one, { things: { indexes: [], small } });
    await store.commit(one, { things: [{ put: { id: 'a', text: 'A' } as Document }] }, at(1n));
    const before = walsIn(directory);
    await store.commit(one, { things: [{ put: { id: 'b', text: 'B' } as Document }] }, at(2n));
    assert.equal(await store.get(one, 'things', ['b', 'a']), [
      { id: 'b', text: 'B' },
      { id: 'a', text: 'A' },
    ]);
    return walsIn(directory) - before;
  };
  const apart = await bytesOf(0, false);
  const together = await bytesOf(1, true);
  // Storing a small document writes two pages instead of three. One of the pages is that of the checkpoint.
  assert.ok(together * 1.4 < apart, `${together} and ${apart} bytes`);
  await store.close();
});

test('a small document that is stored with its id expires like any other document', async ({ directory }) => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  const declaration = { indexes: [{ at: 1 as const }], expires: { field: 'at' }, small: true };
  await store.open(generation(0), { things: declaration });
  const put = (id: string, day: string) => ({ put: { id, at: `${day}T00:00:00.000000` } as Document });
  await store.commit(generation(0), { things: [put('a', '2026-01-01'), put('b', '2026-03-01')] }, at(1n));
  assert.is(await store.sweep(generation(0), 'things', '2026-02-01T00:00:00.000000', 10), 1);
  assert.is(await store.count(generation(0), 'things'), 1);
  await store.close();
});

test('a WAL that is being read is skipped, and the next WAL is emptied', ({ directory }) => {
  const files = openGenerationFiles({ directory, mode: 'writer', limits: { wals: 250_000 } });
  const readers = openGenerationFiles({ directory, mode: 'reader' });
  for (const index of [0, 1]) {
    const file = files.create(generation(index));
    file.open({ things: { indexes: [] } }, false);
    file.commit({ things: [{ put: large('a') }] }, at(1n));
  }
  const { connection } = readers.of(generation(0));
  connection.exec('BEGIN');
  connection.prepare('SELECT count(*) FROM documents_things').get();
  files.of(generation(0)).commit({ things: [{ put: large('b') }] }, at(2n));
  const walOf = (index: number): number => statSync(join(directory, `things${index}@1.1.db-wal`)).size;
  files.noteWrite(generation(1));
  files.noteWrite(generation(0));
  assert.ok(walOf(0) > 0);
  assert.is(walOf(1), 0);
  connection.exec('COMMIT');
  files.noteWrite(generation(0));
  assert.is(files.of(generation(0)).count('things'), 2);
  readers.close();
  files.close();
});

test('an unused read model file is closed and loses its WAL, and is opened again when it is used', async ({
  directory,
}) => {
  const limits = { idle: 1, look: 5 };
  const store = openSqliteReadStore({ directory, mode: 'writer', limits });
  const reader = openSqliteReadStore({ directory, mode: 'reader', limits });
  await store.open(generation(0), { things: { indexes: [] } });
  await store.commit(generation(0), { things: [{ put: { id: 'a' } }] }, at(1n));
  assert.is(await reader.count(generation(0), 'things'), 1);
  const wal = join(directory, 'things0@1.1.db-wal');
  await eventually(() => !existsSync(wal) || statSync(wal).size === 0);
  await store.commit(generation(0), { things: [{ put: { id: 'b' } }] }, at(2n));
  assert.is(await reader.count(generation(0), 'things'), 2);
  assert.equal(await store.checkpoint(generation(0)), at(2n));
  await reader.close();
  await store.close();
});

test('the most used read models get most of the page cache, within the limit for all read models', () => {
  const total = 10_000;
  const caches = new CacheShares(total);
  for (const name of ['a', 'b', 'c', 'd']) caches.use(name);
  for (let use = 0; use < 100; use++) caches.use('a');
  const first = caches.divide();
  const sum = [...first.values()].reduce((all, share) => all + share, 0);
  assert.ok(sum <= total);
  assert.ok((first.get('a') ?? 0) > total * 0.8);
  assert.ok((first.get('b') ?? 0) >= 256);
  for (let turn = 0; turn < 8; turn++) {
    for (let use = 0; use < 100; use++) caches.use('b');
    for (const [name, share] of caches.divide()) first.set(name, share);
  }
  assert.ok((first.get('b') ?? 0) > total * 0.8);
  assert.ok([...first.values()].reduce((all, share) => all + share, 0) <= total);
  caches.close('b');
  caches.use('c');
  assert.not(caches.divide().has('b'));
});

test('the largest WALs are emptied first, and no WAL is emptied while the total is small', () => {
  const wals = new WalBudget(100);
  wals.record('a', 40);
  wals.record('b', 60);
  assert.equal(wals.excess(), []);
  wals.record('a', 41);
  assert.equal(wals.excess(), ['b', 'a']);
  wals.record('b', 0);
  assert.equal(wals.excess(), []);
});

test.run();
