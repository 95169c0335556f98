import * as assert from 'uvu/assert';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { CollectionDeclaration, Write } from '../../../stores/read-store/port.ts';
import { randomFrom } from '../random.ts';
import { at, idsOf, type ContractTest } from './opened.ts';
import { documentFrom, queryFrom } from './random-queries.ts';

const DECLARATION: CollectionDeclaration = {
  indexes: [{ mixed: 1 }, { text: 1, mixed: -1 }, { 'nested.value': -1 }],
};
const SEEDS = process.env['UPTRAIL_TEST_SEED'] ? [Number(process.env['UPTRAIL_TEST_SEED'])] : [1, 2, 3];
const COMMITS = 12;
const WRITES = 100;
const QUERIES = 250;

export const randomQueryContract = (test: ContractTest): void => {
  for (const seed of SEEDS) {
    test(`random queries on random documents return the same as the model in memory (seed ${seed})`, async ({
      store,
      generation,
    }) => {
      const random = randomFrom(seed);
      const model = createMemoryReadStore();
      for (const each of [store, model]) await each.open(generation, { things: DECLARATION });
      const ids: string[] = [];
      for (let commit = 0; commit < COMMITS; commit++) {
        const writes = Array.from({ length: WRITES }, (): Write => {
          if (ids.length > 0 && random.oneIn(10)) return { delete: random.pick(ids) };
          if (ids.length === 0 || !random.oneIn(10)) ids.push(`${random.below(1_000_000).toString(36)}-${ids.length}`);
          return { put: documentFrom(random, random.oneIn(2) ? random.pick(ids) : (ids.at(-1) ?? 'first')) };
        });
        for (const each of [store, model]) await each.commit(generation, { things: writes }, at(BigInt(commit)));
      }
      assert.ok((await model.count(generation, 'things')) > 500);
      assert.equal(await store.find(generation, 'things', {}), await model.find(generation, 'things', {}));
      for (let queryNumber = 0; queryNumber < QUERIES; queryNumber++) {
        const query = queryFrom(random);
        const question = JSON.stringify(query);
        const [found, expected] = [
          await store.find(generation, 'things', query),
          await model.find(generation, 'things', query),
        ];
        assert.equal(idsOf(found), idsOf(expected), question);
        const [count, counted] = [
          await store.count(generation, 'things', query.where),
          await model.count(generation, 'things', query.where),
        ];
        assert.is(count, counted, question);
      }
    });
  }
};
