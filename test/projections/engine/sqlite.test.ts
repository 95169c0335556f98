import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markLog } from '../../../projections/engine/feed/log-marks.ts';
import { createReaders } from '../../../projections/engine/readers.ts';
import { rebuild } from '../../../projections/engine/generations/rebuild.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import type { WriteReport } from '../../../projections/engine/status/write-reports.ts';
import { attachEngine } from '../../../projections/engine/thread.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { startThread } from '../../../stores/thread.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';
import { append, until } from './engine.ts';
import { counters, echoes, logMarked } from './samples.ts';
import { openSqliteStores } from './sqlite-stores.ts';
import { eventually, realPause } from '../../waiting.ts';

interface Context {
  directory: string;
  /** functions that dispose of what the test has opened, to be called in reverse order */
  closing: (() => Promise<void> | void)[];
}

const test = suite<Context>('the engine in its own thread, with SQLite', { directory: '', closing: [] });

test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  Object.assign(context, { directory, closing: [remove] });
});

test.after.each(async ({ closing }) => {
  for (const close of closing.reverse()) await close();
});

/** Starts the engine in its thread, as a service does. */
const serve = async ({ directory, closing }: Context) => {
  const { close, ...stores } = await openSqliteStores(directory, 'appender');
  closing.push(close);
  for (const store of [stores.main, stores.results]) await openLogIdentity(store);
  const marks = {
    main: await markLog(stores.main, Date.now()),
    results: await markLog(stores.results, Date.now()),
  };
  const projections = [counters, echoes];
  const statuses = createStatuses(projections);
  const worker = startThread('./thread-entry', import.meta.url, { workerData: { directory, marks } });
  const engine = attachEngine(worker, { statuses, log: () => undefined });
  let killed = false;
  closing.push(() => (killed ? undefined : engine.stop()));
  /** Ends the thread at any point, without storing anything. */
  const kill = async (): Promise<void> => {
    killed = true;
    await worker.terminate();
  };
  const readers = createReaders({ ...stores, statuses, timeout: 10_000 });
  await until(statuses, 'counters', ({ state }) => state === 'live');
  return { ...stores, statuses, readers, engine, kill };
};

/** Reads a counter after the write at a position. */
const count = async ({ readers }: Awaited<ReturnType<typeof serve>>, id: string, position: bigint) =>
  (
    await readers
      .for({ appended: new Map([['main', position]]) })(counters)
      .counters.get(id)
  )?.count;

test('a reader finds its own writes, before and after a restart', async (context) => {
  const first = await serve(context);
  for (let wanted = 1; wanted <= 20; wanted++) {
    assert.is(await count(first, 'a', await append(first.main, logMarked('a'))), wanted);
  }
  await first.engine.stop();
  await append(first.main, logMarked('a'), logMarked('a'));
  const second = await serve(context);
  assert.is(second.statuses.of('counters').generation, 1);
  assert.is(await count(second, 'a', await append(second.main, logMarked('a'))), 23);
});

test('the writes of each commit are reported to the main thread when there are listeners', async (context) => {
  const { main, statuses } = await serve(context);
  const first = await append(main, logMarked('a'));
  await until(statuses, 'counters', ({ position }) => position >= first);
  const reports: WriteReport[] = [];
  const end = statuses.onWritten((written) => {
    assert.ok(statuses.of(written.projection).position >= written.position);
    if (written.projection === 'counters') reports.push(written);
  });
  await eventually(() => reports.length === 1);
  assert.is(reports[0]?.collections, 'unknown');
  const last = await append(main, logMarked('a'), logMarked('b'));
  await until(statuses, 'counters', ({ position }) => position >= last);
  assert.equal(reports[1], {
    projection: 'counters',
    position: last,
    collections: new Map([['counters', ['a', 'b']]]),
  });
  end();
});

test('after a kill, the engine’s thread folds again only events that changed no document', async (context) => {
  const generation = { projection: 'counters@1', number: 1 };
  const first = await serve(context);
  assert.is(await count(first, 'a', await append(first.main, logMarked('a'))), 1);
  const stored = (await first.readStore.checkpoint(generation))?.position ?? 0n;
  const created = { type: 'OrganizationCreated', data: { organization_id: 'o', name: 'O' } } as const;
  const last = await append(first.main, created, created, created);
  await until(first.statuses, 'counters', ({ position }) => position >= last);
  await first.kill();
  assert.is((await first.readStore.checkpoint(generation))?.position, stored);
  const second = await serve(context);
  assert.is(second.statuses.of('counters').generation, 1);
  assert.is(await count(second, 'a', await append(second.main, logMarked('a'))), 2);
});

test('a rebuild by another process equals the read model during concurrent writes, and replaces it', async (context) => {
  const service = await serve(context);
  const many = Array.from({ length: 3_000 }, (_, index) => logMarked(`m${index % 300}`));
  assert.is(await count(service, 'm0', await append(service.main, ...many)), 10);
  const enough = new AbortController();
  const writing = (async () => {
    let mine = 0;
    while (!enough.signal.aborted) {
      assert.is(await count(service, 'mine', await append(service.main, logMarked('mine'))), ++mine);
      await realPause(1, 'leaves the rebuild time between two writes');
    }
  })();
  const { close, ...own } = await openSqliteStores(context.directory, 'appender');
  context.closing.push(close);
  const { generation, comparison } = await rebuild({
    ...own,
    projection: counters,
    store: own.main,
    clock: Date.now,
    keepEngineOut: async () => null,
    verify: true,
    signal: new AbortController().signal,
  });
  enough.abort();
  await writing;
  assert.equal(comparison?.differences, []);
  assert.ok((comparison?.compared ?? 0) >= 301);
  assert.is(service.statuses.of('counters').generation, generation);
});

test("the death of the engine's thread is reported to the main thread", async (context) => {
  const statuses = createStatuses([counters]);
  const worker = startThread('./thread-entry', import.meta.url, { workerData: { directory: '/nowhere', marks: {} } });
  const { ended } = attachEngine(worker, { statuses, log: () => undefined });
  let error: unknown;
  await ended.catch((thrown: unknown) => (error = thrown));
  assert.instance(error, Error);
  assert.ok(context.directory);
});

test.run();
