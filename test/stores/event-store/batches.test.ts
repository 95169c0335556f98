import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../../domain/event.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { createBatches } from '../../../stores/event-store/batches.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { StoreUnavailable, type EventStore } from '../../../stores/event-store/port.ts';
import { CHECK } from '../../domain/check/examples.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { rejects } from '../../rejects.ts';
import { forgetfulStore } from './forgetful-store.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

const STREAM = 'check_results-eu-west1';

const named = (name: string): NewEvent => ({ ...resultOf(CHECK), id: derivedUuid(name) });

const NOW = Date.parse('2026-11-20T15:00:10Z');

/**
 * Creates batches over a log whose responses can be lost.
 *
 * @param forgets whether the log forgets the ids of events, like a restarted EventStoreDB
 */
const stage = ({ forgets = false } = {}) => {
  const memory = createMemoryEventStore('results');
  const log = forgets ? forgetfulStore(memory) : memory;
  const clock = fakeClock(NOW);
  let losing = false;
  let silent = false;
  let reads = 0;
  const appends: number[] = [];
  const append: EventStore['append'] = async (stream, events, expected) => {
    const appended = await log.append(stream, events, expected);
    appends.push(events.length);
    if (losing) throw new StoreUnavailable('The connection was lost.');
    return appended;
  };
  const readStream: EventStore['readStream'] = async (...parameters) => {
    reads++;
    if (silent) throw new StoreUnavailable('The connection was lost.');
    return log.readStream(...parameters);
  };
  const restarted = () => createBatches({ log: { append, readStream }, after: clock.after });
  const batches = restarted();
  return {
    log,
    append,
    batches,
    /** creates the batches of another process, which know no events that were stored before */
    restarted,
    clock,
    appends,
    /** Sets whether the responses to appends are lost, although the events are stored. */
    lose: (lost: boolean): void => {
      losing = lost;
    },
    /** Sets whether reads fail. */
    silence: (is: boolean): void => {
      silent = is;
    },
    /** returns the number of reads of the log */
    reads: () => reads,
    /** Stores events with these names together, and returns for each whether it was appended. */
    store: async (names: string[], { store } = batches, since: number | null = null): Promise<string[]> => {
      const stored = Promise.all(names.map((name) => store(STREAM, named(name), { since })));
      await settled();
      await clock.advance(20);
      return (await stored).map(({ alreadyStored }) => (alreadyStored ? 'stood' : 'appended'));
    },
    stored: async (): Promise<string[]> => (await log.readStream(STREAM)).map(({ id }) => id),
  };
};

const ids = (names: string[]): string[] => names.map((name) => derivedUuid(name));

const test = suite('batches of results');

test('events for which no caller waits are gathered for longer, until an event for which a caller waits arrives', async () => {
  const { batches, clock, stored, appends } = stage();
  const store = (name: string, leisurely: boolean) => batches.store(STREAM, named(name), { leisurely });
  const first = [store('a', true), store('b', true)];
  await settled();
  await clock.advance(499);
  assert.equal(appends, []);
  await clock.advance(1);
  await Promise.all(first);
  const second = [store('c', true), store('d', false)];
  await settled();
  await clock.advance(20);
  await Promise.all(second);
  assert.equal(await stored(), ids(['a', 'b', 'c', 'd']));
  assert.equal(appends, [2, 2]);
});

test('events for which no caller waits are appended at the same moment in several streams', async () => {
  const { batches, clock, appends } = stage();
  const first = batches.store(STREAM, named('a'), { leisurely: true });
  await clock.advance(400);
  const second = batches.store('check_results-us-east1', named('b'), { leisurely: true });
  await clock.advance(99);
  assert.equal(appends, []);
  await clock.advance(1);
  await Promise.all([first, second]);
  assert.equal(appends, [1, 1]);
  assert.is(clock.pending(), 0);
});

test('a batch that is appended early leaves no timer behind', async () => {
  const { batches, clock, appends } = stage();
  const first = batches.store(STREAM, named('a'), { leisurely: true });
  await clock.advance(400);
  batches.flush();
  await first;
  assert.is(clock.pending(), 0);
  const second = batches.store(STREAM, named('b'), { leisurely: true });
  await clock.advance(400);
  assert.equal(appends, [1]);
  await clock.advance(100);
  await second;
  assert.equal(appends, [1, 1]);
});

test('a flush appends the batches of all streams immediately', async () => {
  const { batches, log, appends } = stage();
  batches.flush();
  const streams = [STREAM, 'check_results-us-east1'];
  const all = streams.map((stream) => batches.store(stream, named(stream), { leisurely: true }));
  batches.flush();
  await Promise.all(all);
  assert.equal(appends, [1, 1]);
  for (const stream of streams) assert.is((await log.readStream(stream)).length, 1);
});

test('a batch is appended immediately when it has enough events', async () => {
  const { log, appends, append, clock } = stage();
  const batches = createBatches({ log: { ...log, append }, after: clock.after, limits: { enough: 3 } });
  await Promise.all(['a', 'b', 'c'].map((name) => batches.store(STREAM, named(name), { leisurely: true })));
  assert.equal(appends, [3]);
  assert.is((await log.readStream(STREAM)).length, 3);
});

test('a batch has at most the configured size and waits at most the configured time', async () => {
  const { appends, append, log, clock } = stage();
  const { store } = createBatches({ log: { ...log, append }, after: clock.after, limits: { events: 2, wait: 5 } });
  const three = Promise.all(['a', 'b', 'c'].map((name) => store(STREAM, named(name))));
  await settled();
  assert.equal(appends, [2]);
  await clock.advance(5);
  await three;
  assert.equal(appends, [2, 1]);
});

test('events of different streams do not share an append', async () => {
  const { appends, batches, clock } = stage();
  const both = Promise.all(['eu-west1', 'za-jnb1'].map((region) => batches.store(`pings-${region}`, named(region))));
  await clock.advance(20);
  await both;
  assert.equal(appends, [1, 1]);
});

test('events of one stream share an append', async () => {
  const { store, stored, appends } = stage();
  await store(['a', 'b', 'c']);
  assert.equal(await stored(), ids(['a', 'b', 'c']));
  assert.equal(appends, [3]);
});

test('a result that arrives twice is stored once', async () => {
  const { store, stored } = stage();
  await store(['a', 'b', 'a']);
  await store(['c', 'b', 'd']);
  assert.equal(await stored(), ids(['a', 'b', 'c', 'd']));
});

test('results are stored although another process has already stored one of them, at whichever index of the batch', async () => {
  for (const again of [
    ['a', 'd', 'e'],
    ['d', 'a', 'e'],
    ['d', 'e', 'b'],
  ]) {
    const { store, stored, restarted } = stage();
    await store(['a', 'b']);
    await store(again, restarted());
    assert.equal((await stored()).sort(), ids(['a', 'b', 'd', 'e']).sort(), again.join(' '));
  }
});

test('results are stored once although the response was lost and the log has forgotten their ids', async () => {
  const { batches, store, stored, clock, lose } = stage({ forgets: true });
  await store(['before']);
  lose(true);
  const both = Promise.all(['a', 'b'].map((name) => batches.store(STREAM, named(name))));
  await clock.advance(20);
  lose(false);
  await clock.advance(50);
  assert.equal(
    (await both).map(({ alreadyStored }) => alreadyStored),
    [true, true],
  );
  assert.equal(await stored(), ids(['before', 'a', 'b']));
});

test('the log is searched for repeated results whose outcome is unknown', async () => {
  const { batches, store, stored, clock, lose, silence, appends } = stage({ forgets: true });
  lose(true);
  silence(true);
  const lost = rejects(batches.store(STREAM, named('a')), StoreUnavailable);
  await clock.advance(5_000);
  await lost;
  lose(false);
  silence(false);
  appends.length = 0;
  assert.equal(await store(['b', 'a', 'c']), ['appended', 'stood', 'appended']);
  assert.equal((await stored()).sort(), ids(['a', 'b', 'c']).sort());
  assert.equal(appends, [2]);
});

test('the log is searched for results that another worker may have stored', async () => {
  const { store, stored, restarted } = stage({ forgets: true });
  await store(['a', 'b']);
  const slot = NOW - 5_000;
  assert.equal(await store(['b', 'c'], restarted(), slot), ['stood', 'appended']);
  assert.equal(await stored(), ids(['a', 'b', 'c']));
});

test('each result is returned with a position at or after that of its event, whether the event was appended or found in the log', async () => {
  const { log, batches, restarted, clock } = stage({ forgets: true });
  const both = Promise.all(['a', 'b'].map((name) => batches.store(STREAM, named(name))));
  await clock.advance(20);
  const end = (await log.readStream(STREAM)).at(-1)?.position;
  assert.equal(
    (await both).map(({ position }) => position),
    [end, end],
  );
  const other = restarted();
  const again = await Promise.all(['c', 'a'].map((name) => other.store(STREAM, named(name), { since: NOW })));
  const existing = new Map((await log.readStream(STREAM)).map(({ id, position }) => [id, position]));
  for (const [index, name] of ['c', 'a'].entries())
    assert.ok((again[index]?.position ?? 0n) >= (existing.get(derivedUuid(name)) ?? 0n), name);
});

test('one read of the log serves all results that arrive during another read', async () => {
  const { batches, stored, reads } = stage({ forgets: true });
  const names = Array.from({ length: 100 }, (_, number) => number.toString());
  await Promise.all(names.map((name) => batches.store(STREAM, named(name), { since: NOW })));
  assert.is(reads(), 2);
  assert.is((await stored()).length, 100);
});

test('the log is not searched for results that no other worker can have stored', async () => {
  const { store, reads } = stage({ forgets: true });
  await store(['a', 'b']);
  assert.is(reads(), 0);
});

test('each result gets its own outcome if a batch can not be stored as a whole', async () => {
  const log = createMemoryEventStore('results');
  const clock = fakeClock(0);
  await log.append(STREAM, [named('a')], 'any');
  const append: EventStore['append'] = async (stream, events, expected) => {
    if (events.length === 1 && events[0]?.id === derivedUuid('b')) throw new RangeError('b is refused');
    return log.append(stream, events, expected);
  };
  const { store } = createBatches({ log: { ...log, append }, after: clock.after });
  const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => store(STREAM, named(name))));
  await clock.advance(20);
  assert.equal(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

/** Creates an event whose data has `characters` characters. */
const long = (name: string, characters: number): NewEvent => {
  const event = named(name);
  return { ...event, data: { ...event.data, check_metadata: { text: 'x'.repeat(characters) } } };
};

test('a batch of results that is too large is split by size, and each result is measured once', async () => {
  const memory = createMemoryEventStore('results');
  const { clock } = stage();
  const appends: number[] = [];
  const append: EventStore['append'] = (stream, events, expected) => {
    appends.push(events.length);
    return memory.append(stream, events, expected);
  };
  const batches = createBatches({ log: { ...memory, append }, after: clock.after });
  const sizes = [262_144, 262_144, 262_144, 262_144, 1_000, 262_144, 700_000, 400_000, 10];
  const all = Promise.all(sizes.map((size, index) => batches.store(STREAM, long(index.toString(), size))));
  await clock.advance(20);
  await all;
  assert.equal(appends, [9, 3, 3, 1, 2]);
  assert.equal(
    (await memory.readStream(STREAM)).map(({ id }) => id),
    ids(sizes.map((_, index) => index.toString())),
  );
});

test('a result whose id is found in the log is compared with the stored result', async () => {
  const { log, batches, restarted, clock } = stage();
  const other = (name: string) => long(name, 1);
  const store = async (event: NewEvent, { store: by } = batches, since: number | null = null) => {
    const stored = by(STREAM, event, { since });
    await settled();
    await clock.advance(20);
    const { alreadyStored, differs } = await stored;
    return [alreadyStored, differs];
  };
  const first = named('a');
  assert.equal(await store(first), [false, false]);
  // Stores the same event again, and then an event with the same id but different data: both in this process, then both
  // in another.
  assert.equal(await store(first), [true, false]);
  assert.equal(await store(other('a')), [true, true]);
  assert.equal(await store(first, restarted(), NOW), [true, false]);
  assert.equal(await store(other('a'), restarted(), NOW), [true, true]);
  assert.is((await log.readStream(STREAM)).length, 1);
});

test.run();
