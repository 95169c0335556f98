import * as assert from 'uvu/assert';
import { GenerationMissing, StaleWriter, type ReadStore } from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';
import { at, commitThings, HOLDER, idsOf, openThings, type ContractTest } from './opened.ts';

/** The part of the read store contract about several instances of one store. */
export const openingContract = (test: ContractTest): void => {
  const used = async (open: (() => Promise<ReadStore>) | undefined, use: (store: ReadStore) => Promise<void>) => {
    if (!open) throw new Error('a durable store can be opened several times');
    const store = await open();
    try {
      await use(store);
    } finally {
      await store.close();
    }
  };

  test('committed documents survive closing and opening', async ({ again, generation }) => {
    await used(again, (store) => openThings(store, generation, [{ id: 'a', x: 1 }], { indexes: [{ x: 1 }] }));
    await used(again, async (store) => {
      assert.equal(await store.get(generation, 'things', ['a']), [{ id: 'a', x: 1 }]);
      assert.equal(await store.find(generation, 'things', { where: { x: 1 } }), [{ id: 'a', x: 1 }]);
      assert.equal(await store.checkpoint(generation), at(1n));
    });
  });

  test('a reader sees each commit of another instance as soon as the commit has returned', async ({
    store,
    again,
    reader,
    generation,
  }) => {
    await openThings(store, generation, []);
    await used(reader ?? again, async (other) => {
      for (let position = 2n; position < 12n; position++) {
        await commitThings(store, generation, [{ put: { id: `k${position}` } }], position);
        assert.is((await other.get(generation, 'things', [`k${position}`])).length, 1);
        assert.is(await other.count(generation, 'things'), Number(position) - 1);
        assert.equal(await other.checkpoint(generation), at(position));
      }
    });
  });

  test('a generation is missing for a reader until it is created', async ({ store, again, reader, generation }) => {
    await used(reader ?? again, async (other) => {
      await rejects(other.get(generation, 'things', ['a']), GenerationMissing);
      await rejects(other.find(generation, 'things', {}), GenerationMissing);
      await openThings(store, generation, [{ id: 'a' }]);
      assert.equal(idsOf(await other.get(generation, 'things', ['a'])), ['a']);
      assert.equal(idsOf(await other.find(generation, 'things', {})), ['a']);
      assert.equal(await other.list(), await store.list());
    });
  });

  test('after a generation was dropped, its current readers do not break, and new readers do not find the generation', async ({
    store,
    again,
    reader,
    generation,
  }) => {
    await openThings(store, generation, [{ id: 'a' }]);
    await used(reader ?? again, async (holding) => {
      const read = () => holding.get(generation, 'things', ['a']);
      assert.is((await read()).length, 1);
      await store.drop(generation, HOLDER);
      // The read must either succeed or report the missing generation.
      const response = await read().catch((error: unknown) => error);
      assert.ok(response instanceof GenerationMissing || (Array.isArray(response) && response.length === 1));
    });
    await used(reader ?? again, (other) => rejects(other.get(generation, 'things', ['a']), GenerationMissing));
  });

  test('a process that has not opened a generation can not write to it, and the attempt does not affect the process that has opened the generation', async ({
    store,
    again,
    generation,
  }) => {
    await store.open(generation, { things: { indexes: [] } }, { lease: HOLDER });
    await used(again, async (other) => {
      await rejects(commitThings(other, generation, [{ put: { id: 'theirs' } }], 1n), StaleWriter);
      await commitThings(store, generation, [{ put: { id: 'ours' } }], 1n);
      await rejects(other.commit(generation, {}, at(2n)), StaleWriter);
      await commitThings(store, generation, [], 2n);
      assert.equal(idsOf(await other.find(generation, 'things', {})), ['ours']);
    });
  });

  test('a writer can not write to a generation that another writer has dropped', async ({
    store,
    again,
    generation,
  }) => {
    await openThings(store, generation, [{ id: 'a' }]);
    await used(again, (other) => other.drop(generation, HOLDER));
    await rejects(commitThings(store, generation, [{ put: { id: 'b' } }]), GenerationMissing);
  });
};
