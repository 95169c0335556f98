import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProjectionState, ProjectionStatus } from '../../../projections/engine/status/protocol.ts';
import { SET_ASIDE, setAsideId, withSetAside } from '../../../projections/engine/fold/set-aside.ts';
import { createReaders, type ReadContext } from '../../../projections/engine/readers.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import {
  DocumentSetAside,
  ReadModelBehind,
  ReadModelLate,
  ReadModelUnavailable,
} from '../../../projections/readers.ts';
import { rejects } from '../../rejects.ts';
import type { Fact } from '../history.ts';
import { append, LATER_LEASE, memoryStores } from './engine.ts';
import { counters, logMarked } from './samples.ts';

const test = suite('a reader of read models');

const NOTHING_APPENDED = { appended: new Map<string, bigint>() };
const appendedTo = (log: string, position: bigint) => ({ appended: new Map([[log, position]]) });

/** Returns the context of a request that has appended events to the main log. Of these, `counters` folds only marks. */
const appended = (...types: [type: string, position: bigint][]) => ({ appended: new Map([['main', new Map(types)]]) });

/** A log without further events. */
const nothingAfter = async function* () {
  yield [];
};

/** Returns an unfolded event that was recorded `milliseconds` ago. */
const waitingFor = (milliseconds: number) => ({ position: 11n, recordedAt: Date.now() - milliseconds });

const status = (state: ProjectionState, position: bigint, generation: number | null = 1): ProjectionStatus => ({
  name: 'counters',
  version: 1,
  log: 'main',
  generation,
  position,
  oldest: state === 'live' ? null : waitingFor(60_000),
  state,
  error: null,
});

/**
 * Creates readers of a read model with one document. The test itself sends the statuses that an engine would report.
 */
const start = async (timeout = 1_000, { mark = null as bigint | null } = {}) => {
  const { readStore, coordination, main, results } = memoryStores();
  const put = async (number: number, count: number) => {
    const generation = { projection: 'counters@1', number };
    await readStore.open(generation, counters.collections);
    const checkpoint = { log_id: 'log', position: 10n, event_id: null };
    await readStore.commit(generation, { counters: [{ put: { id: 'a', count } as { id: string } }] }, checkpoint);
  };
  await put(1, 1);
  let passed = 0;
  const clock = { now: Date.now, monotonic: () => performance.now() + passed };
  const ends = mark === null ? null : { marks: { main: mark, results: 0n }, after: nothingAfter };
  const statuses = createStatuses([counters], clock, ends);
  const readers = createReaders({ readStore, statuses, coordination, timeout, logs: { main, results } });
  const read = (context: ReadContext) => readers.for(context)(counters).counters;
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
  };
  return { readStore, coordination, main, statuses, readers, read, put, pass };
};

test('a reader gets, finds and counts documents', async () => {
  const { statuses, read } = await start();
  statuses.receive([status('live', 10n)]);
  const reader = read(NOTHING_APPENDED);
  assert.equal(await reader.get('a'), { id: 'a', count: 1 });
  assert.is(await reader.get('b'), null);
  assert.equal(await reader.getMany(['b', 'a']), [{ id: 'a', count: 1 }]);
  assert.equal(await reader.find({ where: { count: 1 } }), [{ id: 'a', count: 1 }]);
  assert.is(await reader.count({ count: 2 }), 0);
});

test('a read waits until the projection has passed the events of its request', async () => {
  const { statuses, read, put } = await start();
  statuses.receive([status('live', 10n)]);
  let settled = false;
  const reading = read(appendedTo('main', 20n)).get('a');
  void reading.then(() => (settled = true));
  statuses.receive([status('live', 19n)]);
  await new Promise(setImmediate);
  assert.not(settled);
  await put(1, 2);
  statuses.receive([status('live', 20n)]);
  assert.equal(await reading, { id: 'a', count: 2 });
});

test('a read does not wait for events of another log', async () => {
  const { statuses, read } = await start();
  statuses.receive([status('live', 10n)]);
  assert.equal(await read(appendedTo('results', 99n)).get('a'), { id: 'a', count: 1 });
});

for (const state of ['live', 'stopped', 'failing', 'catching_up', 'waiting'] satisfies ProjectionState[]) {
  test(`a read does not wait for events that the projection does not fold, even while it is ${state}`, async () => {
    const { statuses, read, readers } = await start(60_000);
    statuses.receive([status(state, 10n)]);
    const context = appended(['PageUpdated', 99n], ['LogMarked', 10n]);
    assert.equal(await read(context).get('a'), { id: 'a', count: 1 });
    await readers.waitFor(['counters'], context);
  });
}

test('a read waits for the newest appended event that the projection folds', async () => {
  const { statuses, read, put } = await start();
  statuses.receive([status('live', 10n)]);
  let settled = false;
  const reading = read(appended(['PageUpdated', 99n], ['LogMarked', 20n], ['PageDeleted', 30n])).get('a');
  void reading.then(() => (settled = true));
  statuses.receive([status('live', 19n)]);
  await new Promise(setImmediate);
  assert.not(settled);
  await put(1, 2);
  statuses.receive([status('live', 20n)]);
  assert.equal(await reading, { id: 'a', count: 2 });
});

test('a read is late when the projection has stopped before an appended event that it folds, whatever else was appended', async () => {
  const { statuses, read } = await start(60_000);
  statuses.receive([status('stopped', 10n)]);
  await rejects(read(appended(['PageUpdated', 5n], ['LogMarked', 11n])).get('a'), ReadModelLate);
});

test('a read waits for a position without an event type, whatever the projection folds', async () => {
  const { statuses, read, readers } = await start(5);
  statuses.receive([status('live', 10n)]);
  await rejects(read(appendedTo('main', 11n)).get('a'), ReadModelLate);
  await rejects(readers.waitFor(['counters'], appendedTo('main', 11n)), ReadModelLate);
});

test('a read is late when the projection does not catch up in time', async () => {
  const { statuses, read } = await start(5);
  statuses.receive([status('live', 10n)]);
  await rejects(read(appendedTo('main', 11n)).get('a'), ReadModelLate);
});

for (const state of ['stopped', 'failing', 'building'] satisfies ProjectionState[]) {
  test(`a read is late immediately when the projection is ${state}, and when the projection becomes ${state} during the wait`, async () => {
    const { statuses, read } = await start(60_000);
    statuses.receive([status(state, 10n)]);
    await rejects(read(appendedTo('main', 11n)).get('a'), ReadModelLate);
    statuses.receive([status('live', 10n)]);
    const waiting = read(appendedTo('main', 11n)).get('a');
    statuses.receive([status(state, 10n)]);
    await rejects(waiting, ReadModelLate);
  });
}

test('a read is late immediately when the projection has been catching up for a while and is far behind', async () => {
  const { statuses, read, pass } = await start(60_000);
  statuses.receive([status('catching_up', 9n)]);
  pass(2_001);
  const waiting = read(appendedTo('main', 11n)).get('a');
  statuses.receive([status('catching_up', 10n)]);
  await rejects(waiting, ReadModelLate);
  await rejects(read(appendedTo('main', 11n)).get('a'), ReadModelLate);
});

test('a read waits for a projection that has just begun to catch up, however old the unfolded events are', async () => {
  const { statuses, read, pass } = await start();
  for (const state of ['catching_up', 'live'] as const) {
    statuses.receive([status(state, 9n)]);
    pass(1_999);
  }
  statuses.receive([status('catching_up', 10n)]);
  const waiting = read(appendedTo('main', 11n)).get('a');
  statuses.receive([status('live', 11n)]);
  assert.equal(await waiting, { id: 'a', count: 1 });
});

test('a read waits for a projection that is slightly behind', async () => {
  const { statuses, read } = await start();
  statuses.receive([{ ...status('catching_up', 10n), oldest: waitingFor(2_000) }]);
  const waiting = read(appendedTo('main', 11n)).get('a');
  statuses.receive([status('live', 11n)]);
  assert.equal(await waiting, { id: 'a', count: 1 });
});

test('a read returns the documents that a stopped projection has folded', async () => {
  const { statuses, read } = await start();
  statuses.receive([status('stopped', 10n)]);
  assert.equal(await read(NOTHING_APPENDED).get('a'), { id: 'a', count: 1 });
  assert.equal(await read(appendedTo('main', 10n)).get('a'), { id: 'a', count: 1 });
});

test('a read fails before the first build of the projection is complete', async () => {
  const { statuses, read } = await start();
  await rejects(read(NOTHING_APPENDED).get('a'), ReadModelUnavailable);
  statuses.receive([status('building', 10n, null)]);
  await rejects(read(NOTHING_APPENDED).get('a'), ReadModelUnavailable);
});

test('a reader reads the catalogue again when its generation was dropped', async () => {
  const { statuses, read, put, readStore, coordination } = await start();
  statuses.receive([status('live', 10n)]);
  await put(2, 7);
  await coordination.switchGeneration('counters@1', 2, 1n);
  await readStore.drop({ projection: 'counters@1', number: 1 }, LATER_LEASE);
  assert.equal(await read(NOTHING_APPENDED).get('a'), { id: 'a', count: 7 });
});

test('a read fails after its generation was dropped, while no other generation is in use', async () => {
  const { statuses, coordination, readStore, read } = await start();
  statuses.receive([status('live', 10n)]);
  await coordination.switchGeneration('counters@1', 1, 1n);
  await readStore.drop({ projection: 'counters@1', number: 1 }, LATER_LEASE);
  await rejects(read(NOTHING_APPENDED).get('a'), ReadModelUnavailable, /counters is being built/);
});

test('a failure of the store is not taken for a switch of generations', async () => {
  const { statuses, coordination, put, readStore } = await start();
  statuses.receive([status('live', 10n)]);
  await put(2, 7);
  await coordination.switchGeneration('counters@1', 2, 1n);
  const broken = { ...readStore, get: () => Promise.reject(new RangeError('broken')) };
  const readers = createReaders({ readStore: broken, statuses, coordination, timeout: 1 });
  await rejects(readers.for(NOTHING_APPENDED)(counters).counters.get('a'), RangeError, 'broken');
});

test('a read waits for a projection that has not caught up since the start, even if the request has written nothing', async () => {
  const { statuses, read, put } = await start(60_000, { mark: 20n });
  statuses.receive([status('live', 10n)]);
  let settled = false;
  const reading = read(NOTHING_APPENDED).get('a');
  void reading.then(() => (settled = true));
  statuses.receive([status('catching_up', 19n)]);
  await new Promise(setImmediate);
  assert.not(settled);
  await put(1, 2);
  statuses.receive([status('live', 20n)]);
  assert.equal(await reading, { id: 'a', count: 2 });
});

test('a read of a projection that does not catch up in time fails with the name of the projection', async () => {
  const { statuses, read } = await start(5, { mark: 20n });
  statuses.receive([status('live', 19n)]);
  await rejects(read(NOTHING_APPENDED).get('a'), ReadModelBehind, /counters is catching up/);
  await rejects(read(appendedTo('main', 5n)).get('a'), ReadModelUnavailable, /counters is catching up/);
});

test('a read with asFolded returns the present content of a projection without waiting', async () => {
  const { statuses, readers } = await start(60_000, { mark: 20n });
  statuses.receive([status('catching_up', 10n)]);
  assert.equal(await readers.asFolded(counters).counters.get('a'), { id: 'a', count: 1 });
});

for (const state of ['stopped', 'failing', 'catching_up', 'waiting', 'live'] satisfies ProjectionState[]) {
  test(`a read of a projection that is ${state} records ${state === 'live' ? 'nothing' : 'that something may be missing'}`, async () => {
    const { statuses, read } = await start();
    statuses.receive([status(state, 10n)]);
    const context: ReadContext = { appended: new Map() };
    await read(context).get('a');
    assert.is(context.readBehind ?? false, state !== 'live');
  });
}

test('after a read has waited in vain for an event, reads record that something may be missing until the event is folded', async () => {
  const { statuses, read } = await start(1);
  statuses.receive([status('live', 10n)]);
  await rejects(read(appendedTo('main', 12n)).get('a'), ReadModelLate);
  const reads = async (): Promise<boolean> => {
    const context: ReadContext = { appended: new Map() };
    await read(context).get('a');
    return context.readBehind ?? false;
  };
  statuses.receive([status('live', 11n)]);
  assert.ok(await reads());
  statuses.receive([status('live', 12n)]);
  assert.not(await reads());
});

/** Switches to a generation at position 10, although the previous generation had passed later events. */
const replacedAfter = async (event: Fact) => {
  const { statuses, read, put, main, readStore, coordination } = await start();
  const last = await append(main, ...Array.from({ length: 12 }, () => event));
  assert.ok(last > 10n);
  statuses.receive([status('live', last)]);
  await put(2, 7);
  await coordination.switchGeneration('counters@1', 2, 1n);
  await readStore.drop({ projection: 'counters@1', number: 1 }, LATER_LEASE);
  return read(NOTHING_APPENDED);
};

test('a generation that lacks events of the previous generation is not read', async () => {
  await rejects((await replacedAfter(logMarked('b'))).get('a'), ReadModelBehind);
});

test('a generation with an outdated stored position is read if it lacks nothing of the previous generation', async () => {
  const read = await replacedAfter({ type: 'OrganizationCreated', data: { organization_id: 'o', name: 'O' } });
  assert.equal(await read.get('a'), { id: 'a', count: 7 });
});

test('a document is reported as certainly missing only when the whole log is folded', async () => {
  const { statuses, readers, main, put } = await start(60_000);
  const before = await append(main, logMarked('a'));
  statuses.receive([status('live', before)]);
  const sure = readers.sure(counters).counters;
  assert.is(await sure.get('b'), null);
  const end = await append(main, logMarked('a'));
  assert.equal(await sure.get('a'), { id: 'a', count: 1 }, 'an existing document is returned immediately');
  let settled = false;
  const missing = sure.get('b').then((found) => {
    settled = true;
    return found;
  });
  await new Promise(setImmediate);
  assert.not(settled);
  await put(1, 2);
  statuses.receive([status('live', end)]);
  assert.is(await missing, null);
});

test('a document that a stopped projection lacks is never reported as certainly missing', async () => {
  const { statuses, readers, main } = await start(60_000);
  const before = await append(main, logMarked('a'));
  await append(main, logMarked('a'));
  statuses.receive([status('stopped', before)]);
  await rejects(readers.sure(counters).counters.get('b'), ReadModelLate);
});

test('a set-aside document does not count as missing, even if the reader has not learned that it is set aside', async () => {
  const { statuses, readers, readStore, main } = await start(60_000);
  const end = await append(main, logMarked('a'));
  statuses.receive([status('live', end)]);
  const generation = { projection: 'counters@1', number: 1 };
  await readStore.open(generation, withSetAside(counters.collections));
  const record = { id: setAsideId('counters', 'b'), collection: 'counters', document: 'b', parts: 0, part: null };
  const checkpoint = { log_id: 'log', position: end, event_id: null };
  await readStore.commit(generation, { [SET_ASIDE]: [{ put: record }] }, checkpoint);
  const sure = readers.sure(counters).counters;
  await rejects(sure.get('b'), DocumentSetAside, /counters\/b/);
  assert.is(await sure.get('c'), null);
});

test('projections can be waited for by name, for routes without a response body', async () => {
  const { statuses, readers } = await start();
  statuses.receive([status('live', 10n)]);
  await readers.waitFor(['counters'], appendedTo('main', 10n));
  const waiting = readers.waitFor(['counters'], appendedTo('main', 11n));
  statuses.receive([status('live', 11n)]);
  await waiting;
  await rejects(readers.waitFor(['nothing'], NOTHING_APPENDED), RangeError, 'There is no projection "nothing".');
});

test('statuses report when every projection has been compared with its log', async () => {
  const { statuses } = await start();
  let checked = false;
  const all = statuses.checked().then(() => (checked = true));
  await new Promise(setImmediate);
  assert.not(checked);
  statuses.receive([status('building', 0n, null)]);
  await all;
});

test.run();
