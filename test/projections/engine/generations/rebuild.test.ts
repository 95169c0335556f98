import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../../domain/event.ts';
import { PoisonousEvent } from '../../../../projections/engine/fold/poison.ts';
import {
  rebuild,
  type RebuildOptions,
  type RebuildProgress,
} from '../../../../projections/engine/generations/rebuild.ts';
import { CoordinationUnavailable } from '../../../../stores/coordination/port.ts';
import { openLogIdentity } from '../../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../../stores/event-store/memory.ts';
import type { Document } from '../../../../stores/read-store/port.ts';
import { rejects } from '../../../rejects.ts';
import { append, LATER_LEASE, memoryStores, NOW, startEngine, stopEngines, until, type Stores } from '../engine.ts';
import { listProjections } from '../../../../projections/engine/status/listing.ts';
import { counters, logMarked } from '../samples.ts';
import { notes } from '../set-aside.ts';
import { eventually, realPause } from '../../../waiting.ts';

const test = suite('a rebuild');
test.after.each(stopEngines);

const LIVE = { projection: 'counters@1', number: 1 };
const NEXT = { projection: 'counters@1', number: 2 };

const many = (count: number) => Array.from({ length: count }, (_, index) => logMarked(`m${index % 97}`));

const optionsFor = (stores: Stores, options: Partial<RebuildOptions> = {}): RebuildOptions => ({
  projection: counters,
  store: stores.main,
  readStore: stores.readStore,
  coordination: stores.coordination,
  clock: () => NOW,
  keepEngineOut: async () => null,
  signal: new AbortController().signal,
  ...options,
});

/** A `keepEngineOut` that succeeds immediately, because no service is running. */
const noEngine = async () => async () => undefined;

/** Starts an engine that has folded some events. */
const serving = async (stores: Stores, events = 1_200, retiringFed = 60_000) => {
  const engine = await startEngine(stores, [counters], { retiringFed });
  await engine.reached('counters', await append(stores.main, ...many(events)));
  return engine;
};

const numbers = async ({ readStore }: Stores): Promise<number[]> =>
  (await readStore.list()).map(({ number }) => number);

const dropped = async (stores: Stores, number: number): Promise<void> => {
  await eventually(async () => !(await numbers(stores)).includes(number));
};

test('a rebuild lets the engine switch generations, and the previous generation is still fed for a while', async () => {
  const stores = memoryStores();
  const engine = await serving(stores);
  const { generation } = await rebuild(optionsFor(stores));
  assert.is(generation, 2);
  // The engine reports its status in the next turn of the event loop, and the rebuild might learn of the switch earlier.
  await until(engine.statuses, 'counters', (status) => status.generation === 2);
  const last = await append(stores.main, logMarked('after'));
  await engine.reached('counters', last);
  assert.equal(await stores.readStore.get(NEXT, 'counters', ['after']), [{ id: 'after', count: 1 }]);
  assert.equal(await stores.readStore.get(LIVE, 'counters', ['after']), [{ id: 'after', count: 1 }]);
});

test('the previous generation is dropped some time after a rebuild', async () => {
  const stores = memoryStores();
  await serving(stores, 10, 5);
  await rebuild(optionsFor(stores));
  await dropped(stores, 1);
  assert.equal(await numbers(stores), [2]);
});

test('a rebuilt generation equals the live generation despite concurrent writes', async () => {
  const stores = memoryStores();
  const engine = await serving(stores);
  const enough = new AbortController();
  const writer = (async () => {
    while (!enough.signal.aborted) {
      await append(stores.main, ...many(20));
      await realPause(1, 'leaves the rebuild time between two writes');
    }
  })();
  const { comparison } = await rebuild(optionsFor(stores, { verify: true }));
  assert.equal(comparison?.differences, []);
  assert.ok((comparison?.compared ?? 0) >= 97);
  enough.abort();
  await writer;
  await engine.reached('counters', await append(stores.main, logMarked('last')));
  const once = await stores.readStore.find(NEXT, 'counters', {});
  const again = await rebuild(optionsFor(stores, { verify: true }));
  assert.equal(again.comparison?.differences, []);
  const marks = (documents: Document[]) => documents.filter(({ id }) => id.length < 5);
  assert.equal(marks(await stores.readStore.find({ ...NEXT, number: again.generation }, 'counters', {})), marks(once));
});

test('a rebuild sets aside the same documents as the live generation, and reports no difference', async () => {
  const stores = memoryStores();
  const engine = await startEngine(stores, [notes]);
  await engine.reached('notes', await append(stores.main, ...['a', 'a bad', 'b', 'c large'].map(logMarked)));
  const { comparison, set_aside, generation } = await rebuild(optionsFor(stores, { projection: notes, verify: true }));
  assert.equal([comparison?.differences, set_aside, generation], [[], 2, 2]);
  assert.is(engine.statuses.of('notes').set_aside, 2);
  await engine.reached('notes', await append(stores.main, logMarked('c small')));
  assert.is(engine.statuses.of('notes').set_aside, 1);
  const [listing] = await listProjections({ projections: [notes], stores, ...stores, serviceRuns: true, now: NOW });
  assert.equal(
    listing?.set_aside.map(({ collection, id, cause, reason }) => [collection, id, cause, reason]),
    [['notes', 'a', 'not_folded', 'This is not a note.']],
  );
  assert.ok(engine.logged.some(({ message }) => message === 'A document of notes@1 is no longer set aside.'));
});

test('a read waits for its own write across the switch of generations', async () => {
  const stores = memoryStores();
  const engine = await serving(stores);
  const rebuilding = rebuild(optionsFor(stores));
  for (let count = 1; engine.statuses.of('counters').generation !== 2 || count < 5; count++) {
    const appended = new Map([['main', await append(stores.main, logMarked('mine'))]]);
    assert.equal(await engine.readers.for({ appended })(counters).counters.get('mine'), { id: 'mine', count });
  }
  await rebuilding;
});

test('a rebuild reports which documents differ, and corrects them', async () => {
  const stores = memoryStores();
  const engine = await serving(stores);
  const checkpoint = await stores.readStore.checkpoint(LIVE);
  assert.ok(checkpoint);
  const writes = [
    { put: { id: 'm1', count: -1 } as Document },
    { delete: 'm2' },
    { put: { id: 'x', count: 0 } as Document },
  ];
  await stores.readStore.commit(LIVE, { counters: writes }, checkpoint);
  const { comparison, generation } = await rebuild(optionsFor(stores, { verify: true }));
  assert.equal(comparison?.differences, [
    { collection: 'counters', id: 'm1', live: { id: 'm1', count: -1 }, rebuilt: { id: 'm1', count: 13 } },
    { collection: 'counters', id: 'm2', live: null, rebuilt: { id: 'm2', count: 13 } },
    { collection: 'counters', id: 'x', live: { id: 'x', count: 0 }, rebuilt: null },
  ]);
  assert.is(engine.statuses.of('counters').generation, generation);
});

test('a rebuild switches generations itself when no service is running', async () => {
  const stores = memoryStores();
  await (await serving(stores)).stop();
  const last = await append(stores.main, logMarked('meanwhile'));
  let kept = 0;
  const keepEngineOut = async () => {
    kept++;
    return async () => {
      kept--;
    };
  };
  await rebuild(optionsFor(stores, { keepEngineOut }));
  assert.is(kept, 0);
  assert.equal(await numbers(stores), [2]);
  assert.equal(await stores.coordination.catalogue(), [{ projection: 'counters@1', live: 2, last: 2 }]);
  const engine = await startEngine(stores, [counters]);
  const { generation, position } = await until(engine.statuses, 'counters', ({ state }) => state === 'live');
  assert.is(generation, 2);
  assert.ok(position > last);
});

/** Returns a log as seen by an older release, in which the mark `new` is an event of an unknown type. */
const misunderstood = (log: Stores['main']): Stores['main'] => {
  const seen = (event: RecordedEvent): RecordedEvent =>
    (event.data as { mark?: string }).mark === 'new' ? { ...event, type: 'CoffeeBrewed' } : event;
  return {
    ...log,
    readAll: async (options) => (await log.readAll(options)).map(seen),
    subscribe: async function* (options) {
      for await (const events of log.subscribe(options)) yield events.map(seen);
    },
  };
};

test('a rebuild resumes a projection that an unknown event has stopped, when the new release knows the event', async () => {
  const stores = memoryStores();
  const older = { ...stores, main: misunderstood(stores.main) };
  const engine = await startEngine(older, [counters]);
  await append(stores.main, logMarked('new'));
  await until(engine.statuses, 'counters', ({ state }) => state === 'stopped');
  await rejects(rebuild(optionsFor(older)), PoisonousEvent, /does not know this event type/);
  assert.equal(await numbers(stores), [1]);
  const { generation } = await rebuild(optionsFor(stores));
  await until(engine.statuses, 'counters', (status) => status.generation === generation);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
});

for (const step of ['folding', 'indexing', 'comparing', 'switching'] satisfies RebuildProgress['step'][]) {
  test(`a rebuild interrupted at ${step} keeps the previous generation in use and leaves no other generation behind`, async () => {
    const stores = memoryStores();
    const engine = await serving(stores);
    const interrupt = new AbortController();
    const onProgress = (progress: RebuildProgress) => {
      if (progress.step === step) interrupt.abort();
    };
    await rejects(rebuild(optionsFor(stores, { verify: true, onProgress, signal: interrupt.signal })), Error, /abort/);
    assert.equal(await numbers(stores), [1]);
    await engine.reached('counters', await append(stores.main, logMarked('a')));
    assert.is(engine.statuses.of('counters').generation, 1);
    await engine.stop();
  });
}

/**
 * Returns the stores of a process that is killed at the call with the number `calls`. That call and all later ones stay
 * pending until `bury` rejects them.
 */
const mortal = (stores: Stores, calls: number) => {
  let died: () => void = () => undefined;
  const death = new Promise<void>((resolve) => (died = resolve));
  let bury: () => void = () => undefined;
  const silence = new Promise<never>((_, reject) => {
    bury = () => {
      reject(new Error('The process has ended.'));
    };
  });
  silence.catch(() => undefined);
  let left = calls;
  const wrap = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...input: unknown[]): unknown => {
          if (--left > 0) return Reflect.apply(value, target, input);
          died();
          return silence;
        };
      },
    });
  return {
    death,
    bury,
    stores: { ...stores, readStore: wrap(stores.readStore), coordination: wrap(stores.coordination) },
  };
};

test('a rebuild killed at any call leaves a correct generation in use, and the next start drops the other generation', async () => {
  const work = { finished: false };
  for (let calls = 1; !work.finished; calls++) {
    const stores = memoryStores();
    await (await serving(stores, 100)).stop();
    const process = mortal(stores, calls);
    const rebuilt = rebuild(optionsFor(process.stores, { keepEngineOut: noEngine })).then(
      () => (work.finished = true),
      () => undefined,
    );
    await Promise.race([process.death, rebuilt]);
    const engine = await startEngine(stores, [counters]);
    await engine.reached('counters', await append(stores.main, logMarked('m1')));
    const { counters: reader } = engine.readers.for({ appended: new Map() })(counters);
    assert.equal(await reader.get('m1'), { id: 'm1', count: 3 });
    for (const number of [1, 2]) {
      if (number !== engine.statuses.of('counters').generation) await dropped(stores, number);
    }
    await engine.stop();
    process.bury();
    await rebuilt;
  }
});

/** The name of the value through which the rebuild and the engine communicate. */
const SWITCH = 'switch:counters@1';

test('a rebuild succeeds when its generation is in use, although an engine that has lost its lease reports a refusal', async () => {
  const stores = memoryStores();
  const engine = await serving(stores, 10);
  const overwritten = {
    ...stores.coordination,
    read: async (name: string) => (await stores.coordination.read(name))?.replace('"switched"', '"refused"') ?? null,
  };
  assert.is((await rebuild(optionsFor(stores, { coordination: overwritten }))).generation, 2);
  assert.equal(await numbers(stores), [1, 2]);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  assert.equal(await stores.readStore.get(NEXT, 'counters', ['a']), [{ id: 'a', count: 1 }]);
});

test('a rebuild succeeds when the engine loses the response to its switch, and the engine continues with the new generation', async () => {
  const stores = memoryStores();
  let lost = 0;
  const coordination = {
    ...stores.coordination,
    switchGeneration: async (...given: Parameters<Stores['coordination']['switchGeneration']>) => {
      await stores.coordination.switchGeneration(...given);
      if (given[1] === 2 && lost++ === 0) throw new CoordinationUnavailable('the response is lost');
    },
  };
  const engine = await serving({ ...stores, coordination }, 10);
  assert.is((await rebuild(optionsFor(stores))).generation, 2);
  await until(engine.statuses, 'counters', ({ generation }) => generation === 2);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
  assert.equal(await stores.readStore.get(NEXT, 'counters', ['a']), [{ id: 'a', count: 1 }]);
});

test('a repeated request to switch does not drop the generation that is already in use', async () => {
  const stores = memoryStores();
  const engine = await serving(stores, 10, 5);
  await rebuild(optionsFor(stores));
  await dropped(stores, 1);
  await stores.coordination.nextGeneration('counters@1', 1n);
  await stores.coordination.write(SWITCH, JSON.stringify({ generation: 2, state: 'requested', reason: null }));
  await eventually(async () => !(await stores.coordination.read(SWITCH))?.includes('requested'));
  assert.match((await stores.coordination.read(SWITCH)) ?? '', '"switched"');
  await realPause(30, 'longer than the engine takes to check again, and to drop a generation');
  assert.equal(await numbers(stores), [2]);
  await engine.reached('counters', await append(stores.main, logMarked('a')));
});

test('a rebuild leaves nothing behind if the engine refuses its generation', async () => {
  const stores = memoryStores();
  const engine = await serving(stores, 10);
  const other = createMemoryEventStore('main');
  await openLogIdentity(other, () => NOW);
  await append(other, ...many(10));
  await rejects(rebuild(optionsFor(stores, { store: other })), Error, 'It was built from a different log main.');
  assert.equal(await numbers(stores), [1]);
  assert.is(engine.statuses.of('counters').generation, 1);
});

test('a rebuild announces its generation before creating it, so that the generation is not taken for an orphan', async () => {
  const stores = memoryStores();
  await serving(stores, 10);
  const beats: (string | null)[] = [];
  const readStore: Stores['readStore'] = {
    ...stores.readStore,
    open: async (generation, ...rest) => {
      if (generation.number === 2) beats.push(await stores.coordination.read('builder:counters@1.2'));
      await stores.readStore.open(generation, ...rest);
    },
  };
  await rebuild(optionsFor(stores, { readStore }));
  assert.equal(beats, ['1']);
});

test('a switch to a missing generation is refused', async () => {
  const stores = memoryStores();
  const engine = await serving(stores);
  const lossy = { ...stores.coordination, nextGeneration: async () => 7 };
  await stores.coordination.nextGeneration('counters@1', 1n);
  const work = rebuild(
    optionsFor(stores, {
      coordination: lossy,
      onProgress: ({ step }) => {
        if (step === 'switching') void stores.readStore.drop({ projection: 'counters@1', number: 7 }, LATER_LEASE);
      },
    }),
  );
  await rejects(work, Error, 'There is no generation 7 of counters@1.');
  assert.is(engine.statuses.of('counters').generation, 1);
});

test.run();
