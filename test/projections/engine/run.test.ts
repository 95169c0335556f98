import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection } from '../../../projections/engine/fold/define.ts';
import type { Document } from '../../../stores/read-store/port.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { ReadStoreUnavailable, type ReadStore } from '../../../stores/read-store/port.ts';
import { rebuild } from '../../../projections/engine/generations/rebuild.ts';
import { append, memoryStores, NOW, startEngine, stopEngines, until, type Stores } from './engine.ts';
import { counters, echoes, logMarked } from './samples.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the projection engine');
test.after.each(stopEngines);

const NEVER = 1_000_000_000;

const countersIn = async ({ readStore }: Stores, number = 1): Promise<Document[]> =>
  (await readStore.find({ projection: 'counters@1', number }, 'counters', {})).filter(({ id }) => id.length < 5);

/** Counts organizations; ignores the marks of these tests. */
const names = defineProjection({
  name: 'names',
  version: 1,
  log: 'main',
  collections: { names: collection<{ id: string }>({ indexes: [] }) },
  documents: () => ({}),
  on: {
    OrganizationCreated: ({ data }, { names }) => {
      if (data.name === 'poison') throw new Error('I can not stomach this.');
      names.put({ id: data.name });
    },
  },
});

const created = (name: string) => ({ type: 'OrganizationCreated', data: { organization_id: 'o', name } }) as const;

test('projections are built at the first start and follow their logs', async () => {
  const stores = memoryStores();
  const engine = await startEngine(stores, [counters, echoes, names]);
  const { generation, position } = await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(generation, 1);
  const last = await append(stores.main, logMarked('a'), logMarked('b'), logMarked('a'));
  assert.ok(last > position);
  await engine.reached('counters', last);
  await engine.reached('names', last);
  assert.equal(await countersIn(stores), [
    { id: 'a', count: 2 },
    { id: 'b', count: 1 },
  ]);
  const other = await append(stores.results, logMarked('x'));
  await engine.reached('echoes', other);
  assert.is((await stores.readStore.get({ projection: 'echoes@1', number: 1 }, 'echoes', ['x'])).length, 1);
});

test('builds of projections are logged, at debug level if the log is almost empty', async () => {
  const stores = memoryStores();
  const levelsOf = async (projection: typeof counters | typeof names, name: string): Promise<unknown[]> => {
    const engine = await startEngine(stores, [projection]);
    await until(engine.statuses, name, ({ state }) => state === 'live');
    await engine.stop();
    return engine.logged.map(({ level, message }) => [level, message]);
  };
  assert.equal(await levelsOf(names, 'names'), [
    ['debug', 'names@1 is being built.'],
    ['debug', 'names@1 is built.'],
  ]);
  await append(stores.main, ...Array.from({ length: 20 }, () => logMarked('a')));
  assert.equal(await levelsOf(counters, 'counters'), [
    ['info', 'counters@1 is being built.'],
    ['info', 'counters@1 is built.'],
  ]);
});

test('a restarted engine resumes where it stopped', async () => {
  const stores = memoryStores();
  let engine = await startEngine(stores, [counters]);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  await engine.stop();
  await append(stores.main, logMarked('a'));
  engine = await startEngine(stores, [counters]);
  await engine.reached('counters', await append(stores.main, logMarked('b')));
  assert.equal(await countersIn(stores), [
    { id: 'a', count: 2 },
    { id: 'b', count: 1 },
  ]);
  assert.equal(engine.logged, []);
});

/** Wraps stores to count commits. */
const counting = (stores: Stores): { stores: Stores; commits: () => number } => {
  let commits = 0;
  const commit: ReadStore['commit'] = async (...given) => {
    await stores.readStore.commit(...given);
    commits++;
  };
  return { stores: { ...stores, readStore: { ...stores.readStore, commit } }, commits: () => commits };
};

const NAMES = { projection: 'names@1', number: 1 };

test('events that a projection does not handle cause no write, but their position is published immediately', async () => {
  const { stores, commits } = counting(memoryStores());
  const engine = await startEngine(stores, [names], { checkpoint: 1 });
  await engine.reached('names', await append(stores.main, created('a')));
  const before = commits();
  const stored = await stores.readStore.checkpoint(NAMES);
  let last = 0n;
  for (let event = 0; event < 20; event++) {
    last = await append(stores.main, logMarked('a'));
    await engine.reached('names', last);
  }
  assert.is(commits(), before);
  assert.equal(await stores.readStore.checkpoint(NAMES), stored);
  await engine.stop();
  assert.is((await stores.readStore.checkpoint(NAMES))?.position, last);
});

test('a position that was not stored is stored with the next documents', async () => {
  const { stores, commits } = counting(memoryStores());
  const engine = await startEngine(stores, [names], { checkpoint: NEVER });
  await until(engine.statuses, 'names', ({ state }) => state === 'live');
  const before = commits();
  await append(stores.main, logMarked('a'));
  const last = await append(stores.main, created('a'));
  await engine.reached('names', last);
  assert.is(commits(), before + 1);
  assert.is((await stores.readStore.checkpoint(NAMES))?.position, last);
});

test('a position that was not stored is stored when it is far ahead of the checkpoint', async () => {
  const { stores, commits } = counting(memoryStores());
  const engine = await startEngine(stores, [names], { checkpoint: 1 });
  await until(engine.statuses, 'names', ({ state }) => state === 'live');
  const before = commits();
  const last = await append(stores.main, ...Array.from({ length: 500 }, () => logMarked('a')));
  await eventually(async () => (await stores.readStore.checkpoint(NAMES))?.position === last);
  assert.ok(commits() - before <= 2);
});

test('the position of a handled event that changes nothing is stored if other processes follow the position', async () => {
  const stores = memoryStores();
  const idle = { ...names, name: 'idle', on: { ...names.on, OrganizationCreated: () => undefined } };
  const engine = await startEngine(stores, [idle], { checkpoint: NEVER }, { positionsFollowed: true });
  await until(engine.statuses, 'idle', ({ state }) => state === 'live');
  const last = await append(stores.main, created('a'));
  await engine.reached('idle', last);
  assert.is((await stores.readStore.checkpoint({ projection: 'idle@1', number: 1 }))?.position, last);
});

test('after a crash, events without changes are folded again, which changes nothing', async () => {
  const stores = memoryStores();
  let crashed = false;
  const commit: ReadStore['commit'] = async (...given) => {
    if (!crashed) await stores.readStore.commit(...given);
  };
  const first = await startEngine({ ...stores, readStore: { ...stores.readStore, commit } }, [names, counters]);
  await first.reached('names', await append(stores.main, created('a'), logMarked('a')));
  const ahead = await append(stores.main, logMarked('b'), logMarked('a'));
  await first.reached('names', ahead);
  await first.reached('counters', ahead);
  // The crashed engine stores nothing when it ends.
  crashed = true;
  await first.stop();
  assert.ok(((await stores.readStore.checkpoint(NAMES))?.position ?? 0n) < ahead);
  const before = await stores.readStore.find(NAMES, 'names', {});
  const seen: unknown[] = [];
  const watching: ReadStore['commit'] = async (generation, writes, checkpoint) => {
    if (generation.projection === NAMES.projection) seen.push(writes);
    await stores.readStore.commit(generation, writes, checkpoint);
  };
  const second = await startEngine({ ...stores, readStore: { ...stores.readStore, commit: watching } }, [
    names,
    counters,
  ]);
  await second.reached('names', ahead);
  await until(second.statuses, 'counters', ({ state }) => state === 'live');
  assert.equal(await stores.readStore.find(NAMES, 'names', {}), before);
  assert.equal(seen, []);
  assert.equal(await countersIn(stores), [
    { id: 'a', count: 2 },
    { id: 'b', count: 1 },
  ]);
});

test('an event that cannot be folded sets aside one document, which is logged, and folding continues', async () => {
  const stores = memoryStores();
  const engine = await startEngine(stores, [counters, names]);
  await until(engine.statuses, 'names', ({ state }) => state === 'live');
  await append(stores.main, created('good'));
  const bad = await append(stores.main, created('poison'));
  const last = await append(stores.main, created('later'), logMarked('a'));
  await engine.reached('counters', last);
  await engine.reached('names', last);
  const { state, error, set_aside } = engine.statuses.of('names');
  assert.equal([state, error, set_aside], ['live', null, 1]);
  const { message, fields } = engine.logged.find(({ level }) => level === 'error') ?? {};
  assert.is(message, 'A document of names@1 is set aside: I can not stomach this.');
  assert.is(fields?.['position'], bad.toString());
  const found = await stores.readStore.find({ projection: 'names@1', number: 1 }, 'names', {});
  assert.equal(
    found.map(({ id }) => id),
    ['good', 'later'],
  );
});

test('a set-aside document stays set aside over a restart, until a rebuild with corrected code', async () => {
  const stores = memoryStores();
  let engine = await startEngine(stores, [names]);
  await engine.reached('names', await append(stores.main, created('poison'), created('later')));
  await engine.stop();
  const mended: typeof names = {
    ...names,
    on: {
      OrganizationCreated: ({ data }, { names }) => {
        names.put({ id: data.name });
      },
    },
  };
  engine = await startEngine(stores, [mended]);
  const { set_aside } = await until(engine.statuses, 'names', ({ state }) => state === 'live');
  assert.is(set_aside, 1);
  const rebuilt = await rebuild({
    projection: mended,
    store: stores.main,
    ...stores,
    clock: () => NOW,
    keepEngineOut: async () => null,
    verify: true,
    signal: new AbortController().signal,
  });
  assert.is(rebuilt.set_aside, 0);
  await until(engine.statuses, 'names', (status) => status.generation === 2 && status.set_aside === 0);
});

test('an unknown event type stops the projections of its log', async () => {
  const stores = memoryStores();
  const engine = await startEngine(stores, [counters, echoes]);
  await append(stores.main, { type: 'CoffeeBrewed', data: {} } as never);
  await until(engine.statuses, 'counters', ({ state }) => state === 'stopped');
  await engine.reached('echoes', await append(stores.results, logMarked('x')));
});

test('a log that omits an unknown event stops the projections, whether the event is in the middle of the log or at its head', async () => {
  const raw = memoryStores();
  const stores = { ...raw, main: createCheckedStore(raw.main) };
  const engine = await startEngine(stores, [counters, names]);
  const last = await append(raw.main, logMarked('a'));
  await engine.reached('names', last);
  const unknown = await append(raw.main, { type: 'CoffeeBrewed', data: {} } as never);
  const { error } = await until(engine.statuses, 'names', ({ state }) => state === 'stopped');
  assert.equal([error?.position, error?.event_type], [unknown, 'CoffeeBrewed']);
  await engine.stop();
  await append(raw.main, logMarked('b'));
  const again = await startEngine(stores, [counters]);
  const { position } = await until(again.statuses, 'counters', ({ state }) => state === 'stopped');
  assert.is(position, last);
});

/** Wraps a read store so that its commits fail before or after they are stored. */
const failing = (readStore: ReadStore, fails: () => 'before' | 'after' | null): ReadStore => ({
  ...readStore,
  commit: async (generation, writes, checkpoint) => {
    const when = fails();
    if (when === 'before') throw new ReadStoreUnavailable('The disk is full.');
    await readStore.commit(generation, writes, checkpoint);
    if (when === 'after') throw new ReadStoreUnavailable('The connection is lost.');
  },
});

test('a failed commit is repeated and applied once, whether or not it was stored', async () => {
  const stores = memoryStores();
  const failures: ('before' | 'after')[] = [];
  const readStore = failing(stores.readStore, () => failures.shift() ?? null);
  const engine = await startEngine({ ...stores, readStore }, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  failures.push('before', 'after', 'before');
  const failed = until(engine.statuses, 'counters', ({ state }) => state === 'failing');
  await engine.reached('counters', await append(stores.main, logMarked('a'), logMarked('a')));
  const { error, generation } = await failed;
  assert.match(error?.message ?? '', /The disk is full|The connection is lost/);
  assert.is(generation, 1, 'reading goes on');
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  assert.equal(await countersIn(stores), [{ id: 'a', count: 3 }]);
  assert.is(engine.statuses.of('counters').generation, 1);
});

test('the engine keeps running while a lease is unavailable for a while', async () => {
  const stores = memoryStores();
  let failures = 2;
  const coordination: Stores['coordination'] = {
    ...stores.coordination,
    acquire: async (name, signal) => {
      if (failures-- > 0) throw new Error('The disk is full.');
      return stores.coordination.acquire(name, signal);
    },
  };
  const engine = await startEngine({ ...stores, coordination }, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'failing');
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
});

test('documents that were committed but not published exist exactly once after a crash', async () => {
  const stores = memoryStores();
  const first = await startEngine(stores, [counters]);
  await first.reached('counters', await append(stores.main, logMarked('a')));
  await first.stop();
  // The process ends between a commit and the next step, so the next process finds only the commit.
  let crashed: () => void = () => undefined;
  const crash = new Promise<void>((resolve) => (crashed = resolve));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let armed = false;
  const readStore: ReadStore = {
    ...stores.readStore,
    commit: async (...commit) => {
      await stores.readStore.commit(...commit);
      if (!armed) return;
      crashed();
      await ended;
    },
  };
  const second = await startEngine({ ...stores, readStore }, [counters]);
  await until(second.statuses, 'counters', ({ state }) => state === 'live');
  armed = true;
  const last = await append(stores.main, logMarked('a'));
  await crash;
  assert.ok(second.statuses.of('counters').position < last);
  const third = await startEngine(stores, [counters]);
  await third.reached('counters', await append(stores.main, logMarked('b')));
  assert.equal(await countersIn(stores), [
    { id: 'a', count: 2 },
    { id: 'b', count: 1 },
  ]);
  end();
});

test('a projection far behind catches up while others stay at the head', async () => {
  const stores = memoryStores();
  let engine = await startEngine(stores, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  await engine.stop();
  await append(stores.main, ...Array.from({ length: 2_500 }, (_, index) => logMarked(`m${index % 7}`)));
  engine = await startEngine(stores, [counters, names]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  await until(engine.statuses, 'names', ({ state }) => state === 'live');
  const documents = (await countersIn(stores)) as unknown as { count: number }[];
  assert.is(
    documents.reduce((sum, { count }) => sum + count, 0),
    2_500,
  );
});

test.run();
