import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection } from '../../../projections/engine/fold/define.ts';
import { Folding } from '../../../projections/engine/fold/folding.ts';
import { listSetAside, SET_ASIDE, withSetAside } from '../../../projections/engine/fold/set-aside.ts';
import { MAX_DOCUMENT_BYTES, ReadStoreUnavailable, type ReadStore } from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';
import { recorded } from '../history.ts';
import { logMarked } from './samples.ts';

interface Note {
  id: string;
  seen: number;
  text: string;
}

interface Total {
  id: string;
  count: number;
}

/**
 * A text that is too large for a document. It contains control characters, which take six bytes each. When the text is
 * divided into parts, it is divided within characters.
 */
const LARGE = '\u0001😀'.repeat(MAX_DOCUMENT_BYTES / 8);

/**
 * Stores a note for the first word of each mark, with the second word as its content. A further document contains the
 * number of notes.
 */
export const notes = defineProjection({
  name: 'notes',
  version: 1,
  log: 'main',
  collections: { notes: collection<Note>({ indexes: [{ seen: 1 }] }), totals: collection<Total>({ indexes: [] }) },
  documents: ({ data }) => ({ notes: [data.mark.split(' ')[0] ?? ''] }),
  further: { LogMarked: () => ({ totals: ['all'] }) },
  on: {
    LogMarked: ({ data }, { notes, totals }) => {
      const [id = '', what] = data.mark.split(' ');
      const before = notes.get(id);
      totals.put({ id: 'all', count: (totals.get('all')?.count ?? 0) + 1 });
      if (what === 'bad') throw new Error('This is not a note.');
      if (what === 'gone') notes.delete(id);
      else {
        const text = what === 'large' ? LARGE : what === 'small' ? '' : (before?.text ?? '');
        notes.put({ id, seen: (before?.seen ?? 0) + 1, text });
      }
    },
  },
});

const GENERATION = { projection: 'notes@1', number: 0 };

/**
 * The contract of set-aside documents on every read store.
 *
 * @param open returns an empty store and a function that disposes of the store
 */
export const setAsideContract = (
  name: string,
  open: () => Promise<{ store: ReadStore; dispose: () => Promise<void> }>,
): void => {
  const test = suite<{ store: ReadStore; dispose: () => Promise<void> }>(`set-aside documents on ${name}`);
  test.before(async (context) => {
    Object.assign(context, await open());
  });
  test.before.each(({ store }) => begin(store));
  test.after(({ dispose }) => dispose());

  /** Creates an empty generation. */
  const begin = async (store: ReadStore): Promise<void> => {
    if (GENERATION.number > 0) await store.drop(GENERATION, { name: 'test', token: 1n });
    GENERATION.number += 1;
    await store.open(GENERATION, withSetAside(notes.collections));
  };

  const foldingOn = async (readStore: ReadStore): Promise<Folding> =>
    new Folding({
      projection: notes,
      generation: GENERATION,
      readStore,
      checkpoint: (await readStore.checkpoint(GENERATION)) ?? { log_id: 'log', position: 0n, event_id: null },
      retainedFrom: null,
      recentDocuments: 100,
      setsAside: true,
    });

  /** Folds the marks that the store has not folded yet, each batch in a new process. */
  const fold = async (readStore: ReadStore, marks: readonly string[], batch = 1): Promise<void> => {
    const events = recorded(marks.map(logMarked));
    for (let first = 0; first < events.length; first += batch) {
      const folding = await foldingOn(readStore);
      await folding.fold(events.slice(0, first + batch));
      if (folding.isAheadOfStore) await folding.commit();
    }
  };

  const shown = async (store: ReadStore) => ({
    notes: ((await store.find(GENERATION, 'notes', {})) as Note[]).map(({ id, seen, text }) => [id, seen, text.length]),
    total: ((await store.get(GENERATION, 'totals', ['all']))[0] as Total | undefined)?.count,
    aside: (await listSetAside(store, GENERATION)).map(({ id, cause }) => [id, cause]),
  });

  test('a document that is too large is set aside alone, and is shown with all later changes when it fits again', async ({
    store,
  }) => {
    const marks = ['a', 'b', 'a large', 'a', 'b'];
    await fold(store, marks);
    assert.equal(await shown(store), { notes: [['b', 2, 0]], total: 5, aside: [['notes/a', 'refused']] });
    const [record] = await listSetAside(store, GENERATION);
    assert.match(record?.reason ?? '', /^It has \d+ bytes/);
    assert.is(record?.event?.position, '30');
    await fold(store, [...marks, 'a small']);
    const back = [
      ['a', 4, 0],
      ['b', 2, 0],
    ];
    assert.equal(await shown(store), { notes: back, total: 6, aside: [] });
    assert.is(await store.count(GENERATION, SET_ASIDE), 0, 'no part of it is left');
  });

  test('a document that is too large is no longer set aside after it is deleted', async ({ store }) => {
    await fold(store, ['a large', 'a gone', 'a']);
    assert.equal(await shown(store), { notes: [['a', 1, 0]], total: 3, aside: [] });
    assert.is(await store.count(GENERATION, SET_ASIDE), 0);
  });

  test('a document into which an event could not be folded is set aside until it is deleted', async ({ store }) => {
    const marks = ['a', 'b', 'a bad', 'a', 'a bad', 'b'];
    await fold(store, marks);
    assert.equal(await shown(store), { notes: [['b', 2, 0]], total: 4, aside: [['notes/a', 'not_folded']] });
    const [record] = await listSetAside(store, GENERATION);
    assert.equal([record?.reason, record?.event?.position], ['This is not a note.', '30']);
    await fold(store, [...marks, 'a gone', 'a']);
    const back = [
      ['a', 1, 0],
      ['b', 2, 0],
    ];
    assert.equal(await shown(store), { notes: back, total: 6, aside: [] });
    assert.is(await store.count(GENERATION, SET_ASIDE), 0);
  });

  test('the set-aside documents do not depend on the batch size', async ({ store }) => {
    const marks = ['a large', 'b', 'b bad', 'd bad', 'e bad', 'e gone', 'a', 'f', 'f bad', 'c large', 'c small'];
    await fold(store, marks);
    const one = await shown(store);
    assert.equal(one.aside, [
      ['notes/a', 'refused'],
      ['notes/b', 'not_folded'],
      ['notes/d', 'not_folded'],
      ['notes/f', 'not_folded'],
    ]);
    for (const batch of [3, marks.length]) {
      await begin(store);
      await fold(store, marks, batch);
      assert.equal(await shown(store), one, `in batches of ${batch}`);
    }
  });

  test('a process that dies at a commit leaves either both a set-aside document and its checkpoint, or neither', async ({
    store,
  }) => {
    const marks = ['a', 'b bad', 'a large', 'a small'];
    for (const stored of [true, false]) {
      let alive = true;
      const dying: ReadStore = {
        ...store,
        commit: async (generation, writes, checkpoint) => {
          if (stored) await store.commit(generation, writes, checkpoint);
          alive = !alive;
          if (!alive) throw new ReadStoreUnavailable('The process is dead.');
          if (!stored) await store.commit(generation, writes, checkpoint);
        },
      };
      await begin(store);
      for (let count = 1; count <= marks.length; count++) {
        await fold(dying, marks.slice(0, count), count).catch((error: unknown) => {
          assert.instance(error, ReadStoreUnavailable);
        });
        await fold(store, marks.slice(0, count), count);
      }
      assert.equal(await shown(store), { notes: [['a', 3, 0]], total: 3, aside: [['notes/b', 'not_folded']] });
    }
  });

  test('a document that an event past the retention has set aside is no longer set aside after a sweep', async ({
    store,
  }) => {
    const expiring = { ...notes.collections, notes: { indexes: [], expires: { field: 'text' } } };
    await store.open(GENERATION, withSetAside(expiring));
    const events = recorded(['a bad', 'b bad', 'b'].map(logMarked));
    const folding = await foldingOn(store);
    await folding.fold(events.slice(0, 2));
    await folding.commit();
    await folding.sweep('notes', events[1]?.metadata.recorded_at ?? '', 10);
    assert.is(folding.setAside, 1);
    await folding.fold(events);
    await folding.commit();
    assert.equal((await shown(store)).aside, [['notes/b', 'not_folded']]);
  });

  test('without `setsAside`, documents that were set aside remain set aside, and an event that cannot be folded is an error', async ({
    store,
  }) => {
    await fold(store, ['a bad', 'b']);
    const checkpoint = await store.checkpoint(GENERATION);
    assert.ok(checkpoint);
    const folding = new Folding({
      projection: notes,
      generation: GENERATION,
      readStore: store,
      checkpoint,
      retainedFrom: null,
      recentDocuments: 1,
    });
    const events = recorded(['a bad', 'b', 'a bad', 'b bad'].map(logMarked));
    await rejects(folding.fold(events), Error, /This is not a note/);
    assert.is(folding.position, 30n);
  });

  test.run();
};
