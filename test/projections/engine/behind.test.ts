import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection } from '../../../projections/engine/fold/define.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { ReadStore } from '../../../stores/read-store/port.ts';
import { append, memoryStores, startEngine, stopEngines, until, type Stores } from './engine.ts';
import { counters, logMarked, type Counter } from './samples.ts';
import { realPause } from '../../waiting.ts';

const test = suite('a projection that is behind');
test.after.each(stopEngines);

const GENERATION = { projection: 'counters@1', number: 1 };

/**
 * Runs an engine on the stores until its projection is live, stops the engine, and then appends `count` events.
 *
 * @returns the position of the final event
 */
const leftBehind = async (stores: Stores, count: number): Promise<bigint> => {
  const engine = await startEngine(stores, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  await engine.stop();
  return append(stores.main, ...Array.from({ length: count }, (_, index) => logMarked(`m${index % 7}`)));
};

const counted = async ({ readStore }: Stores): Promise<number> => {
  const documents = (await readStore.find(GENERATION, 'counters', { where: { id: { $prefix: 'm' } } })) as Counter[];
  return documents.filter(({ id }) => id.length === 2).reduce((sum, { count }) => sum + count, 0);
};

/** Wraps stores to record the positions of commits with documents. */
const watched = (stores: Stores): { commits: bigint[]; readStore: ReadStore } => {
  const commits: bigint[] = [];
  const commit: ReadStore['commit'] = async (generation, writes, checkpoint) => {
    await stores.readStore.commit(generation, writes, checkpoint);
    if (Object.keys(writes).length > 0) commits.push(checkpoint.position);
  };
  return { commits, readStore: { ...stores.readStore, commit } };
};

test('several pages of events are stored in one commit while the projection is behind; later commits store only a few events', async () => {
  const stores = memoryStores();
  const last = await leftBehind(stores, 4_500);
  const { commits, readStore } = watched(stores);
  const engine = await startEngine({ ...stores, readStore }, [counters], { checkpoint: 1 });
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(commits.length, 2);
  assert.is(await counted(stores), 4_500);
  for (let event = 0; event < 3; event++) await engine.reached('counters', await append(stores.main, logMarked('m0')));
  assert.is(commits.filter((position) => position > last).length, 4, 'with the mark of the start');
});

test('no position is published before its documents are stored', async () => {
  const stores = memoryStores();
  await leftBehind(stores, 4_500);
  const before = (await stores.readStore.checkpoint(GENERATION))?.position ?? 0n;
  const { commits, readStore } = watched(stores);
  const engine = await startEngine({ ...stores, readStore }, [counters]);
  const early: bigint[] = [];
  engine.statuses.watch('counters').subscribe(({ position }) => {
    if (position > before && position > (commits.at(-1) ?? before)) early.push(position);
  });
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.equal(early, []);
});

for (const [where, between] of [
  ['by the projection', (store: EventStore) => store],
  ['by the log', createCheckedStore],
] as const) {
  test(`all events before an event of an unknown type, detected ${where}, are stored`, async () => {
    const stores = memoryStores();
    await leftBehind(stores, 2_000);
    await append(stores.main, { type: 'CoffeeBrewed', data: {} } as never);
    await append(stores.main, logMarked('m0'));
    const engine = await startEngine({ ...stores, main: between(stores.main) }, [counters]);
    const { position } = await until(engine.statuses, 'counters', ({ state }) => state === 'stopped');
    assert.is(position, (await stores.readStore.checkpoint(GENERATION))?.position);
    assert.is(await counted(stores), 2_000);
  });
}

test('all events that were read are stored at a stop, and folding resumes there', async () => {
  const stores = memoryStores();
  await leftBehind(stores, 4_500);
  let pages = 0;
  const main: Stores['main'] = {
    ...stores.main,
    readAll: async (options) => {
      const page = await stores.main.readAll(options);
      if (page.length === 1_000 && ++pages === 2) setImmediate(() => void engine.stop());
      return page;
    },
  };
  const engine = await startEngine({ ...stores, main }, [counters]);
  await engine.stop();
  const again = await startEngine(stores, [counters]);
  await until(again.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(await counted(stores), 4_500);
});

test('a sweep of expired documents loses no document that is not stored yet', async () => {
  const dated = defineProjection({
    name: 'dated',
    version: 1,
    log: 'results',
    collections: { dated: collection<Counter & { at: string }>({ indexes: [], expires: { field: 'at' } }) },
    documents: ({ data }) => ({ dated: [data.mark] }),
    on: {
      LogMarked: ({ data, metadata }, { dated }) => {
        const count = (dated.get(data.mark)?.count ?? 0) + 1;
        dated.put({ id: data.mark, count, at: metadata.recorded_at });
      },
    },
  });
  const stores = memoryStores();
  let engine = await startEngine(stores, [dated]);
  await until(engine.statuses, 'dated', ({ state }) => state === 'live');
  await engine.stop();
  await append(stores.results, ...Array.from({ length: 8_500 }, () => logMarked('m')));
  let sweeps = 0;
  const sweep: ReadStore['sweep'] = async () => {
    sweeps++;
    return 1;
  };
  const results: EventStore = {
    ...stores.results,
    readAll: (options) =>
      realPause(5, 'long enough for sweeps between one page and the next').then(() => stores.results.readAll(options)),
  };
  const readStore = { ...stores.readStore, sweep };
  engine = await startEngine({ ...stores, results, readStore }, [dated], { sweep: 1 });
  await until(engine.statuses, 'dated', ({ state }) => state === 'live');
  assert.ok(sweeps > 0);
  const [document] = await stores.readStore.get({ projection: 'dated@1', number: 1 }, 'dated', ['m']);
  assert.is((document as Counter | undefined)?.count, 8_500);
});

test.run();
