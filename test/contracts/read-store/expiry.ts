import * as assert from 'uvu/assert';
import { rejects } from '../../rejects.ts';
import { idsOf, openThings, type ContractTest } from './opened.ts';

const instant = (day: number): string => `2026-11-${day.toString().padStart(2, '0')}T00:00:00.000000`;

export const expiryContract = (test: ContractTest): void => {
  for (const indexes of [[], [{ created_at: -1 as const }], [{ kind: 1 as const, created_at: 1 as const }]]) {
    test(`a sweep removes the oldest documents, up to its limit, from a collection with the indexes ${JSON.stringify(indexes)}`, async ({
      store,
      generation,
    }) => {
      const given = [5, 3, 9, 1, 7].map((day) => ({
        id: `d${day}`,
        kind: day % 2,
        created_at: instant(day),
      }));
      const stored = [
        { id: 'x', kind: 1, created_at: null },
        { id: 'y', kind: 1 },
      ];
      await openThings(store, generation, [...given, ...stored], { indexes, expires: { field: 'created_at' } });
      const left = async () => idsOf(await store.find(generation, 'things', {})).join(' ');
      assert.is(await store.sweep(generation, 'things', instant(7), 2), 2);
      assert.is(await left(), 'd5 d7 d9 x y');
      assert.is(await store.sweep(generation, 'things', instant(7), 2), 1);
      assert.is(await left(), 'd7 d9 x y');
      assert.is(await store.sweep(generation, 'things', instant(7), 2), 0);
      assert.is(await store.sweep(generation, 'things', instant(30), 100), 2);
      assert.is(await left(), 'x y');
    });
  }

  test('a collection without expiry is not swept', async ({ store, generation }) => {
    await openThings(store, generation, [{ id: 'a', created_at: instant(1) }]);
    await rejects(store.sweep(generation, 'things', instant(30), 10), TypeError);
    assert.is(await store.count(generation, 'things'), 1);
  });
};
