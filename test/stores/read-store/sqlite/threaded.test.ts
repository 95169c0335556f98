import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadStoreUnavailable, type ReadStore } from '../../../../stores/read-store/port.ts';
import { openSqliteReadStore } from '../../../../stores/read-store/sqlite/open.ts';
import { PART } from '../../../../stores/read-store/sqlite/generation-file.ts';
import { openThreadedReadStore } from '../../../../stores/read-store/sqlite/threaded.ts';
import { at, HOLDER, idsOf, openThings } from '../../../contracts/read-store/opened.ts';
import { rejects } from '../../../rejects.ts';
import { temporaryDirectory } from '../../temporary.ts';

const GENERATION = { projection: 'things@1', number: 1 };

/** Number of documents above which lists of a collection are read by the thread. */
const MANY = 300;

const LONG = { projection: 'things@1', number: 2 };
const FEW = { projection: 'things@1', number: 3 };
const TEXT = 'x'.repeat(PART / 3);

const test = suite<{ store: ReadStore }>('Lists read by a thread');
const { directory, remove } = temporaryDirectory();

test.before(async () => {
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  await openThings(
    writer,
    GENERATION,
    Array.from({ length: MANY }, (_, index) => ({ id: `k${index}`, x: index })),
  );
  await openThings(writer, FEW, [
    { id: 'a', x: 1 },
    { id: 'b', x: 2 },
  ]);
  const long = Array.from({ length: 40 }, (_, index) => ({ id: (100 + index).toString(), text: TEXT, x: null }));
  await openThings(writer, LONG, long);
  await writer.close();
});

test.before.each((context) => {
  context.store = openThreadedReadStore({ directory });
});

test.after.each(({ store }) => store.close());

test.after(remove);

test('each of many concurrent list requests gets its own result', async ({ store }) => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, async (_, x) =>
      x % 2 ? store.find(GENERATION, 'things', { where: { x } }) : store.count(GENERATION, 'things', { x: { $lt: x } }),
    ),
  );
  responses.forEach((response, x) => {
    if (typeof response === 'number') assert.is(response, x);
    else assert.equal(idsOf(response), [`k${x}`]);
  });
});

test('a long list is parsed in parts, none of which is long', async ({ store }) => {
  const { parse } = JSON;
  const lengths: number[] = [];
  JSON.parse = ((text: string) => {
    lengths.push(text.length);
    return parse(text) as unknown;
  }) as typeof parse;
  const found = await store.find(LONG, 'things', {}).finally(() => {
    JSON.parse = parse;
  });
  assert.equal(
    idsOf(found),
    Array.from({ length: 40 }, (_, index) => (100 + index).toString()),
  );
  assert.ok(lengths.length > 10);
  assert.ok(Math.max(...lengths) < PART + TEXT.length, lengths.join(' '));
});

test('a list of documents that contain long lists is read in parts, and other requests are served in between', async ({
  store,
}) => {
  const ids = Array.from({ length: 40 }, (_, index) => (100 + index).toString());
  assert.equal(idsOf(await store.find(LONG, 'things', {})), ids);
  const ended: string[] = [];
  const long = store.find(LONG, 'things', { sort: { id: -1 }, skip: 1, limit: 38 }).then((found) => {
    ended.push('long');
    return found;
  });
  for (let others = 1; others <= 3; others++) {
    await store.find(GENERATION, 'things', { where: { x: others } });
    ended.push('short');
  }
  assert.equal(idsOf(await long), ids.slice(1, -1).reverse());
  assert.equal(ended, ['short', 'short', 'short', 'long']);
  assert.equal(await store.find(LONG, 'things', { where: { x: 1 } }), []);
});

test('single fields of long documents are read in parts too, unless an index contains the fields', async ({
  store,
}) => {
  const found = await store.find(LONG, 'things', { fields: ['id', 'text'], sort: { id: -1 } });
  assert.equal(
    found.map((one) => Object.keys(one)),
    found.map(() => ['id', 'text']),
  );
  assert.is(found.length, 40);
  assert.equal(await store.find(LONG, 'things', { fields: ['id'], limit: 2 }), [{ id: '100' }, { id: '101' }]);
});

test('documents that are read by their ids are read in parts, in the order of the ids, each once', async ({
  store,
}) => {
  const ids = Array.from({ length: 40 }, (_, index) => (100 + index).toString());
  const $in = ['none', ...ids.toReversed(), '120', null];
  assert.equal(idsOf(await store.find(LONG, 'things', { where: { id: { $in } } })), ids);
  const picked = await store.find(LONG, 'things', { where: { id: { $in } }, fields: ['x', 'id'] });
  assert.equal(
    picked,
    ids.map((id) => ({ x: null, id })),
  );
  const found = await store.find(GENERATION, 'things', { where: { id: { $in: ['k7', 'k11', 'k7'] } } });
  assert.equal(idsOf(found), ['k11', 'k7']);
  const last = await store.find(LONG, 'things', { where: { id: { $in } }, sort: { id: -1 }, limit: 2 });
  assert.equal(idsOf(last), ['139', '138']);
});

test('a list omits documents that were deleted before their part was read', async ({ store }) => {
  await store.find(LONG, 'things', {});
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  await openThings(writer, LONG, []);
  const [last] = await writer.get(LONG, 'things', ['139']);
  if (!last) throw new Error('It is not there.');
  const reading = store.find(LONG, 'things', {});
  await store.count(LONG, 'things');
  await writer.commit(LONG, { things: [{ delete: last.id }] }, at(2n));
  const found = idsOf(await reading);
  await writer.commit(LONG, { things: [{ put: last }] }, at(3n));
  await writer.close();
  assert.equal(
    found,
    Array.from({ length: 39 }, (_, index) => (100 + index).toString()),
  );
});

test('a failed list request does not affect concurrent requests', async ({ store }) => {
  const [good, unknown, malformed, alsoGood] = await Promise.allSettled([
    store.count(GENERATION, 'things'),
    store.count(GENERATION, 'unheard'),
    store.find(GENERATION, 'things', { where: { x: (() => 1) as unknown as number } }),
    store.count(GENERATION, 'things', { x: 1 }),
  ]);
  assert.equal(good, { status: 'fulfilled', value: MANY });
  assert.ok(unknown.status === 'rejected' && unknown.reason instanceof TypeError);
  assert.ok(malformed.status === 'rejected' && malformed.reason instanceof TypeError);
  assert.equal(alsoGood, { status: 'fulfilled', value: 1 });
});

test('after a read store is closed, pending and later list requests fail, and closing it again has no effect', async ({
  store,
}) => {
  const open = rejects(store.count(GENERATION, 'things'), ReadStoreUnavailable, 'The read store is closed.');
  await store.close();
  await open;
  await rejects(store.find(GENERATION, 'things', {}), ReadStoreUnavailable);
  await store.close();
});

test('a read store without list requests closes without a thread', async ({ store }) => {
  assert.is((await store.get(GENERATION, 'things', ['k1'])).length, 1);
  await store.close();
});

test('lists and counts of a collection with few documents need no thread', async ({ store }) => {
  let threads = 0;
  const started = (): void => {
    threads++;
  };
  process.on('worker', started);
  try {
    assert.equal(idsOf(await store.find(FEW, 'things', { where: { x: { $gt: 1 } } })), ['b']);
    assert.is(await store.count(FEW, 'things'), 2);
    assert.is(threads, 0);
    assert.is(await store.count(GENERATION, 'things'), MANY);
    assert.is((await store.find(LONG, 'things', { limit: 1 })).length, 1);
    assert.is(threads, 1);
  } finally {
    process.off('worker', started);
  }
});

test('a collection is read by the thread as soon as it has many documents', async ({ store }) => {
  const grown = { projection: 'things@1', number: 4 };
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  await openThings(writer, grown, [{ id: 'a', x: 1 }]);
  let threads = 0;
  const started = (): void => {
    threads++;
  };
  process.on('worker', started);
  try {
    assert.is(await store.count(grown, 'things'), 1);
    assert.is(threads, 0);
    const more = Array.from({ length: MANY }, (_, index) => ({ put: { id: `n${index}`, x: index } }));
    await writer.commit(grown, { things: more }, at(2n));
    assert.is(await store.count(grown, 'things'), MANY + 1);
    assert.is(threads, 1);
  } finally {
    process.off('worker', started);
    await writer.close();
  }
});

test('when the list thread dies, its pending requests fail, and the next request starts another thread', async ({
  store,
}) => {
  const started = once(process, 'worker') as Promise<[Worker]>;
  await store.count(GENERATION, 'things');
  const [thread] = await started;
  const waiting = rejects(store.count(GENERATION, 'things'), ReadStoreUnavailable, /has ended/);
  await thread.terminate();
  await waiting;
  assert.is(await store.count(GENERATION, 'things'), MANY);
});

test('a threaded read store is read-only', async ({ store }) => {
  await rejects(store.drop(GENERATION, HOLDER), TypeError);
  await rejects(store.commit(GENERATION, {}, { log_id: 'l', position: 1n, event_id: null }), TypeError);
});

test.run();
