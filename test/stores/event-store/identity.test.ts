import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { event } from '../../contracts/event-store/events.ts';
import { rejects } from '../../rejects.ts';

const test = suite('the identity of a log');

test('the id of a log is that of its first event, and does not change', async () => {
  for (const name of ['main', 'results'] as const) {
    const store = createCheckedStore(createMemoryEventStore(name));
    const id = await openLogIdentity(store, () => Date.UTC(2026, 10, 20));
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.is(await openLogIdentity(store), id);
    const all = await store.readAll({ after: 0n });
    assert.is(all.length, 1);
    assert.equal(
      all.map(({ stream, type, revision, data }) => ({ stream, type, revision, data })),
      [{ stream: `log-${name}`, type: 'LogOpened', revision: 0n, data: { log_id: id, log: name } }],
    );
    const { metadata } = all[0] as RecordedEvent;
    assert.equal(metadata.actor, { kind: 'system', id: 'event-store', role: null });
    assert.is(metadata.organization_id, null);
    assert.is(metadata.recorded_at, '2026-11-20T00:00:00.000000');
  }
});

test('concurrent openings of a log get the same id', async () => {
  const store = createMemoryEventStore('main');
  const found = await Promise.all([openLogIdentity(store), openLogIdentity(store), openLogIdentity(store)]);
  assert.is(new Set(found).size, 1);
  assert.is((await store.readAll({ after: 0n })).length, 1);
});

test('different logs have different ids', async () => {
  assert.is.not(
    await openLogIdentity(createMemoryEventStore('main')),
    await openLogIdentity(createMemoryEventStore('main')),
  );
});

test('a log that began without an id does not get an id later', async () => {
  const store = createMemoryEventStore('main');
  await store.append('ship-1', [event()], 'no_stream');
  await rejects(openLogIdentity(store), Error, /^The log main does not begin with its id/);
});

test('opening the main log as the results log, or the reverse, is refused', async () => {
  const results = createMemoryEventStore('results');
  await openLogIdentity(results);
  const misnamed: EventStore = { ...results, name: 'main' };
  await rejects(openLogIdentity(misnamed), Error, 'This is the log results, not the log main.');
});

test.run();
