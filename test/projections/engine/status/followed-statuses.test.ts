import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filter, firstValueFrom } from 'rxjs';
import { projectionPart } from '../../../../http/health.ts';
import { collection, defineProjection, type AnyProjection } from '../../../../projections/engine/fold/define.ts';
import { followStatuses, type FollowedStatuses } from '../../../../projections/engine/status/followed-statuses.ts';
import { instantOf } from '../../../../domain/time.ts';
import type { WriteReport } from '../../../../projections/engine/status/write-reports.ts';
import { createReaders } from '../../../../projections/engine/readers.ts';
import { DocumentSetAside, ReadModelLate } from '../../../../projections/readers.ts';
import { CoordinationUnavailable, type Coordination } from '../../../../stores/coordination/port.ts';
import type { ReadStore } from '../../../../stores/read-store/port.ts';
import { rejects } from '../../../rejects.ts';
import { append, memoryStores, startEngine, stopEngines, until, type Stores } from '../engine.ts';
import { counters, logMarked } from '../samples.ts';
import { notes } from '../set-aside.ts';
import { eventually, realPause } from '../../../waiting.ts';

const test = suite('a process whose read models are kept up to date by another process');

const following = new Set<FollowedStatuses>();

/** Starts an engine that keeps the counters up to date, as another process would. */
const startElsewhere = async (stores: Stores, beat: number | null = null) => {
  const engine = await startEngine(stores, [counters], { checkpoint: 1, beat }, { positionsFollowed: true });
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  return engine;
};

/**
 * Follows statuses. Only the polling intervals for processes with waiters or watchers are short, so a process without
 * waiters and watchers does not poll during a test.
 */
const follow = (
  stores: Stores,
  { silence = 60_000, catalogue = 1, projections = [counters] as readonly AnyProjection[] } = {},
) => {
  const logged: string[] = [];
  const followed = followStatuses({
    projections,
    stores,
    readStore: stores.readStore,
    coordination: stores.coordination,
    log: ({ message }) => logged.push(message),
    timings: { awaited: 1, watched: 2, idle: 60_000, catalogue, state: 1, silence, logs: 5, unstored: 1 },
  });
  following.add(followed);
  const { statuses } = followed;
  const readers = createReaders({ ...stores, statuses, timeout: 2_000 });
  return { statuses, readers, logged };
};

/** Wraps stores that are unavailable while `away.gone` is true. */
const goingAway = (stores: Stores, away: { readonly gone: boolean }): Stores => ({
  ...stores,
  coordination: {
    ...stores.coordination,
    catalogue: async () => {
      if (away.gone) throw new CoordinationUnavailable('MongoDB is gone.');
      return stores.coordination.catalogue();
    },
  },
});

test.after.each(async () => {
  for (const followed of following) await followed.stop();
  following.clear();
  await stopEngines();
});

test('a read finds its own write once another process has folded it', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { readers, statuses } = follow(stores);
  await statuses.checked();
  const position = await append(stores.main, logMarked('a'));
  const context = { appended: new Map([['main', position]]) };
  assert.is((await readers.for(context)(counters).counters.get('a'))?.count, 1);
  assert.ok(statuses.of('counters').position >= position);
});

test('a read is late when no process folds', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  await engine.stop();
  const { statuses } = follow(stores);
  const position = await append(stores.main, logMarked('a'));
  await rejects(statuses.passed('counters', position, 20), ReadModelLate);
});

test('a read does not wait for events that a read model does not fold, although no process keeps it up to date', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  await engine.stop();
  const { readers, statuses } = follow(stores);
  await statuses.checked();
  const position = await append(stores.main, logMarked('a'));
  const read = (type: string) =>
    readers
      .for({ appended: new Map([['main', new Map([[type, position]])]]) })(counters)
      .counters.get('a');
  assert.is((await read('PageUpdated'))?.count, 1);
  await rejects(read('LogMarked'), ReadModelLate);
});

test('watchers are notified that a read model has moved', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { statuses } = follow(stores);
  const position = await append(stores.main, logMarked('a'));
  const moved = statuses.watch('counters').pipe(filter((status) => status.position >= position));
  assert.is((await firstValueFrom(moved)).state, 'live');
});

/** Handles only created organizations among the events of these tests, and stores only those with a name. */
const named = defineProjection({
  name: 'named',
  version: 1,
  log: 'main',
  collections: { named: collection<{ id: string }>({ indexes: [] }) },
  documents: () => ({}),
  on: {
    OrganizationCreated: ({ data }, { named }) => {
      if (data.name !== '') named.put({ id: data.name });
    },
  },
});

const created = (name: string) => ({ type: 'OrganizationCreated', data: { organization_id: 'o', name } }) as const;

test('the log shows that a read model has passed unrelated events, although their position is not stored', async () => {
  const stores = memoryStores();
  let commits = 0;
  const commit: ReadStore['commit'] = async (...given) => {
    await stores.readStore.commit(...given);
    commits++;
  };
  const engine = await startEngine(
    { ...stores, readStore: { ...stores.readStore, commit } },
    [named],
    {},
    { positionsFollowed: true },
  );
  await until(engine.statuses, 'named', ({ state }) => state === 'live');
  const { statuses } = follow(stores, { projections: [named] });
  const watching = statuses.watch('named').subscribe();
  await statuses.checked();
  const before = commits;
  const unrelated = await append(stores.main, logMarked('a'), logMarked('b'));
  assert.ok((await statuses.passed('named', unrelated, 30_000)).position >= unrelated);
  assert.is(commits, before);
  // Later reads of the store do not revert the position.
  const concerned = await append(stores.main, created(''), logMarked('c'));
  assert.ok((await statuses.passed('named', concerned - 1n, 30_000)).position >= unrelated);
  assert.is(commits, before + 1);
  await statuses.passed('named', await append(stores.main, created('x')), 30_000);
  watching.unsubscribe();
});

test('a position that a read model has passed is found later, even if every caller stopped waiting before', async () => {
  const stores = memoryStores();
  const first = await startEngine(stores, [named], {}, { positionsFollowed: true });
  await until(first.statuses, 'named', ({ state }) => state === 'live');
  await first.stop();
  const { statuses } = follow(stores, { projections: [named] });
  await statuses.checked();
  const wanted = await append(stores.main, created('a'), logMarked('b'));
  await rejects(statuses.passed('named', wanted, 20), ReadModelLate);
  const watching = statuses.watch('named').subscribe();
  await startEngine(stores, [named], {}, { positionsFollowed: true });
  await eventually(() => statuses.of('named').position >= wanted);
  watching.unsubscribe();
});

test('listeners receive the collections that were written since the last poll', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { statuses } = follow(stores);
  await statuses.checked();
  const reports: WriteReport['collections'][] = [];
  const end = statuses.onWritten(({ collections }) => reports.push(collections));
  // The subscription makes the process poll the stores.
  const watching = statuses.watch('counters').subscribe();
  await eventually(() => reports.length === 1);
  assert.is(reports[0], 'unknown');
  const last = await append(stores.main, logMarked('a'));
  await statuses.passed('counters', last, 2_000);
  assert.equal(reports.slice(1), [new Map([['counters', 'many']])]);
  await stores.coordination.nextGeneration('counters@1', 9n);
  const generation = { projection: 'counters@1', number: 2 };
  await stores.readStore.open(generation, counters.collections);
  await stores.readStore.commit(generation, {}, { log_id: 'log', position: 9_999n, event_id: null });
  await stores.coordination.switchGeneration('counters@1', 2, 9n);
  await eventually(() => reports.length === 3);
  assert.is(reports[2], 'unknown');
  await stores.readStore.commit(generation, {}, { log_id: 'log', position: 10_000n, event_id: null });
  await statuses.passed('counters', 10_000n, 2_000);
  assert.is(reports.length, 3);
  watching.unsubscribe();
  end();
});

test('after the stores were unavailable, listeners get a report that anything may have been written', async () => {
  const stores = memoryStores();
  const away = { gone: false };
  await startElsewhere(stores);
  const { statuses } = follow(goingAway(stores, away));
  await statuses.checked();
  const reports: WriteReport['collections'][] = [];
  const end = statuses.onWritten(({ collections }) => reports.push(collections));
  const watching = statuses.watch('counters').subscribe();
  await eventually(() => reports.length === 1);
  away.gone = true;
  await eventually(() => statuses.of('counters').state === 'failing');
  away.gone = false;
  const waiting = statuses.passed('counters', await append(stores.main, logMarked('a')), 2_000).catch(() => undefined);
  await eventually(() => reports.length === 2);
  await waiting;
  assert.is(reports[1], 'unknown');
  watching.unsubscribe();
  end();
});

test('reads use the new generation after a rebuild has switched to it', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { statuses } = follow(stores);
  await statuses.checked();
  assert.is(statuses.of('counters').generation, 1);
  await stores.coordination.nextGeneration('counters@1', 9n);
  const generation = { projection: 'counters@1', number: 2 };
  await stores.readStore.open(generation, counters.collections);
  await stores.readStore.commit(generation, {}, { log_id: 'log', position: 9_999n, event_id: null });
  await stores.coordination.switchGeneration('counters@1', 2, 9n);
  assert.is((await statuses.passed('counters', 9_999n, 30_000)).generation, 2);
});

test('the replacement of a dropped generation is found immediately, however recently the catalogue was read', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  const { statuses } = follow(stores, { catalogue: 60_000 });
  await statuses.checked();
  await engine.stop();
  const lease = await stores.coordination.acquire('projection:counters@1', new AbortController().signal);
  const number = await stores.coordination.nextGeneration('counters@1', lease.token);
  const generation = { projection: 'counters@1', number };
  await stores.readStore.open(generation, counters.collections, { lease });
  await stores.readStore.commit(generation, {}, { log_id: 'log', position: 9_999n, event_id: null });
  await stores.coordination.switchGeneration('counters@1', number, lease.token);
  await stores.readStore.drop({ ...generation, number: 1 }, lease);
  assert.is((await statuses.passed('counters', 9_999n, 30_000)).generation, number);
});

test('the number of set-aside documents is known, and a read of a set-aside document fails accordingly', async () => {
  const stores = memoryStores();
  await startEngine(stores, [notes], { checkpoint: 1 });
  const { statuses, readers } = follow(stores, { projections: [notes] });
  await append(stores.main, logMarked('a'), logMarked('a bad'), logMarked('b'));
  await firstValueFrom(statuses.watch('notes').pipe(filter(({ set_aside }) => set_aside === 1)));
  const reader = readers.for({ appended: new Map() })(notes).notes;
  await rejects(reader.get('a'), DocumentSetAside);
  assert.is(await reader.get('c'), null);
  assert.is((await reader.get('b'))?.seen, 1);
  assert.equal(await reader.getMany(['a', 'b']), [await reader.get('b')]);
});

test('one query reads the positions of all read models, and the generations in use are read rarely', async () => {
  const stores = memoryStores();
  const others = ['one', 'two', 'three'].map((name) => ({ ...counters, name }));
  const engine = await startEngine(stores, [counters, ...others], { checkpoint: 1 });
  for (const { name } of [counters, ...others]) await until(engine.statuses, name, ({ state }) => state === 'live');
  const reads = { checkpoints: 0, catalogue: 0 };
  const readStore: ReadStore = {
    ...stores.readStore,
    checkpoints: (generations) => {
      reads.checkpoints++;
      return stores.readStore.checkpoints(generations);
    },
  };
  const coordination: Coordination = {
    ...stores.coordination,
    catalogue: () => {
      reads.catalogue++;
      return stores.coordination.catalogue();
    },
  };
  const { statuses } = follow(
    { ...stores, readStore, coordination },
    { catalogue: 60_000, projections: [counters, ...others] },
  );
  await statuses.checked();
  assert.equal(reads, { checkpoints: 1, catalogue: 1 });
  const position = await append(stores.main, logMarked('a'));
  await Promise.all([counters, ...others].map(({ name }) => statuses.passed(name, position, 30_000)));
  assert.is(reads.catalogue, 1);
});

test('a wait lasts no longer than its time limit, even if the stores hang', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  let giveUp = (): void => undefined;
  const silent = new Promise<never>((_, reject) => {
    giveUp = () => {
      reject(new Error('It has hung for too long.'));
    };
  });
  let hanging = false;
  let asked = false;
  const readStore: ReadStore = {
    ...stores.readStore,
    checkpoints: (generations) => {
      asked = hanging;
      return hanging ? silent : stores.readStore.checkpoints(generations);
    },
  };
  const { statuses } = follow({ ...stores, readStore });
  await statuses.checked();
  hanging = true;
  await rejects(statuses.passed('counters', 9_999n, 200), ReadModelLate);
  await eventually(() => asked);
  giveUp();
});

test('an unavailable store is logged once, and polling resumes when the store is back', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const away = { gone: true };
  const { statuses, logged } = follow(goingAway(stores, away));
  await rejects(statuses.passed('counters', 1n, 20), ReadModelLate);
  await eventually(() => logged.length > 0);
  assert.is(logged.length, 1);
  away.gone = false;
  await statuses.passed('counters', 1n, 30_000);
});

test('the status shows a failure of the stores, and the end of the failure', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const away = { gone: false };
  const { statuses, logged } = follow(goingAway(stores, away));
  const watched = statuses.watch('counters');
  await firstValueFrom(watched.pipe(filter(({ state }) => state === 'live')));
  away.gone = true;
  const failing = await firstValueFrom(watched.pipe(filter(({ state }) => state === 'failing')));
  assert.is(failing.error?.message, 'MongoDB is gone.');
  assert.not(projectionPart(failing, 0).ready);
  assert.is(failing.generation, 1, 'what could be read stays known');
  away.gone = false;
  await firstValueFrom(watched.pipe(filter(({ state }) => state === 'live')));
  assert.is(logged.length, 1);
});

test('the status shows that no process keeps a read model up to date when its engine is silent', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores, 5);
  const { statuses } = follow(stores, { silence: 500 });
  const watched = statuses.watch('counters');
  await firstValueFrom(watched.pipe(filter(({ state }) => state === 'live')));
  await engine.stop();
  const abandoned = await firstValueFrom(watched.pipe(filter(({ state }) => state === 'failing')));
  assert.match(String(abandoned.error?.message), /No process/);
  assert.not(projectionPart(abandoned, 0).ready);
  await startElsewhere(stores, 5);
  await firstValueFrom(watched.pipe(filter(({ state }) => state === 'live')));
});

test('an engine that repeats its state counts as alive, although nothing happens', async () => {
  const stores = memoryStores();
  await startElsewhere(stores, 5);
  const { statuses } = follow(stores, { silence: 1_000 });
  const seen: string[] = [];
  const watching = statuses.watch('counters').subscribe(({ state }) => seen.push(state));
  await realPause(1_500, 'longer than an engine may be silent');
  watching.unsubscribe();
  assert.ok(seen.includes('live'));
  assert.not(seen.includes('failing'));
});

test('the lag of a read model is taken from the reports of its engine', async () => {
  const stores = memoryStores();
  const oldest = { position: '999999', recordedAt: Date.now() - 7_000 };
  const published = { state: 'live', error: null, oldest, beat: 'one' };
  await startElsewhere(stores);
  await stores.coordination.write('projection-state:counters@1', JSON.stringify(published));
  const { statuses } = follow(stores);
  const watched = statuses.watch('counters');
  await firstValueFrom(watched.pipe(filter(({ state }) => state === 'live')));
  assert.ok(statuses.lag('counters') >= 7);
});

test('the state published by an engine of an earlier release, without times, is accepted', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  await stores.coordination.write(
    'projection-state:counters@1',
    JSON.stringify({ state: 'live', error: null, lag: 7_000_000, beat: 'one' }),
  );
  const { statuses } = follow(stores);
  await firstValueFrom(statuses.watch('counters').pipe(filter(({ state }) => state === 'live')));
  assert.is(statuses.lag('counters'), 0);
});

test('the lag of a read model without an engine is read from the log', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores, 5);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  await engine.stop();
  const { statuses } = follow(stores, { silence: 50 });
  const watching = statuses.watch('counters').subscribe();
  await firstValueFrom(statuses.watch('counters').pipe(filter(({ state }) => state === 'failing')));
  await append(stores.main, { type: 'PageDeleted', data: { page_id: 'p', deleted_at: instantOf(0) } });
  await realPause(50, 'the log is read meanwhile, which nothing reports');
  assert.is(statuses.lag('counters'), 0, 'nothing concerns it');
  await append(stores.main, logMarked('b'));
  await eventually(() => statuses.lag('counters') !== 0);
  const lag = statuses.lag('counters');
  await eventually(() => statuses.lag('counters') > lag, { what: 'the lag grows' });
  watching.unsubscribe();
});

test('the lag of a read model that cannot be read is read from the log', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  await engine.stop();
  const away = { gone: false };
  const { statuses } = follow(goingAway(stores, away));
  await firstValueFrom(statuses.watch('counters').pipe(filter(({ state }) => state === 'live')));
  away.gone = true;
  await append(stores.main, logMarked('b'));
  await eventually(async () => {
    await rejects(statuses.passed('counters', 999_999n, 20), ReadModelLate);
    return statuses.lag('counters') > 0;
  });
  assert.is(statuses.of('counters').state, 'failing');
});

test.run();
