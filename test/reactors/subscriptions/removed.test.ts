import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../../commands/engine/handle.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import type { Sealed } from '../../../domain/sealed.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { instantOf } from '../../../domain/time.ts';
import { removeAll } from '../../../reactors/subscriptions/deleted-pages.ts';
import type { NumberedSubscriber } from '../../../reactors/subscriptions/remove.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { FORGOTTEN } from '../../../stores/keys/port.ts';
import { PAGE, subscriberAdded } from '../../domain/subscriber/examples.ts';
import { rejects } from '../../rejects.ts';
import { ORGANIZATION } from './subscriber-log.ts';

const test = suite('the reactors that remove subscribers');

const location = { organizationId: ORGANIZATION, field: 'address' };

/** Creates a deleted page with subscribers. */
const stagedPage = async (count: number) => {
  const store = createMemoryEventStore('main');
  const keys = createMemoryKeys();
  const now = Date.parse('2026-11-20T15:00:00Z');
  const ids = Array.from({ length: count }, (_, n) => `sub${n.toString().padStart(9, '0')}`);
  const addresses = new Map<string, Sealed>();
  for (const id of ids) {
    const address = await keys.seal(`subscriber-${id}-1`, `${id}@example.com`, location);
    addresses.set(id, address);
    const by = { id: derivedUuid(id), by: 'test', organizationId: ORGANIZATION, causeId: derivedUuid(id) };
    const { type, data } = subscriberAdded({ subscriber_id: id, address });
    await store.append(`subscriber-${id}`, [systemEvent({ type, data }, { ...by, now: instantOf(now) })], 'any');
  }
  const readable = async (): Promise<number> => {
    const texts = await Promise.all([...addresses.values()].map((address) => keys.open(address, location)));
    return texts.filter((text) => text !== FORGOTTEN).length;
  };
  const cursors: (string | null)[] = [];
  const remove = (signal = new AbortController().signal) =>
    removeAll({
      handle: createHandle({ store, clock: () => now }),
      keys,
      clock: () => now,
      subscribersOf: async (_, after, limit): Promise<NumberedSubscriber[]> => {
        cursors.push(after);
        return ids
          .filter((id) => after === null || id > after)
          .slice(0, limit)
          .map((id) => ({ id, number: 1 }));
      },
    })({ id: PAGE, organization_id: ORGANIZATION, changed_position: 10 }, { signal });
  const purged = async () =>
    (await Promise.all(ids.map((id) => store.readStream(`subscriber-${id}`)))).filter(
      (events) => events.at(-1)?.type === 'SubscriberPurged' && events.length === 2,
    ).length;
  return { readable, remove, purged, cursors, ids };
};

test('subscribers of a deleted page are removed in pages, and their addresses forgotten', async () => {
  const { readable, remove, purged, cursors, ids } = await stagedPage(1_001);
  await remove();
  assert.equal([await purged(), await readable()], [1_001, 0]);
  assert.equal(cursors, [null, ids[499], ids[999]]);
  // The read model lags behind, so it returns the removed subscribers again. They are not removed a second time.
  await remove();
  assert.is(await purged(), 1_001);
});

test('a reactor that stops leaves the remaining subscribers to the next process', async () => {
  const { readable, remove } = await stagedPage(20);
  const stop = new AbortController();
  stop.abort(new Error('It stops.'));
  await rejects(remove(stop.signal), Error, 'It stops.');
  assert.is(await readable(), 20);
  await remove();
  assert.is(await readable(), 0);
});

test.run();
