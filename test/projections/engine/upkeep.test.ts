import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection, type AnyProjection } from '../../../projections/engine/fold/define.ts';
import { dropOrphans, sendBuildHeartbeats } from '../../../projections/engine/generations/orphans.ts';
import { listProjections } from '../../../projections/engine/status/listing.ts';
import type { ProjectionState } from '../../../projections/engine/status/protocol.ts';
import { createStatePublisher } from '../../../projections/engine/status/published-state.ts';
import type { Retention } from '../../../domain/retention.ts';
import { instantOf } from '../../../domain/time.ts';
import { RETENTION, type Coordination } from '../../../stores/coordination/port.ts';
import { StaleWriter, type Generation, type ReadStore } from '../../../stores/read-store/port.ts';
import { rejects } from '../../rejects.ts';
import { append, memoryStores, NOW, startEngine, stopEngines, until, type Stores } from './engine.ts';
import { counters, echoes, logMarked, type Counter } from './samples.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the maintenance of read models');
test.after.each(stopEngines);

/** Stores when each mark was first recorded. Documents past the retention are swept. */
const dated = defineProjection({
  name: 'dated',
  version: 1,
  log: 'results',
  collections: {
    dated: collection<{ id: string; at: string }>({ indexes: [], expires: { field: 'at' } }),
    kept: collection<{ id: string }>({ indexes: [] }),
  },
  documents: ({ data }) => ({ dated: [data.mark] }),
  on: {
    LogMarked: ({ data, metadata }, { dated, kept }) => {
      kept.put({ id: data.mark });
      // An existing document keeps its time.
      dated.put({ id: data.mark, at: dated.get(data.mark)?.at ?? metadata.recorded_at });
    },
  },
});

/** Counts only the marks `a`. */
const picky = defineProjection({
  name: 'picky',
  version: 1,
  log: 'main',
  collections: { counters: collection<Counter>({ indexes: [] }) },
  documents: ({ data }) => ({ counters: [data.mark] }),
  on: {
    LogMarked: ({ data: { mark } }, { counters }) => {
      if (mark === 'a') counters.put({ id: mark, count: (counters.get(mark)?.count ?? 0) + 1 });
    },
  },
});

const DATED = { projection: 'dated@1', number: 1 };

/** 183 whole days before 20 November 2026 */
const RETAINED_FROM = '2026-05-21T00:00:00.000000';
const PAST = '2026-05-20T23:59:59.999999';

/** Runs an engine until the projection is live, and then stops it. */
const served = async (stores: Stores, projection: AnyProjection): Promise<void> => {
  const engine = await startEngine(stores, [projection]);
  await until(engine.statuses, projection.name, ({ state }) => state === 'live');
  await engine.stop();
};

const NEXT_DAY = '2026-05-22T00:00:00.000000';

const moveRetention = ({ coordination }: Stores, from: string): Promise<void> => {
  const retention: Retention = { from, wanted: null, moved_at: instantOf(NOW) };
  return coordination.write(RETENTION, JSON.stringify(retention));
};

const ids = async ({ readStore }: Stores, name: string): Promise<string[]> =>
  (await readStore.find(DATED, name, {})).map(({ id }) => id).filter((id) => id.length < 10);

test('a build does not show events past the retention to a projection of the results log', async () => {
  const stores = memoryStores();
  await served(stores, echoes);
  await append(stores.results, { ...logMarked('old'), metadata: { recorded_at: PAST } });
  await append(stores.results, { ...logMarked('new'), metadata: { recorded_at: RETAINED_FROM } });
  const engine = await startEngine(stores, [dated]);
  await until(engine.statuses, 'dated', ({ state }) => state === 'live');
  assert.equal(await ids(stores, 'kept'), ['new']);
});

test('the sweep removes expired documents in small steps, and no other documents', async () => {
  const stores = memoryStores();
  const steps: number[] = [];
  const readStore: Stores['readStore'] = {
    ...stores.readStore,
    sweep: async (generation, name, before, limit) => {
      const removed = await stores.readStore.sweep(generation, name, before, limit);
      if (removed > 0) steps.push(removed);
      return removed;
    },
  };
  await served(stores, dated);
  const checkpoint = await stores.readStore.checkpoint(DATED);
  assert.ok(checkpoint);
  const expired = Array.from({ length: 1_200 }, (_, index) => ({ put: { id: `old${index}`, at: PAST } }));
  const retained = { put: { id: 'edge', at: RETAINED_FROM } };
  await stores.readStore.commit(DATED, { dated: [...expired, retained], kept: [{ put: { id: 'old1' } }] }, checkpoint);
  const engine = await startEngine({ ...stores, readStore }, [dated], { sweep: 5 });
  await eventually(async () => (await ids(stores, 'dated')).length <= 1);
  assert.equal(await ids(stores, 'dated'), ['edge']);
  assert.equal(steps, [500, 500, 200]);
  assert.equal(await ids(stores, 'kept'), ['old1'], 'documents without expiry stay');
  await engine.stop();
});

test('expired documents are searched for only after the retention has moved or documents were written', async () => {
  const stores = memoryStores();
  let [rounds, sweeps] = [0, 0];
  const engine = await startEngine(
    {
      ...stores,
      readStore: {
        ...stores.readStore,
        sweep: (...given) => {
          sweeps++;
          return stores.readStore.sweep(...given);
        },
      },
      coordination: {
        ...stores.coordination,
        read: (name) => {
          if (name === RETENTION) rounds++;
          return stores.coordination.read(name);
        },
      },
    },
    [dated],
    { sweep: 5 },
  );
  await until(engine.statuses, 'dated', ({ state }) => state === 'live');
  const someRounds = async (): Promise<void> => {
    const before = rounds;
    await eventually(() => rounds > before + 3);
  };
  await eventually(() => sweeps > 0);
  await someRounds();
  let before = sweeps;
  await someRounds();
  assert.is(sweeps, before);
  await engine.reached('dated', await append(stores.results, logMarked('a')));
  await eventually(() => sweeps > before);
  await someRounds();
  before = sweeps;
  await moveRetention(stores, NEXT_DAY);
  await eventually(() => sweeps > before);
});

test('swept documents are not cached', async () => {
  const stores = memoryStores();
  const engine = await startEngine(stores, [dated], { sweep: 5 });
  // This document is still in the engine's memory, because its event was folded just before.
  const at = { recorded_at: RETAINED_FROM };
  await engine.reached('dated', await append(stores.results, { ...logMarked('a'), metadata: at }));
  await moveRetention(stores, NEXT_DAY);
  await eventually(async () => !(await ids(stores, 'dated')).includes('a'));
  const later = { recorded_at: '2026-11-20T00:00:00.000000' };
  await engine.reached('dated', await append(stores.results, { ...logMarked('a'), metadata: later }));
  assert.equal(await stores.readStore.get(DATED, 'dated', ['a']), [{ id: 'a', at: later.recorded_at }]);
});

test('orphaned generations are dropped, but not a generation that is still being built', async () => {
  const stores = memoryStores();
  await served(stores, counters);
  for (const number of [2, 3]) {
    await stores.readStore.open({ projection: 'counters@1', number }, counters.collections);
  }
  await stores.readStore.open({ projection: 'counters@2', number: 1 }, counters.collections);
  const end = await sendBuildHeartbeats(stores.coordination, { projection: 'counters@1', number: 3 });
  await startEngine(stores, [counters], { builderSilence: 1_500 });
  const left = async () => (await stores.readStore.list()).map(({ projection, number }) => `${projection}.${number}`);
  await eventually(async () => !(await left()).includes('counters@1.2'));
  await end();
  assert.equal(await left(), ['counters@1.1', 'counters@1.3', 'counters@2.1'], 'another release may use its own');
});

test('the engine looks for rebuilt generations frequently while one is being built, and otherwise rarely', async () => {
  for (const [isBuilt, timings] of [
    [false, { switchPoll: 1, switchIdle: 30 }],
    [true, { switchPoll: 30, switchIdle: 1 }],
  ] as const) {
    const stores = memoryStores();
    let reads = 0;
    const coordination: Stores['coordination'] = {
      ...stores.coordination,
      catalogue: async () => {
        reads += 1;
        return stores.coordination.catalogue();
      },
    };
    const engine = await startEngine({ ...stores, coordination }, [counters], timings);
    await until(engine.statuses, 'counters', ({ state }) => state === 'live');
    const lookedAgain = async (times: number): Promise<void> => {
      const before = reads;
      await eventually(() => reads >= before + times);
    };
    if (isBuilt) await stores.coordination.nextGeneration('counters@1', 9n);
    // After two more reads, the engine knows whether a generation is being built.
    await lookedAgain(2);
    const began = performance.now();
    await lookedAgain(3);
    assert.ok(performance.now() - began > 50, isBuilt ? 'while something is built' : 'while nothing is');
    await engine.stop();
  }
});

test('a holder that does not know that it has lost its lease drops no generation of its successor', async () => {
  const { readStore, coordination } = memoryStores();
  const { signal } = new AbortController();
  const [stale, successor] = [
    await coordination.acquire('projection:counters@1', signal),
    await coordination.acquire('projection:counters@1', signal),
  ];
  const [live, rebuilt]: [Generation, Generation] = [
    { projection: 'counters@1', number: 1 },
    { projection: 'counters@1', number: 2 },
  ];
  await readStore.open(live, counters.collections, { lease: stale });
  const end = await sendBuildHeartbeats(coordination, rebuilt);
  await readStore.open(rebuilt, counters.collections, { lease: { name: 'rebuild:counters@1', token: 1n } });
  let reads = 0;
  const stopped: Stores['coordination'] = {
    ...coordination,
    read: async (name) => {
      if (++reads === 2) {
        await readStore.open(rebuilt, counters.collections, { lease: successor });
        await end();
      }
      return coordination.read(name);
    },
  };
  const inUse = (number: number): boolean => number === live.number;
  const leftovers = { projection: 'counters@1', readStore, inUse, silence: 1, signal };
  await rejects(dropOrphans({ ...leftovers, coordination: stopped, lease: stale }), StaleWriter);
  assert.equal(await readStore.list(), [live, rebuilt]);
  assert.equal(await dropOrphans({ ...leftovers, coordination, lease: successor }), [rebuilt]);
});

test('another release builds its own version next to the old one', async () => {
  const stores = memoryStores();
  await served(stores, counters);
  await append(stores.main, logMarked('a'));
  const newer = { ...counters, version: 2 };
  const engine = await startEngine(stores, [newer]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  await engine.stop();
  assert.equal(await stores.coordination.catalogue(), [
    { projection: 'counters@1', live: 1, last: 1 },
    { projection: 'counters@2', live: 1, last: 1 },
  ]);
});

test('only the process that holds the lease of a projection folds it', async () => {
  const stores = memoryStores();
  let grant: () => void = () => undefined;
  const granted = new Promise<void>((resolve) => (grant = resolve));
  const coordination: Coordination = {
    ...stores.coordination,
    acquire: async (name, signal) => {
      await granted;
      return stores.coordination.acquire(name, signal);
    },
  };
  const engine = await startEngine({ ...stores, coordination }, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'waiting');
  assert.equal(await stores.readStore.list(), []);
  grant();
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
});

test('a holder that loses its lease starts again from the stored state under its next lease', async () => {
  const stores = memoryStores();
  const losing = new AbortController();
  let leases = 0;
  const coordination: Coordination = {
    ...stores.coordination,
    acquire: async (name, signal) => {
      const lease = await stores.coordination.acquire(name, signal);
      return leases++ === 0 ? { ...lease, lost: losing.signal } : lease;
    },
  };
  const engine = await startEngine({ ...stores, coordination }, [counters]);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  losing.abort();
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  assert.is(leases, 2);
  const generation = { projection: 'counters@1', number: 1 };
  assert.equal(await stores.readStore.get(generation, 'counters', ['a']), [{ id: 'a', count: 2 }]);
});

test('a holder that has lost its lease stores no more positions', async () => {
  const stores = memoryStores();
  const losing = new AbortController();
  const requestedLeases: string[] = [];
  const coordination: Coordination = {
    ...stores.coordination,
    acquire: async (name, signal) => {
      const isAgain = requestedLeases.includes(name);
      requestedLeases.push(name);
      if (name !== 'projection:counters@1') return stores.coordination.acquire(name, signal);
      // The second request gets no lease, as if another process had the lease.
      if (isAgain)
        return new Promise((_, reject) => {
          signal.addEventListener('abort', reject);
        });
      return { ...(await stores.coordination.acquire(name, signal)), lost: losing.signal };
    },
  };
  const committed: string[] = [];
  const commit: ReadStore['commit'] = async (...given) => {
    committed.push(given[0].projection);
    await stores.readStore.commit(...given);
  };
  const readStore = { ...stores.readStore, commit };
  const ignoring = { ...counters, on: {}, documents: () => ({}) };
  const others = { ...ignoring, name: 'others' };
  const engine = await startEngine({ ...stores, coordination, readStore }, [ignoring, others], { checkpoint: 300 });
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  await until(engine.statuses, 'others', ({ state }) => state === 'live');
  const far = Array.from({ length: 500 }, () => logMarked('a'));
  await engine.reached('counters', await append(stores.main, ...far));
  losing.abort();
  await eventually(() => requestedLeases.filter((name) => name === 'projection:counters@1').length === 2);
  committed.length = 0;
  // The positions of both projections are far ahead, so they would be stored together.
  await append(stores.main, ...far);
  await eventually(() => committed.length > 0);
  assert.equal(committed, ['others@1']);
  await engine.stop();
});

test('projections are listed for operators, whether the service is running or not', async () => {
  const stores = memoryStores();
  const list = (serviceRuns: boolean) =>
    listProjections({ projections: [counters, echoes], stores, ...stores, serviceRuns, now: NOW + 60_000 });
  assert.equal(
    (await list(false)).map(({ name, generation, state, size }) => [name, generation, state, size]),
    [
      ['counters', null, 'unbuilt', 0],
      ['echoes', null, 'unbuilt', 0],
    ],
  );
  const engine = await startEngine(stores, [counters]);
  const last = await append(stores.main, logMarked('a'));
  await engine.reached('counters', last);
  const [live] = await list(true);
  assert.ok(live);
  assert.equal(live, { ...live, generation: 1, position: last, lag_seconds: 0, state: 'live', error: null });
  assert.ok(live.size > 0);
  await append(stores.main, { type: 'CoffeeBrewed', data: {} } as never);
  await until(engine.statuses, 'counters', ({ state }) => state === 'stopped');
  const [stopped] = await list(true);
  assert.is(stopped?.state, 'stopped');
  assert.match(stopped?.error ?? '', 'does not know this event type');
  assert.is(stopped?.lag_seconds, 60);
  await engine.stop();
  assert.is((await list(false))[0]?.state, 'idle');
});

test('a projection is not listed as behind if its position was not stored only because the folded events changed nothing', async () => {
  const stores = memoryStores();
  const list = async () => {
    const listings = { projections: [picky], stores, ...stores, serviceRuns: true, now: NOW + 60_000 };
    return (await listProjections(listings))[0];
  };
  const engine = await startEngine(stores, [picky]);
  const stored = await append(stores.main, logMarked('a'));
  await engine.reached('picky', stored);
  await engine.reached('picky', await append(stores.main, logMarked('b'), logMarked('c'), logMarked('b')));
  const listing = await list();
  assert.equal([listing?.position, listing?.lag_seconds], [stored, 0]);
  await engine.stop();
  // Each mark is recorded a second later than the previous one.
  await append(stores.main, logMarked('b'), logMarked('a'));
  assert.is((await list())?.lag_seconds, 59);
  assert.equal(await stores.readStore.find({ projection: 'picky@1', number: 1 }, 'counters', {}), [
    { id: 'a', count: 1 },
  ]);
});

test('a projection is not listed as behind if the log contains nothing to fold, even if its newest report says that it was behind', async () => {
  const stores = memoryStores();
  await served(stores, picky);
  const last = await append(stores.main, logMarked('b'));
  const publisher = createStatePublisher(stores.coordination, picky);
  const lag = async (state: ProjectionState): Promise<number | undefined> => {
    const oldest = { position: last, recordedAt: NOW };
    const { name, version, log } = picky;
    publisher.publish({ name, version, log, generation: 1, position: 0n, oldest, state, error: null });
    await publisher.repeat();
    const listings = { projections: [picky], stores, ...stores, serviceRuns: true, now: NOW + 60_000 };
    return (await listProjections(listings))[0]?.lag_seconds;
  };
  assert.is(await lag('catching_up'), 0);
  assert.is(await lag('stopped'), 60);
});

test('an operation that the end of the engine interrupts is not logged as a failure', async () => {
  const stores = memoryStores();
  await served(stores, dated);
  let isServed = false;
  const cutOff: ((error: Error) => void)[] = [];
  const coordination: Coordination = {
    ...stores.coordination,
    readByPrefix: async (prefix) =>
      isServed ? new Promise((_, reject) => cutOff.push(reject)) : stores.coordination.readByPrefix(prefix),
  };
  const engine = await startEngine({ ...stores, coordination }, [dated]);
  await until(engine.statuses, 'dated', ({ state }) => state === 'live');
  isServed = true;
  await eventually(() => cutOff.length > 0);
  await engine.stop();
  for (const end of cutOff) end(new Error('The store is closed.'));
  await new Promise(setImmediate);
  assert.equal(engine.logged, []);
});

test.run();
