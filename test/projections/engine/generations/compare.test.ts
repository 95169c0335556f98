import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection } from '../../../../projections/engine/fold/define.ts';
import { compareGenerations } from '../../../../projections/engine/generations/compare.ts';
import { createMemoryReadStore } from '../../../../stores/read-store/memory.ts';

const test = suite('the comparison of a rebuilt read model');

interface Days {
  id: string;
  at: string;
  days: readonly string[];
}

const days = defineProjection({
  name: 'days',
  version: 1,
  log: 'results',
  collections: { days: collection<Days>({ indexes: [], expires: { field: 'at' } }) },
  documents: () => ({}),
  retained: { days: (document, from) => ({ ...document, days: document.days.filter((day) => day >= from) }) },
  on: { LogMarked: () => undefined },
});

const differences = async (live: Days, rebuilt: Days, retainedFrom: string | null): Promise<string[]> => {
  const readStore = createMemoryReadStore();
  const generations = [1, 2].map((number) => ({ projection: 'days@1', number }));
  const [one, other] = generations as [(typeof generations)[0], (typeof generations)[0]];
  for (const [generation, document] of [
    [one, live],
    [other, rebuilt],
  ] as const) {
    await readStore.open(generation, days.collections);
    await readStore.commit(generation, { days: [{ put: document }] }, { log_id: 'log', position: 1n, event_id: 'e' });
  }
  const comparison = await compareGenerations({
    projection: days,
    readStore,
    live: one,
    rebuilt: other,
    advance: async () => undefined,
    retainedFrom,
    signal: new AbortController().signal,
  });
  await readStore.close();
  return comparison.differences.map(({ id }) => id);
};

const document = (...storedDays: string[]): Days => ({ id: 'a', at: '2026-11-20', days: storedDays });

test('the comparison ignores content of a document from before the retention', async () => {
  const live = document('2026-11-18', '2026-11-19', '2026-11-20');
  const rebuilt = document('2026-11-19', '2026-11-20');
  assert.equal(await differences(live, rebuilt, '2026-11-19'), []);
  assert.equal(await differences(live, rebuilt, '2026-11-18'), ['a']);
  assert.equal(await differences(live, rebuilt, null), ['a']);
});

test('the comparison reports a document that lacks other content', async () => {
  assert.equal(await differences(document('2026-11-20'), document(), '2026-11-19'), ['a']);
});

test.run();
