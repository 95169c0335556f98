import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createPastEvents } from '../../../projections/past/past-events.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { UnknownEvent } from '../../../stores/event-store/port.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
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

test('a history that may lack events after an unreadable event of the log is not returned', async () => {
  const log = createMemoryEventStore('main');
  for (const { stream, ...event } of recorded([{ ...pageCreated(), metadata: { schema_version: 2 } }]))
    await log.append(stream, [event], 'any');
  const source = createPastEvents(createCheckedStore(log));
  const owner = { organizationId: ORGANIZATION, pageId: PAGE };
  assert.is((await source.all(owner, ['page', 'incident'])).length, 1);
  const [created] = await log.readAll({ after: 0n, limit: 1 });
  assert.ok(created);
  const unknown = { ...created, id: randomUUID(), type: 'FromANewerRelease' };
  await log.append('other-1', [unknown], 'any');
  for (const read of [
    () => source.all(owner, ['page', 'incident']),
    () => source.ofOwner(owner, ['page', 'incident'], '2027-01-01T00:00:00.000000'),
    () => source.upToEnd(owner, ['page', 'incident']),
  ])
    await rejects(read(), UnknownEvent);
});

test.run();
