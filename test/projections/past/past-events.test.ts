import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createPastEvents } from '../../../projections/past/past-events.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { UnknownEvent } from '../../../stores/event-store/port.ts';
import { checkCreated } from '../../domain/check/examples.ts';
import { componentAdded, componentUpdated, PAGE, pageCreated } from '../../domain/page/examples.ts';
import { rejects } from '../../rejects.ts';
import { recorded, type Fact } from '../history.ts';

const test = suite('events of past states');

const EVENTS = 40_000;
const ORGANIZATION = 'org000000001';
const exported: Fact = {
  type: 'PageSubscribersExported',
  data: { page_id: PAGE, exported_at: '2026-11-20T15:00:00.000000' },
};

test('a request for an owner with 40,000 events does not read the events again', async () => {
  // Positions and revisions follow from the index, because all events are in one stream.
  const events = recorded([pageCreated(), ...Array.from({ length: EVENTS - 1 }, () => exported)]);
  let read = 0;
  const part = (first: bigint, limit: number): RecordedEvent[] => {
    const found = events.slice(Number(first), Number(first) + limit);
    read += found.length;
    return found;
  };
  const source = createPastEvents({
    readAll: async ({ after, limit = EVENTS }) => part(after / 10n, limit),
    readStream: async (_, { from = 0n, limit = EVENTS } = {}) => part(from, limit),
  });
  const owner = { organizationId: ORGANIZATION, pageId: PAGE };
  const countOf = async (): Promise<number> =>
    (await source.ofOwner(owner, ['page', 'incident'], '2027-01-01T00:00:00.000000')).count;
  assert.is(await countOf(), EVENTS);
  const before = read;
  assert.is(await countOf(), EVENTS);
  assert.ok(read - before < 10, `${read - before} events were read again`);
});

const PAGE_TYPES = ['page', 'incident'];

/** Returns a log with these facts, which counts the events that are read of it. */
const countedLog = async (facts: readonly Fact[]) => {
  const log = createMemoryEventStore('main');
  for (const { stream, id, type, data, metadata } of recorded(facts))
    await log.append(stream, [{ id, type, data, metadata }], 'any');
  /** `read`: events; `streams`: streams that are being read; `streamReads`: all reads of streams */
  const counts = { read: 0, streams: 0, mostStreams: 0, streamReads: 0 };
  const main: Parameters<typeof createPastEvents>[0] = {
    readAll: async (options) => {
      const found = await log.readAll(options);
      counts.read += found.length;
      return found;
    },
    readStream: async (...options) => {
      counts.streams += 1;
      counts.streamReads += 1;
      counts.mostStreams = Math.max(counts.mostStreams, counts.streams);
      const found = await log.readStream(...options);
      counts.read += found.length;
      counts.streams -= 1;
      return found;
    },
  };
  return { log, main, counts };
};

/** Returns a page with this number of events. */
const pageWith = (count: number, page_id = PAGE): Fact[] => {
  const created = pageCreated();
  return [
    { ...created, data: { ...created.data, page_id } },
    ...Array.from({ length: count - 1 }, () => ({ ...exported, data: { ...exported.data, page_id } })),
  ];
};

const checkWith = (check_id: string): Fact => {
  const created = checkCreated();
  return { ...created, data: { ...created.data, check_id } };
};

test('concurrent requests for the same page read its events once, also if these are too many for the cache', async () => {
  for (const mostEvents of [1_000, 50]) {
    const { main, counts } = await countedLog(pageWith(200));
    const source = createPastEvents(main, mostEvents);
    const owner = { organizationId: ORGANIZATION, pageId: PAGE };
    const found = await Promise.all(Array.from({ length: 20 }, () => source.all(owner, PAGE_TYPES)));
    assert.equal([...new Set(found.map(({ length }) => length))], [200], `${mostEvents}`);
    assert.is(new Set(found).size, 1, 'the requests share one list');
    assert.is(counts.read, 200, `${mostEvents}`);
  }
});

test('histories that are too long for the cache are read one at a time', async () => {
  const ids = Array.from({ length: 5 }, (_, index) => `page0000000${index}`);
  const { main, counts } = await countedLog(ids.flatMap((id) => pageWith(100, id)));
  const source = createPastEvents(main, 50);
  // The first request reads the whole log.
  await source.all({ organizationId: ORGANIZATION, pageId: 'page99999999' }, PAGE_TYPES);
  const found = await Promise.all(ids.map((pageId) => source.all({ organizationId: ORGANIZATION, pageId }, ['page'])));
  assert.equal(
    found.map(({ length }) => length),
    ids.map(() => 100),
  );
  assert.is(counts.mostStreams, 1);
});

test('of the checks of an organization, a page reads only those that its components have ever had', async () => {
  const { main, counts } = await countedLog([
    pageCreated(),
    ...['check0000001', 'check0000002', 'check0000003'].map(checkWith),
    componentAdded('api', { check_id: 'check0000001' }),
    componentUpdated('api', { check_id: 'check0000002' }, { check_id: 'check0000001' }),
    componentUpdated('api', { check_id: null }, { check_id: 'check0000002' }),
  ]);
  const source = createPastEvents(main);
  const owner = { organizationId: ORGANIZATION, pageId: PAGE };
  const found = await source.all(owner, [...PAGE_TYPES, 'check']);
  assert.equal(
    found.map(({ stream }) => stream).filter((stream) => stream.startsWith('check-')),
    ['check-check0000001', 'check-check0000002'],
  );
  const { count } = await source.ofOwner(owner, ['check'], '2027-01-01T00:00:00.000000');
  assert.is(count, 2);
  const before = { ...counts };
  await source.ofOwner(owner, ['check'], '2027-01-01T00:00:00.000000');
  assert.equal(counts, before, 'nothing is read again');
});

test('a history that may lack events after an unreadable event of the log is not returned', async () => {
  const { log, main } = await countedLog([{ ...pageCreated(), metadata: { schema_version: 2 } }]);
  const source = createPastEvents(createCheckedStore({ ...log, ...main }));
  const owner = { organizationId: ORGANIZATION, pageId: PAGE };
  assert.is((await source.all(owner, PAGE_TYPES)).length, 1);
  const [created] = await log.readAll({ after: 0n, limit: 1 });
  assert.ok(created);
  const unknown = { ...created, id: randomUUID(), type: 'FromANewerRelease' };
  await log.append('other-1', [unknown], 'any');
  for (const read of [
    () => source.all(owner, PAGE_TYPES),
    () => source.ofOwner(owner, PAGE_TYPES, '2027-01-01T00:00:00.000000'),
    () => source.upToEnd(owner, PAGE_TYPES),
  ])
    await rejects(read(), UnknownEvent);
});

test.run();
