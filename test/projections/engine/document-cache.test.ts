import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDocumentCache } from '../../../projections/engine/document-cache.ts';
import type { ProjectionStatus } from '../../../projections/engine/status/protocol.ts';
import type { WriteReport, WriteListener } from '../../../projections/engine/status/write-reports.ts';
import type { Document, ReadStore } from '../../../stores/read-store/port.ts';

const test = suite('the cache of recent documents');

const NOTES = { projection: 'notes@1', number: 3 };

interface Note extends Document {
  text?: string;
  list?: { of: string }[];
}

/** Creates a cache over a store of texts, and an engine that reports writes. */
const start = () => {
  const stored = new Map<string, Note>();
  const status = { state: 'live', generation: 3 } as ProjectionStatus;
  const reads: string[] = [];
  let listener: WriteListener | null = null;
  let before: () => Promise<void> = async () => undefined;
  const store = {
    get: async (_generation: unknown, _collection: string, ids: readonly string[]) => {
      reads.push(...ids);
      const found = ids.flatMap((id) => stored.get(id) ?? []).map((document) => structuredClone(document));
      await before();
      return found;
    },
    find: async () => {
      reads.push('list');
      const found = [...stored.values()].map((document) => structuredClone(document));
      await before();
      return found;
    },
    count: async () => {
      reads.push('count');
      return stored.size;
    },
  } as unknown as ReadStore;
  const { store: remembering, stop } = createDocumentCache(store, {
    of: () => status,
    onWritten: (given) => {
      listener = given;
      return () => (listener = null);
    },
  });
  const report = (collections: WriteReport['collections']): void =>
    listener?.({ projection: 'notes', position: 1n, collections });
  const put = (id: string, text: string): void => {
    stored.set(id, { id, text });
  };
  const get = async (...ids: string[]): Promise<unknown[]> =>
    ((await remembering.get({ ...NOTES, number: status.generation ?? 0 }, 'notes', ids)) as Note[]).map(
      ({ text }) => text,
    );
  return {
    stored,
    status,
    reads,
    remembering,
    stop,
    report,
    put,
    get,
    isHeard: () => listener !== null,
    beforeFound: (call: () => Promise<void>) => (before = call),
  };
};

test('documents are read from the store until the engine has reported for the first time', async () => {
  const { put, get, reads, report } = start();
  put('a', 'one');
  await get('a');
  await get('a');
  assert.equal(reads, ['a', 'a']);
  report('unknown');
  await get('a');
  assert.equal(await get('a'), ['one']);
  assert.equal(reads, ['a', 'a', 'a']);
});

test('documents are returned in the requested order, and missing documents are looked up each time', async () => {
  const { put, get, reads, report } = start();
  report('unknown');
  for (const id of ['a', 'b', 'c']) put(id, `text of ${id}`);
  await get('b');
  assert.equal(await get('c', 'b', 'x', 'a'), ['text of c', 'text of b', 'text of a']);
  put('x', 'text of x');
  assert.equal(await get('x', 'c', 'a'), ['text of x', 'text of c', 'text of a']);
  assert.equal(reads, ['b', 'c', 'x', 'a', 'x']);
});

test('a cached document is read again after a write that names the document, or that names only its collection', async () => {
  const { put, get, reads, report, stored } = start();
  report('unknown');
  put('a', 'one');
  put('b', 'two');
  await get('a', 'b');
  put('a', 'changed');
  report(new Map([['notes', ['a']]]));
  assert.equal(await get('a', 'b'), ['changed', 'two']);
  put('b', 'changed too');
  report(new Map([['notes', 'many']]));
  assert.equal(await get('a', 'b'), ['changed', 'changed too']);
  report(new Map([['others', ['a']]]));
  stored.delete('a');
  report(new Map([['notes', ['a']]]));
  assert.equal(await get('a'), []);
  put('b', 'rebuilt');
  report('unknown');
  assert.equal(await get('b'), ['rebuilt']);
  assert.equal(reads, ['a', 'b', 'a', 'a', 'b', 'a', 'b']);
});

test('documents that are written during the read of the store are not cached', async () => {
  for (const written of [new Map([['notes', ['a']]]), new Map([['notes', 'many' as const]]), 'unknown' as const]) {
    const { put, get, report, beforeFound } = start();
    report('unknown');
    put('a', 'old');
    beforeFound(async () => {
      put('a', 'new');
      report(written);
    });
    assert.equal(await get('a'), ['old']);
    assert.equal(await get('a'), ['new']);
  }
});

test('documents are cached only for a live projection, and only for the generation in use', async () => {
  const { put, get, status, report } = start();
  report('unknown');
  put('a', 'one');
  await get('a');
  put('a', 'built anew');
  status.generation = 4;
  assert.equal(await get('a'), ['built anew']);
  for (const state of ['waiting', 'catching_up', 'failing', 'stopped'] as const) {
    put('a', state);
    status.state = state;
    assert.equal(await get('a'), [state]);
  }
});

test('cached documents cannot be changed by callers', async () => {
  const { remembering, stored, report } = start();
  report('unknown');
  stored.set('a', { id: 'a', list: [{ of: 'things' }] });
  const [first] = (await remembering.get(NOTES, 'notes', ['a'])) as Note[];
  const [second] = (await remembering.get(NOTES, 'notes', ['a'])) as Note[];
  assert.is(first, second);
  assert.throws(() => second?.list?.push({ of: 'more' }), TypeError);
  assert.throws(() => Object.assign(second?.list?.[0] ?? {}, { of: 'others' }), TypeError);
});

test('only small documents are cached, and only a limited number', async () => {
  const { put, get, reads, report } = start();
  report('unknown');
  put('long', 'x'.repeat(20_000));
  await get('long');
  await get('long');
  assert.equal(reads.splice(0), ['long', 'long']);
  const ids = Array.from({ length: 600 }, (_, index) => `id${index}`);
  for (const id of ids) put(id, 'x'.repeat(10_000));
  await get(...ids);
  reads.splice(0);
  await get(...ids.slice(-100));
  assert.equal(reads, []);
  await get('id0');
  assert.equal(reads, ['id0']);
});

test('cached lists and counts are read again after their collection was written', async () => {
  const { put, reads, report, remembering, beforeFound, status } = start();
  const list = async (limit = 9): Promise<unknown[]> =>
    ((await remembering.find(NOTES, 'notes', { limit })) as Note[]).map(({ text }) => text);
  put('a', 'one');
  await list();
  report('unknown');
  assert.equal(await list(), ['one']);
  const mine = await remembering.find(NOTES, 'notes', { limit: 9 });
  assert.ok(Object.isFrozen(mine[0]));
  mine.pop();
  assert.equal(await list(), ['one']);
  assert.equal(reads.splice(0), ['list', 'list']);
  assert.is(await remembering.count(NOTES, 'notes'), 1);
  assert.is(await remembering.count(NOTES, 'notes'), 1);
  await list(8);
  assert.equal(reads.splice(0), ['count', 'list']);
  report(new Map([['others', 'many']]));
  put('b', 'two');
  assert.equal(await list(), ['one']);
  report(new Map([['notes', ['b']]]));
  assert.equal(await list(), ['one', 'two']);
  assert.is(await remembering.count(NOTES, 'notes'), 2);
  report(new Map([['notes', ['c']]]));
  beforeFound(async () => {
    put('c', 'three');
    report(new Map([['notes', ['c']]]));
  });
  assert.equal(await list(), ['one', 'two']);
  beforeFound(async () => undefined);
  assert.equal(await list(), ['one', 'two', 'three']);
  status.state = 'failing';
  reads.splice(0);
  await list();
  await list();
  assert.equal(reads, ['list', 'list']);
});

test('the count of a cached list needs no read', async () => {
  const { put, report, remembering } = start();
  report('unknown');
  put('a', 'one');
  assert.equal(await remembering.find(NOTES, 'notes', {}), [{ id: 'a', text: 'one' }]);
  assert.is(await remembering.count(NOTES, 'notes'), 1);
  assert.is(await remembering.count(NOTES, 'notes', {}), 1);
});

test('the document cache is cleared when it is closed', async () => {
  const { put, get, stop, report, isHeard } = start();
  report('unknown');
  put('a', 'one');
  await get('a');
  stop();
  assert.not(isHeard());
  put('a', 'two');
  assert.equal(await get('a'), ['two']);
});

test.run();
