import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filter, firstValueFrom } from 'rxjs';
import { projectionPart } from '../../../../http/health.ts';
import { collection, defineProjection, type AnyProjection } from '../../../../projections/engine/fold/define.ts';
import { followStatuses, type FollowedStatuses } from '../../../../projections/engine/status/followed.ts';
import { instantOf } from '../../../../domain/time.ts';
import type { Written } from '../../../../projections/engine/status/written.ts';
import { createReaders } from '../../../../projections/engine/readers.ts';
import { DocumentSetAside, ReadModelLate } from '../../../../projections/readers.ts';
import { CoordinationUnavailable, type Coordination } from '../../../../stores/coordination/port.ts';
import type { ReadStore } from '../../../../stores/read-store/port.ts';
import { rejects } from '../../../rejects.ts';
import { append, memoryStores, startEngine, stopEngines, until, type Stores } from '../engine.ts';
import { counters, marked } from '../samples.ts';
import { notes } from '../set-aside.ts';
import { eventually, realPause } from '../../../waiting.ts';

const test = suite('A process that does not keep the read models up to date itself');

const following = new Set<FollowedStatuses>();

/** An engine that keeps the counters up to date, as another process would. */
const startElsewhere = async (stores: Stores, beat: number | null = null) => {
  const engine = await startEngine(stores, [counters], { checkpoint: 1, beat }, { positionsFollowed: true });
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  return engine;
};

/** Only `awaited` and `watched` are short, so that whoever does not ask sees nothing. */
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

/** Stores that do not answer while they are said to be gone. */
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

test('reads what it has written, once another process has folded it', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { readers, statuses } = follow(stores);
  await statuses.checked();
  const position = await append(stores.main, marked('a'));
  const context = { appended: new Map([['main', position]]) };
  assert.is((await readers.for(context)(counters).counters.get('a'))?.count, 1);
  assert.ok(statuses.of('counters').position >= position);
});

test('is late when nobody folds', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  await engine.stop();
  const { statuses } = follow(stores);
  const position = await append(stores.main, marked('a'));
  await rejects(statuses.passed('counters', position, 20), ReadModelLate);
});

test('does not wait for what a read model does not fold, though nobody keeps it up to date', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  await engine.reached('counters', await append(stores.main, marked('a')));
  await engine.stop();
  const { readers, statuses } = follow(stores);
  await statuses.checked();
  const position = await append(stores.main, marked('a'));
  const read = (type: string) =>
    readers
      .for({ appended: new Map([['main', new Map([[type, position]])]]) })(counters)
      .counters.get('a');
  assert.is((await read('PageUpdated'))?.count, 1);
  await rejects(read('LogMarked'), ReadModelLate);
});

test('tells those who watch that a read model has moved', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { statuses } = follow(stores);
  const position = await append(stores.main, marked('a'));
  const moved = statuses.watch('counters').pipe(filter((status) => status.position >= position));
  assert.is((await firstValueFrom(moved)).state, 'live');
});

/** Handles nothing of what these tests append, but for organizations; documents only for those named so. */
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

test('finds in the log that a read model has passed events that do not concern it, which nobody stores', async () => {
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
  const unrelated = await append(stores.main, marked('a'), marked('b'));
  assert.ok((await statuses.passed('named', unrelated, 30_000)).position >= unrelated);
  assert.is(commits, before);
  // What is read from the store afterwards does not take it back.
  const concerned = await append(stores.main, created(''), marked('c'));
  assert.ok((await statuses.passed('named', concerned - 1n, 30_000)).position >= unrelated);
  assert.is(commits, before + 1);
  await statuses.passed('named', await append(stores.main, created('x')), 30_000);
  watching.unsubscribe();
});

test('finds out later that a position is passed for which nobody has waited long enough', async () => {
  const stores = memoryStores();
  const first = await startEngine(stores, [named], {}, { positionsFollowed: true });
  await until(first.statuses, 'named', ({ state }) => state === 'live');
  await first.stop();
  const { statuses } = follow(stores, { projections: [named] });
  await statuses.checked();
  const wanted = await append(stores.main, created('a'), marked('b'));
  await rejects(statuses.passed('named', wanted, 20), ReadModelLate);
  const watching = statuses.watch('named').subscribe();
  await startEngine(stores, [named], {}, { positionsFollowed: true });
  await eventually(() => statuses.of('named').position >= wanted);
  watching.unsubscribe();
});

test('reports which collections were written since it last looked, to those who listen', async () => {
  const stores = memoryStores();
  await startElsewhere(stores);
  const { statuses } = follow(stores);
  await statuses.checked();
  const reports: Written['collections'][] = [];
  const end = statuses.onWritten(({ collections }) => reports.push(collections));
  // Somebody has the stores looked at.
  const watching = statuses.watch('counters').subscribe();
  await eventually(() => reports.length === 1);
  assert.is(reports[0], 'unknown');
  const last = await append(stores.main, marked('a'));
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

test('anything may have been written while the stores did not answer', async () => {
  const stores = memoryStores();
  const away = { gone: false };
  await startElsewhere(stores);
  const { statuses } = follow(goingAway(stores, away));
  await statuses.checked();
  const reports: Written['collections'][] = [];
  const end = statuses.onWritten(({ collections }) => reports.push(collections));
  const watching = statuses.watch('counters').subscribe();
  await eventually(() => reports.length === 1);
  away.gone = true;
  await eventually(() => statuses.of('counters').state === 'failing');
  away.gone = false;
  const asked = statuses.passed('counters', await append(stores.main, marked('a')), 2_000).catch(() => undefined);
  await eventually(() => reports.length === 2);
  await asked;
  assert.is(reports[1], 'unknown');
  watching.unsubscribe();
  end();
});

test('reads the generation that a rebuild has put in place', async () => {
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

test('finds the generation that has taken the place of one that is gone, whenever the catalogue was asked last', async () => {
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

test('hears how many documents are set aside, and a request for one of them is told so', async () => {
  const stores = memoryStores();
  await startEngine(stores, [notes], { checkpoint: 1 });
  const { statuses, readers } = follow(stores, { projections: [notes] });
  await append(stores.main, marked('a'), marked('a bad'), marked('b'));
  await firstValueFrom(statuses.watch('notes').pipe(filter(({ set_aside }) => set_aside === 1)));
  const reader = readers.for({ appended: new Map() })(notes).notes;
  await rejects(reader.get('a'), DocumentSetAside);
  assert.is(await reader.get('c'), null);
  assert.is((await reader.get('b'))?.seen, 1);
  assert.equal(await reader.getMany(['a', 'b']), [await reader.get('b')]);
});

test('asks one question for all read models, and seldom which generations are read', async () => {
  const stores = memoryStores();
  const others = ['one', 'two', 'three'].map((name) => ({ ...counters, name }));
  const engine = await startEngine(stores, [counters, ...others], { checkpoint: 1 });
  for (const { name } of [counters, ...others]) await until(engine.statuses, name, ({ state }) => state === 'live');
  const asked = { checkpoints: 0, catalogue: 0 };
  const readStore: ReadStore = {
    ...stores.readStore,
    checkpoints: (generations) => {
      asked.checkpoints++;
      return stores.readStore.checkpoints(generations);
    },
  };
  const coordination: Coordination = {
    ...stores.coordination,
    catalogue: () => {
      asked.catalogue++;
      return stores.coordination.catalogue();
    },
  };
  const { statuses } = follow(
    { ...stores, readStore, coordination },
    { catalogue: 60_000, projections: [counters, ...others] },
  );
  await statuses.checked();
  assert.equal(asked, { checkpoints: 1, catalogue: 1 });
  const position = await append(stores.main, marked('a'));
  await Promise.all([counters, ...others].map(({ name }) => statuses.passed(name, position, 30_000)));
  assert.is(asked.catalogue, 1);
});

test('waits no longer than it is told to, also for stores that hang', async () => {
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

test('says once that the stores do not answer, and goes on when they do', async () => {
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

test('says what is wrong while the stores do not answer, and that it is well again', async () => {
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

test('says that nobody keeps a read model up to date, when its engine is silent', async () => {
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

test('believes an engine that goes on saying that it is at work, though nothing happens', async () => {
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

test('knows from the engine how far a read model is behind', async () => {
  const stores = memoryStores();
  const oldest = { position: '999999', recordedAt: Date.now() - 7_000 };
  const said = { state: 'live', error: null, oldest, beat: 'one' };
  await startElsewhere(stores);
  await stores.coordination.write('projection-state:counters@1', JSON.stringify(said));
  const { statuses } = follow(stores);
  const watched = statuses.watch('counters');
  await firstValueFrom(watched.pipe(filter(({ state }) => state === 'live')));
  assert.ok(statuses.lag('counters') >= 7);
});

test('takes what an engine of an earlier release says, which tells no times', async () => {
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

test('asks the log how far a read model is behind that nobody keeps up to date', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores, 5);
  await engine.reached('counters', await append(stores.main, marked('a')));
  await engine.stop();
  const { statuses } = follow(stores, { silence: 50 });
  const watching = statuses.watch('counters').subscribe();
  await firstValueFrom(statuses.watch('counters').pipe(filter(({ state }) => state === 'failing')));
  await append(stores.main, { type: 'PageDeleted', data: { page_id: 'p', deleted_at: instantOf(0) } });
  await realPause(50, 'the log is asked meanwhile, which nothing tells');
  assert.is(statuses.lag('counters'), 0, 'nothing concerns it');
  await append(stores.main, marked('b'));
  await eventually(() => statuses.lag('counters') !== 0);
  const lag = statuses.lag('counters');
  await eventually(() => statuses.lag('counters') > lag, { what: 'the lag grows' });
  watching.unsubscribe();
});

test('asks the log how far a read model is behind while it can not be read', async () => {
  const stores = memoryStores();
  const engine = await startElsewhere(stores);
  await engine.reached('counters', await append(stores.main, marked('a')));
  await engine.stop();
  const away = { gone: false };
  const { statuses } = follow(goingAway(stores, away));
  await firstValueFrom(statuses.watch('counters').pipe(filter(({ state }) => state === 'live')));
  away.gone = true;
  await append(stores.main, marked('b'));
  await eventually(async () => {
    await rejects(statuses.passed('counters', 999_999n, 20), ReadModelLate);
    return statuses.lag('counters') > 0;
  });
  assert.is(statuses.of('counters').state, 'failing');
});

test.run();
