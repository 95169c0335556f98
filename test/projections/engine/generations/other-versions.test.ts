import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyProjection } from '../../../../projections/engine/fold/define.ts';
import { rebuild } from '../../../../projections/engine/generations/rebuild.ts';
import { readUnusedMarks } from '../../../../projections/engine/generations/unused-marks.ts';
import type { EngineTimings } from '../../../../projections/engine/options.ts';
import { listRetainedVersions } from '../../../../projections/engine/status/retained-versions.ts';
import type { Coordination } from '../../../../stores/coordination/port.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/time.ts';
import { append, memoryStores, NOW, startEngine, stopEngines, until, type Stores } from '../engine.ts';
import { counters, echoes, logMarked } from '../samples.ts';
import { eventually, realPause } from '../../../waiting.ts';

const test = suite('read models of other releases');
test.after.each(stopEngines);

const newer: AnyProjection = { ...counters, version: 2 };
const OLD = 'counters@1';
const NEW = 'counters@2';

/** Times that let an engine look at other versions continuously. */
const LOOKING: Partial<EngineTimings> = { unusedLook: 5, leasePatience: 20 };

const start = async (stores: Stores, projection: AnyProjection, clock: () => number, given: AnyProjection[] = []) => {
  const engine = await startEngine(stores, [projection, ...given], LOOKING, { clock });
  await until(engine.statuses, projection.name, ({ state }) => state === 'live');
  return engine;
};

const versions = async ({ coordination }: Stores): Promise<string[]> =>
  (await coordination.catalogue()).map(({ projection }) => projection);

const stored = async ({ readStore }: Stores): Promise<string[]> =>
  [...new Set((await readStore.list()).map(({ projection }) => projection))].sort();

const markOf = async ({ coordination }: Stores, version: string) => (await readUnusedMarks(coordination)).get(version);

/** Waits until the engine has looked at the other versions a few times. */
const someLooks = (): Promise<void> => realPause(60, 'an engine looks every few milliseconds, and must change nothing');

test('the read model of an older release is retained for a day, and then dropped with its catalogue entry', async () => {
  const stores = memoryStores();
  await (await start(stores, counters, () => NOW)).stop();
  let now = NOW;
  const engine = await start(stores, newer, () => now);
  await eventually(async () => (await markOf(stores, OLD))?.since === NOW);
  now += DAY_MS - 1;
  await someLooks();
  assert.equal(await versions(stores), [OLD, NEW]);
  assert.equal(await stored(stores), [OLD, NEW]);
  now += 1;
  await eventually(async () => (await markOf(stores, OLD)) === undefined);
  assert.equal(await versions(stores), [NEW]);
  assert.equal(await stored(stores), [NEW]);
  assert.ok(engine.logged.some(({ message }) => message.startsWith('The read model counters@1 was dropped')));
  await engine.reached('counters', await append(stores.main, logMarked('a')));
});

test('a read model that a release no longer has is dropped after a day', async () => {
  const stores = memoryStores();
  await (await start(stores, counters, () => NOW, [echoes])).stop();
  let now = NOW;
  await start(stores, counters, () => now);
  await eventually(async () => (await markOf(stores, 'echoes@1')) !== undefined);
  now += DAY_MS;
  await eventually(async () => !(await versions(stores)).includes('echoes@1'));
  assert.equal(await stored(stores), [OLD]);
});

test('a release that was rolled back finds its read model, and the newer read model is retained for a day', async () => {
  const stores = memoryStores();
  await (await start(stores, counters, () => NOW)).stop();
  await (await start(stores, newer, () => NOW + HOUR_MS)).stop();
  let now = NOW + 23 * HOUR_MS;
  const back = await start(stores, counters, () => now);
  assert.is(back.statuses.of('counters').generation, 1);
  assert.not(back.logged.some(({ message }) => message.includes('being built')));
  await back.reached('counters', await append(stores.main, logMarked('a')));
  await eventually(async () => (await markOf(stores, NEW))?.since === now);
  // The older release uses its version again, so it removes the mark that the newer release set on this version.
  await eventually(async () => (await markOf(stores, OLD)) === undefined);
  now += DAY_MS - 1;
  await someLooks();
  assert.equal(await versions(stores), [OLD, NEW]);
  now += 1;
  await eventually(async () => (await versions(stores)).length === 1);
  assert.equal(await stored(stores), [OLD]);
});

test('an unused read model is retained for another day if its own release has changed it in the meantime', async () => {
  const stores = memoryStores();
  await (await start(stores, counters, () => NOW)).stop();
  const next = await start(stores, newer, () => NOW);
  await eventually(async () => (await markOf(stores, OLD)) !== undefined);
  await next.stop();
  // An engine of an earlier release does not know marks.
  const unaware: Stores = { ...stores, coordination: { ...stores.coordination, readByPrefix: async () => [] } };
  const again = await start(unaware, counters, () => NOW + HOUR_MS);
  await again.reached('counters', await append(stores.main, logMarked('a')));
  await again.stop();
  const now = NOW + DAY_MS + HOUR_MS;
  await start(stores, newer, () => now);
  await eventually(async () => (await markOf(stores, OLD))?.since === now);
  await someLooks();
  assert.equal(await versions(stores), [OLD, NEW]);
});

/** Coordination with leases that only one process holds at a time, as in a cluster. */
const withExclusiveLeases = (coordination: Coordination): Coordination => {
  const leases = new Map<string, Promise<void>>();
  return {
    ...coordination,
    acquire: async (name, signal) => {
      while (leases.has(name)) {
        await Promise.race([
          leases.get(name),
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              reject(signal.reason as Error);
            });
          }),
        ]);
      }
      let free = (): void => undefined;
      leases.set(name, new Promise((resolve) => (free = resolve)));
      const lease = await coordination.acquire(name, signal);
      return {
        ...lease,
        release: async () => {
          leases.delete(name);
          free();
        },
      };
    },
  };
};

test('a version that a process holds is never dropped, even if the clock is years off', async () => {
  const memory = memoryStores();
  const stores: Stores = { ...memory, coordination: withExclusiveLeases(memory.coordination) };
  const old = await startEngine(stores, [counters]);
  await until(old.statuses, 'counters', ({ state }) => state === 'live');
  let now = NOW;
  await start(stores, newer, () => now);
  await eventually(async () => (await markOf(stores, OLD)) !== undefined);
  for (let years = 0; years < 3; years++) {
    now += 365 * DAY_MS;
    await eventually(async () => (await markOf(stores, OLD))?.since === now);
  }
  assert.equal(await stored(stores), [OLD, NEW]);
  await old.reached('counters', await append(stores.main, logMarked('a')));
});

test('a clock that was set back keeps a version for longer', async () => {
  const stores = memoryStores();
  await (await start(stores, counters, () => NOW)).stop();
  let now = NOW;
  await start(stores, newer, () => now);
  await eventually(async () => (await markOf(stores, OLD)) !== undefined);
  now -= DAY_MS;
  await eventually(async () => (await markOf(stores, OLD))?.since === now);
  now += DAY_MS - 1;
  await someLooks();
  assert.equal(await versions(stores), [OLD, NEW]);
});

test('generations that the catalogue lacks are dropped after a day, too', async () => {
  const stores = memoryStores();
  await stores.readStore.open({ projection: 'former@3', number: 7 }, counters.collections);
  let now = NOW;
  await start(stores, counters, () => now);
  await eventually(async () => (await markOf(stores, 'former@3')) !== undefined);
  now += DAY_MS;
  await eventually(async () => (await stored(stores)).length === 1);
  assert.equal(await stored(stores), [OLD]);
});

test('a catalogue entry without generations, as after a restore, is removed after a day', async () => {
  const stores = memoryStores();
  await stores.coordination.nextGeneration('former@3', 1n);
  await stores.coordination.switchGeneration('former@3', 1, 1n);
  let now = NOW;
  await start(stores, counters, () => now);
  await eventually(async () => (await markOf(stores, 'former@3')) !== undefined);
  const [retained] = await listRetainedVersions({ projections: [counters], ...stores });
  assert.equal([retained?.name, retained?.generation, retained?.size, retained?.log], ['former', null, 0, null]);
  now += DAY_MS;
  await eventually(async () => (await versions(stores)).length === 1);
});

test('an engine without other versions makes no query for them while it is idle', async () => {
  const stores = memoryStores();
  let reads = 0;
  const readStore: Stores['readStore'] = {
    ...stores.readStore,
    list: () => {
      reads++;
      return stores.readStore.list();
    },
  };
  await start({ ...stores, readStore }, counters, () => NOW);
  await someLooks();
  const before = reads;
  await someLooks();
  assert.is(reads, before);
});

test('the list of retained versions contains a newer version that was built before its release started, with the time until which it is retained', async () => {
  const stores = memoryStores();
  const engine = await start(stores, counters, () => NOW);
  await engine.reached('counters', await append(stores.main, logMarked('a'), logMarked('b')));
  await rebuild({
    projection: newer,
    store: stores.main,
    readStore: stores.readStore,
    coordination: stores.coordination,
    clock: () => NOW,
    keepEngineOut: async () => async () => undefined,
    signal: new AbortController().signal,
  });
  await eventually(async () => (await markOf(stores, NEW)) !== undefined);
  const [retained, ...others] = await listRetainedVersions({ projections: [counters], ...stores });
  assert.equal(others, []);
  assert.equal(
    { ...retained, position: 0n, size: 0 },
    {
      name: 'counters',
      version: 2,
      log: 'main',
      generation: 1,
      position: 0n,
      size: 0,
      retained_until: NOW + DAY_MS,
    },
  );
  assert.equal(await listRetainedVersions({ projections: [counters, newer], ...stores }), []);
});

test.run();
