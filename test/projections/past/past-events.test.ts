import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createPastEvents } from '../../../projections/past/past-events.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
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

test.run();
