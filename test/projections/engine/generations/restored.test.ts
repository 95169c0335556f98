import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelUnavailable } from '../../../../projections/readers.ts';
import { REACTORS_HALTED } from '../../../../stores/coordination/port.ts';
import { createMemoryEventStore } from '../../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { rejects } from '../../../rejects.ts';
import { append, LATER_LEASE, memoryStores, startEngine, stopEngines, until, type Stores } from '../engine.ts';
import { counters, echoes, logMarked } from '../samples.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('a log restored from an older copy');
test.after.each(stopEngines);

/** Creates a log with the first events of another log, as if it were restored from a backup. */
const olderCopy = async (store: EventStore, events: number): Promise<EventStore> => {
  const copy = createMemoryEventStore(store.name as 'main' | 'results');
  for (const event of await store.readAll({ after: 0n, limit: events })) {
    await copy.append(event.stream, [event], 'any');
  }
  return copy;
};

const read = async (engine: Awaited<ReturnType<typeof startEngine>>, id: string) =>
  engine.readers.for({ appended: new Map() })(counters).counters.get(id);

/** Creates stores in which `counters` and `echoes` have folded a few events. */
const folded = async (): Promise<Stores> => {
  const stores = memoryStores();
  const engine = await startEngine(stores, [counters, echoes]);
  await engine.reached('counters', await append(stores.main, logMarked('a'), logMarked('lost'), logMarked('lost')));
  await engine.reached('echoes', await append(stores.results, logMarked('x'), logMarked('lost')));
  await engine.stop();
  return stores;
};

test('a restored log is detected and handled by a rebuild, without a wrong response in between', async () => {
  const before = await folded();
  // The copy contains three events: LogOpened, the mark of the start, and the mark `a`.
  const stores = { ...before, main: await olderCopy(before.main, 3) };
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const slow = {
    ...stores.readStore,
    buildIndexes: async (...input: Parameters<typeof stores.readStore.buildIndexes>) => {
      await opened;
      await stores.readStore.buildIndexes(...input);
    },
  };
  const engine = await startEngine({ ...stores, readStore: slow }, [counters]);
  await rejects(read(engine, 'lost'), ReadModelUnavailable);
  await until(engine.statuses, 'counters', ({ state }) => state === 'building');
  await rejects(read(engine, 'lost'), ReadModelUnavailable);
  open();
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(await read(engine, 'lost'), null);
  assert.equal(await read(engine, 'a'), { id: 'a', count: 1 });
  assert.ok(engine.logged.some(({ level, message }) => level === 'warn' && message.includes('does not fit its log')));
});

test('a restored log is detected even if it has grown beyond the checkpoint of the read model', async () => {
  const before = await folded();
  const stores = { ...before, main: await olderCopy(before.main, 3) };
  const filler = Array.from({ length: 20 }, () => logMarked(randomUUID()));
  await append(stores.main, ...filler);
  const engine = await startEngine(stores, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(await read(engine, 'lost'), null);
});

test('a restored results log is detected', async () => {
  const before = await folded();
  const stores = { ...before, results: await olderCopy(before.results, 1) };
  const engine = await startEngine(stores, [echoes]);
  const { generation } = await until(engine.statuses, 'echoes', ({ state }) => state === 'live');
  assert.is(generation, 2);
});

test('a restored log halts reactors, with the reason, and ends all sessions', async () => {
  const before = await folded();
  const session = { id: 'session', value: '{}', owner: 'user', expires_at: 1 };
  await before.coordination.entries.put('session', session, null, 0);
  assert.is(await before.coordination.read(REACTORS_HALTED), null);
  const stores = { ...before, main: await olderCopy(before.main, 3) };
  const engine = await startEngine(stores, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.match((await stores.coordination.read(REACTORS_HALTED)) ?? '', /The log main ends before position/);
  assert.is(await stores.coordination.entries.get('session', 'session', 0), null);
});

test('a results log from which the retention has removed events does not count as restored', async () => {
  const stores = await folded();
  const checkpoint = await stores.readStore.checkpoint({ projection: 'echoes@1', number: 1 });
  const forgetful: EventStore = {
    ...stores.results,
    readAll: async ({ limit = 1_000, ...options }) =>
      (await stores.results.readAll({ ...options, limit: limit + 1 }))
        .filter(({ position }) => position !== checkpoint?.position)
        .slice(0, limit),
  };
  const engine = await startEngine({ ...stores, results: forgetful }, [echoes]);
  const { generation } = await until(engine.statuses, 'echoes', ({ state }) => state === 'live');
  assert.is(generation, 1);
});

test('deleted read models are not mistaken for a restored log: they are built, and reactors run', async () => {
  const stores = await folded();
  await stores.readStore.drop({ projection: 'counters@1', number: 1 }, LATER_LEASE);
  const engine = await startEngine(stores, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.equal(await read(engine, 'a'), { id: 'a', count: 1 });
  assert.is(await stores.coordination.read(REACTORS_HALTED), null);
});

test('a restored log is still detected at the next start if the process ends before it is handled', async () => {
  const before = await folded();
  const stores = { ...before, main: await olderCopy(before.main, 3) };
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => {
      reject(new Error('The process has ended.'));
    };
  });
  const crashing = { ...stores.coordination, nextGeneration: () => ended };
  await startEngine({ ...stores, coordination: crashing }, [counters]);
  await eventually(async () => !(await stores.readStore.list()).some(({ projection }) => projection === 'counters@1'));
  const engine = await startEngine(stores, [counters]);
  await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(await read(engine, 'lost'), null);
  assert.match((await stores.coordination.read(REACTORS_HALTED)) ?? '', /The log main/);
  end();
});

test.run();
