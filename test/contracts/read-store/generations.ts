import * as assert from 'uvu/assert';
import {
  GenerationMissing,
  StaleWriter,
  type CollectionDeclaration,
  type Generation,
  type ReadStore,
} from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';
import { at, commitThings, HOLDER, idsOf, openThings, type ContractTest } from './opened.ts';

const DECLARATION: CollectionDeclaration = { indexes: [{ page_id: 1, created_at: -1 }] };

const listedOf = async (store: ReadStore, { projection }: Generation): Promise<Generation[]> =>
  (await store.list()).filter((generation) => generation.projection === projection);

export const generationContract = (test: ContractTest): void => {
  test('generations of a projection are independent', async ({ store, generation }) => {
    const next: Generation = { ...generation, number: 2 };
    await openThings(store, generation, [{ id: 'a', of: 1 }]);
    await openThings(store, next, [{ id: 'a', of: 2 }]);
    await commitThings(store, next, [{ put: { id: 'b' } }], 7n);
    assert.equal(await store.find(generation, 'things', {}), [{ id: 'a', of: 1 }]);
    assert.equal(await store.checkpoint(generation), at(1n));
    assert.equal(await store.checkpoint(next), at(7n));
    await store.drop(generation, HOLDER);
    assert.equal(idsOf(await store.find(next, 'things', {})), ['a', 'b']);
  });

  test('generations are listed by projection and number until they are dropped', async ({ store, generation }) => {
    const made = [10, 9, 1].map((number) => ({ ...generation, number }));
    for (const each of made) await store.open(each, { things: DECLARATION });
    const listed = () => listedOf(store, generation);
    assert.equal(await listed(), made.toReversed());
    await store.drop({ ...generation, number: 9 }, HOLDER);
    assert.equal(await listed(), [
      { ...generation, number: 1 },
      { ...generation, number: 10 },
    ]);
    await store.drop({ ...generation, number: 9 }, HOLDER);
  });

  test('a generation that was not created, or was dropped, is missing', async ({ store, generation }) => {
    const isMissing = async () => {
      await rejects(store.get(generation, 'things', ['a']), GenerationMissing);
      await rejects(store.find(generation, 'things', {}), GenerationMissing);
      await rejects(store.count(generation, 'things'), GenerationMissing);
      await rejects(store.checkpoint(generation), GenerationMissing);
      await rejects(commitThings(store, generation, []), GenerationMissing);
      await rejects(store.buildIndexes(generation), GenerationMissing);
      await rejects(store.sweep(generation, 'things', '2026', 1), GenerationMissing);
      await rejects(
        store.size(generation),
        GenerationMissing,
        new RegExp(`^There is no generation 1 of ${generation.projection}\\.$`),
      );
    };
    await isMissing();
    await openThings(store, generation, [{ id: 'a' }]);
    await store.drop(generation, HOLDER);
    await isMissing();
  });

  test('after a generation was dropped, a read with toCommit may return nothing, but the commit that follows fails', async ({
    store,
    generation,
  }) => {
    await openThings(store, generation, [{ id: 'a' }]);
    assert.equal(await store.get(generation, 'things', ['b', 'a'], { toCommit: true }), [{ id: 'a' }]);
    await store.drop(generation, HOLDER);
    await store.get(generation, 'things', ['a'], { toCommit: true }).catch((error: unknown) => {
      assert.instance(error, GenerationMissing);
    });
    await rejects(commitThings(store, generation, [{ put: { id: 'a' } }]), GenerationMissing);
  });

  test('a generation that is opened again keeps its documents', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a' }], DECLARATION);
    await store.open(generation, { things: { indexes: [{ name: 1 }, { page_id: 1 }] }, others: DECLARATION });
    assert.equal(await store.find(generation, 'things', { where: { name: null } }), [{ id: 'a' }]);
    assert.equal(await store.find(generation, 'others', {}), []);
    assert.equal(await store.checkpoint(generation), at(1n));
  });

  test('a generation that was opened under a later token of a lease can be neither opened nor dropped under an earlier token', async ({
    store,
    generation,
  }) => {
    const [former, holder] = [HOLDER, { ...HOLDER, token: 2n }];
    await store.open(generation, { things: DECLARATION }, { lease: former });
    await store.open(generation, { things: DECLARATION }, { lease: holder });
    await commitThings(store, generation, [{ put: { id: 'a', page_id: null, created_at: null } as { id: string } }]);
    await rejects(store.open(generation, { things: DECLARATION }, { lease: former }), StaleWriter);
    await rejects(
      store.drop(generation, former),
      StaleWriter,
      `Generation 1 of ${generation.projection} is now written by another process.`,
    );
    assert.equal(idsOf(await store.find(generation, 'things', {})), ['a']);
    await commitThings(store, generation, [{ delete: 'a' }], 3n);
    await store.drop(generation, holder);
    assert.equal(await listedOf(store, generation), []);
  });

  test('the former holder of a lease can not drop a generation of a projection that a later holder has opened', async ({
    store,
    generation,
  }) => {
    const [built, other] = [
      { ...generation, number: 2 },
      { ...generation, projection: `other_${generation.projection}` },
    ];
    const builder = { name: 'rebuild', token: 1n };
    for (const each of [built, other]) await store.open(each, { things: DECLARATION }, { lease: builder });
    await store.open(generation, { things: DECLARATION }, { lease: { ...HOLDER, token: 2n } });
    await rejects(store.drop(built, HOLDER), StaleWriter);
    assert.is(await store.count(built, 'things'), 0);
    await store.drop(other, HOLDER);
    await store.drop(built, { ...HOLDER, token: 2n });
    assert.equal(await listedOf(store, generation), [generation]);
  });

  test('after the holder of another lease has taken over a generation, the builder of the generation can not drop it', async ({
    store,
    generation,
  }) => {
    const builder = { name: 'rebuild', token: 1n };
    await store.open(generation, { things: DECLARATION }, { lease: builder });
    await store.open(generation, { things: DECLARATION }, { lease: HOLDER });
    for (const token of [1n, 2n]) await rejects(store.drop(generation, { ...builder, token }), StaleWriter);
    assert.is(await store.count(generation, 'things'), 0);
    await store.drop(generation, HOLDER);
  });

  test('indexes that are built after the documents give the same results', async ({ store, generation }) => {
    await store.open(generation, { things: DECLARATION }, { deferIndexes: true });
    const given = Array.from({ length: 30 }, (_, index) => ({
      id: `k${index.toString().padStart(2, '0')}`,
      page_id: `p${index % 3}`,
      created_at: `2026-11-${(30 - index).toString().padStart(2, '0')}`,
    }));
    await store.commit(generation, { things: given.map((put) => ({ put })) }, at(1n));
    const query = { where: { page_id: 'p1' }, sort: { created_at: -1 as const }, limit: 4 };
    const expected = ['k01', 'k04', 'k07', 'k10'];
    assert.equal(idsOf(await store.find(generation, 'things', query)), expected);
    await store.buildIndexes(generation);
    assert.equal(idsOf(await store.find(generation, 'things', query)), expected);
    await commitThings(store, generation, [{ delete: 'k04' }]);
    await store.buildIndexes(generation);
    assert.equal(idsOf(await store.find(generation, 'things', query)), ['k01', 'k07', 'k10', 'k13']);
  });

  test('the size of a generation grows with its documents', async ({ store, generation }) => {
    await openThings(store, generation, []);
    const before = await store.size(generation);
    await commitThings(store, generation, [{ put: { id: 'a', text: 'x'.repeat(100_000) } as { id: string } }]);
    assert.ok((await store.size(generation)) >= before + 100_000);
  });
};
