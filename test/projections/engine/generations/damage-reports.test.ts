import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rebuild } from '../../../../projections/engine/generations/rebuild.ts';
import { REACTORS_HALTED } from '../../../../stores/coordination/port.ts';
import { openLogIdentity } from '../../../../stores/event-store/identity.ts';
import { DamagedEvent, type EventStore } from '../../../../stores/event-store/port.ts';
import { GenerationDamaged, type ReadStore } from '../../../../stores/read-store/port.ts';
import { rejects } from '../../../rejects.ts';
import { temporaryDirectory } from '../../../stores/temporary.ts';
import { append, memoryStores, NOW, startEngine, stopEngines, until } from '../engine.ts';
import { counters, logMarked } from '../samples.ts';
import { openSqliteStores } from '../sqlite-stores.ts';

const test = suite('damaged files');
test.after.each(stopEngines);

const isLive = ({ state }: { state: string }): boolean => state === 'live';

const counter = (engine: Awaited<ReturnType<typeof startEngine>>) =>
  engine.readers.for({ appended: new Map() })(counters).counters.get('a');

test('a read model that a reader finds damaged is rebuilt automatically, and reactors run', async () => {
  const stores = memoryStores();
  await openLogIdentity(stores.main);
  await openLogIdentity(stores.results);
  await append(stores.main, logMarked('a'), logMarked('a'));
  const { readStore } = stores;
  let damaged = false;
  const failing: ReadStore = {
    ...readStore,
    get: async (generation, ...rest) => {
      if (damaged && generation.number === 1) throw new GenerationDamaged(generation, 'malformed');
      return readStore.get(generation, ...rest);
    },
  };
  const engine = await startEngine({ ...stores, readStore: failing }, [counters]);
  await until(engine.statuses, 'counters', isLive);
  assert.equal(await counter(engine), { id: 'a', count: 2 });
  damaged = true;
  await rejects(counter(engine), GenerationDamaged, 'The read model counters@1.1 is damaged: malformed');
  await until(engine.statuses, 'counters', ({ state, generation }) => state === 'live' && generation === 2);
  assert.equal(await counter(engine), { id: 'a', count: 2 });
  assert.is(await stores.coordination.read(REACTORS_HALTED), null);
  assert.equal(
    (await readStore.list()).map(({ number }) => number),
    [2],
  );
});

test('a read model whose file is no longer a database is rebuilt at the start', async () => {
  const { directory, remove } = temporaryDirectory();
  const first = await openSqliteStores(directory, 'appender');
  for (const store of [first.main, first.results]) await openLogIdentity(store);
  await append(first.main, logMarked('a'));
  const engine = await startEngine(first, [counters]);
  await until(engine.statuses, 'counters', isLive);
  await engine.stop();
  await first.close();
  writeFileSync(join(directory, 'read-models', 'counters@1.1.db'), 'no database '.repeat(1_000));

  const second = await openSqliteStores(directory, 'appender');
  const again = await startEngine(second, [counters]);
  await until(again.statuses, 'counters', isLive);
  assert.equal(await counter(again), { id: 'a', count: 1 });
  await again.stop();
  await second.close();
  remove();
});

test('a damaged event stops the projections that need it, and is named in the error', async () => {
  const stores = memoryStores();
  await openLogIdentity(stores.main);
  await openLogIdentity(stores.results);
  await append(stores.main, logMarked('a'));
  const sentence = 'The event at position 3 in events.db is damaged.';
  const main: EventStore = {
    ...stores.main,
    readAll: async ({ after, ...rest }) => {
      if (after > 0n) throw new DamagedEvent(sentence, { position: 3n });
      return stores.main.readAll({ ...rest, after, limit: 1 });
    },
    async *subscribe() {
      await Promise.resolve();
      throw new DamagedEvent(sentence, { position: 3n });
    },
  };
  const engine = await startEngine({ ...stores, main }, [counters]);
  const { error } = await until(engine.statuses, 'counters', ({ state }) => state === 'stopped');
  assert.is(error?.message, sentence);
  assert.is(error?.position, 3n);
});

test('many rebuilds one after another next to a running engine leave no listeners behind', async () => {
  const stores = memoryStores();
  await openLogIdentity(stores.main);
  await openLogIdentity(stores.results);
  const warnings: string[] = [];
  const warned = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', warned);
  const engine = await startEngine(stores, [counters], { switchPoll: 5 });
  await until(engine.statuses, 'counters', isLive);
  for (let number = 0; number < 12; number++) {
    await rebuild({
      ...stores,
      projection: counters,
      store: stores.main,
      clock: () => NOW,
      retentionDays: 183,
      keepEngineOut: async () => null,
      signal: new AbortController().signal,
    } as Parameters<typeof rebuild>[0]);
  }
  await new Promise(setImmediate);
  process.off('warning', warned);
  assert.equal(warnings, []);
});

test.run();
