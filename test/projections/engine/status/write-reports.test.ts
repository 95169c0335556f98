import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collection, defineProjection } from '../../../../projections/engine/fold/define.ts';
import { rebuild } from '../../../../projections/engine/generations/rebuild.ts';
import { MOST_IDS, WriteRecord, type WriteReport } from '../../../../projections/engine/status/write-reports.ts';
import type { Statuses } from '../../../../projections/engine/status/statuses.ts';
import { ReadStoreUnavailable } from '../../../../stores/read-store/port.ts';
import { append, memoryStores, NOW, startEngine, stopEngines, until } from '../engine.ts';
import { counters, logMarked } from '../samples.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('reports of commits');
test.after.each(stopEngines);

/** Records the reports of a projection from now on. */
const listen = (statuses: Statuses, name = 'counters') => {
  const reports: WriteReport[] = [];
  const end = statuses.onWritten((written) => {
    if (written.projection === name) reports.push(written);
  });
  return { reports, end };
};

/** Stores marks, some of which expire. */
const expiring = defineProjection({
  name: 'expiring',
  version: 1,
  log: 'main',
  collections: { marks: collection<{ id: string; until: string }>({ indexes: [], expires: { field: 'until' } }) },
  documents: () => ({}),
  on: {
    LogMarked: ({ data }, { marks }) => {
      marks.put({ id: data.mark, until: '2020-01-01T00:00:00.000Z' });
    },
  },
});

test('a report names the documents of each commit after the status has the position of the commit', async () => {
  const stores = memoryStores();
  const { statuses } = await startEngine(stores, [counters]);
  await until(statuses, 'counters', ({ state }) => state === 'live');
  const { reports } = listen(statuses);
  await eventually(() => reports.length === 1);
  assert.is(reports[0]?.collections, 'unknown');
  const last = await append(stores.main, logMarked('a'), logMarked('b'), logMarked('a'));
  await until(statuses, 'counters', ({ position }) => position >= last);
  assert.equal(reports.slice(1), [
    { projection: 'counters', position: last, collections: new Map([['counters', ['a', 'b']]]) },
  ]);
});

test('events without changes cause no report', async () => {
  const stores = memoryStores();
  const { statuses } = await startEngine(stores, [counters]);
  await until(statuses, 'counters', ({ state }) => state === 'live');
  const { reports } = listen(statuses);
  await eventually(() => reports.length === 1);
  const last = await append(stores.main, { type: 'OrganizationCreated', data: { organization_id: 'o', name: 'O' } });
  await until(statuses, 'counters', ({ position }) => position >= last);
  assert.is(reports.length, 1);
});

test('the first report names everything if there was no listener for a while', async () => {
  const stores = memoryStores();
  const { statuses } = await startEngine(stores, [counters]);
  await until(statuses, 'counters', ({ state }) => state === 'live');
  const first = listen(statuses);
  await eventually(() => first.reports.length === 1);
  first.end();
  const last = await append(stores.main, logMarked('a'));
  await until(statuses, 'counters', ({ position }) => position >= last);
  assert.is(first.reports.length, 1);
  const second = listen(statuses);
  await eventually(() => second.reports.length === 1);
  assert.is(second.reports[0]?.collections, 'unknown');
});

test('a report names everything when a projection becomes readable, and after a switch of generations', async () => {
  const stores = memoryStores();
  const { statuses } = await startEngine(stores, [counters]);
  const { reports } = listen(statuses);
  await eventually(() => reports.length === 1);
  assert.is(statuses.of('counters').generation, 1);
  assert.is(reports[0]?.collections, 'unknown');
  await rebuild({
    projection: counters,
    store: stores.main,
    ...stores,
    clock: () => NOW,
    keepEngineOut: async () => null,
    verify: true,
    signal: new AbortController().signal,
  });
  await eventually(() => statuses.of('counters').generation === 2);
  await eventually(() => reports.filter(({ collections }) => collections === 'unknown').length === 2);
});

test('a report names everything after a commit with an unknown outcome', async () => {
  const stores = memoryStores();
  let fails = false;
  const commit: typeof stores.readStore.commit = async (...given) => {
    await stores.readStore.commit(...given);
    if (!fails) return;
    fails = false;
    throw new ReadStoreUnavailable('The connection is lost.');
  };
  const { statuses } = await startEngine({ ...stores, readStore: { ...stores.readStore, commit } }, [counters]);
  await until(statuses, 'counters', ({ state }) => state === 'live');
  const { reports } = listen(statuses);
  await eventually(() => reports.length === 1);
  fails = true;
  await append(stores.main, logMarked('a'));
  await eventually(() => reports.length === 2);
  assert.is(reports[1]?.collections, 'unknown');
});

test('a report about swept documents names only their collections', async () => {
  const stores = memoryStores();
  const { statuses } = await startEngine(stores, [expiring], { sweep: 20 });
  await until(statuses, 'expiring', ({ state }) => state === 'live');
  const { reports } = listen(statuses, 'expiring');
  await append(stores.main, logMarked('a'));
  await eventually(() => reports.some(({ collections }) => isMany(collections)));
});

const isMany = (collections: WriteReport['collections']): boolean =>
  collections !== 'unknown' && collections.get('marks') === 'many';

test('a report about many documents names only their collections', () => {
  const record = new WriteRecord();
  const puts = (count: number) => Array.from({ length: count }, (_, index) => ({ put: { id: `d${index}` } }));
  assert.is(record.take(), null);
  record.add({ some: puts(MOST_IDS), none: [], many: puts(MOST_IDS) });
  record.add({ some: [{ delete: 'd1' }], many: [{ delete: 'e' }] });
  const written = record.take();
  assert.equal([...(written?.keys() ?? [])], ['some', 'many']);
  assert.is(written?.get('some')?.length, MOST_IDS);
  assert.is(written?.get('many'), 'many');
  assert.is(record.take(), null);
});

test.run();
