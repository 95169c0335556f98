import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeGeneration, nextGeneration } from '../../../../projections/engine/generations/generations.ts';
import { organizations } from '../../../../projections/organizations/projection.ts';
import { createMemoryCoordination } from '../../../../stores/coordination/memory.ts';
import { createMemoryReadStore } from '../../../../stores/read-store/memory.ts';

const test = suite('generations of a projection');

const projection = `organizations@${organizations.version}`;

test('a new generation is empty, even if the catalogue was restored from before the read models', async () => {
  const readStore = createMemoryReadStore();
  const checkpoint = { log_id: 'log', position: 1n, event_id: null };
  for (const number of [1, 2, 4]) {
    await readStore.open({ projection, number }, organizations.collections);
    await readStore.commit({ projection, number }, { organizations: [{ put: { id: 'old' } }] }, checkpoint);
  }
  const coordination = createMemoryCoordination();
  const lease = { name: 'rebuild', token: 1n };
  const made = async () => {
    const generation = await nextGeneration(organizations, { readStore, coordination, lease });
    await makeGeneration(readStore, generation, organizations, lease);
    return generation;
  };
  const [third, fifth] = [await made(), await made()];
  assert.equal([third.number, fifth.number], [3, 5]);
  for (const generation of [third, fifth]) {
    assert.is(await readStore.count(generation, 'organizations'), 0);
    assert.is(await readStore.checkpoint(generation), null);
  }
});

test.run();
