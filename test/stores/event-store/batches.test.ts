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
import { forgetful } from './forgetful.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

const STREAM = 'check_results-eu-west1';

const named = (name: string): NewEvent => ({ ...resultOf(CHECK), id: derivedUuid(name) });

const NOW = Date.parse('2026-11-20T15:00:10Z');

/** Batches over a log whose answers can be lost, and which forgets ids as an EventStoreDB that is started again. */
const stage = ({ forgets = false } = {}) => {
  const kept = createMemoryEventStore('results');
  const log = forgets ? forgetful(kept) : kept;
  const clock = fakeClock(NOW);
  let losing = false;
  let silent = false;
  let looks = 0;
  const appends: number[] = [];
  const append: EventStore['append'] = async (stream, events, expected) => {
    const appended = await log.append(stream, events, expected);
    appends.push(events.length);
    if (losing) throw new StoreUnavailable('The connection was lost.');
    return appended;
  };
  const readStream: EventStore['readStream'] = async (...asked) => {
    looks++;
    if (silent) throw new StoreUnavailable('The connection was lost.');
    return log.readStream(...asked);
  };
  const restarted = () => createBatches({ log: { append, readStream }, after: clock.after });
  const batches = restarted();
  return {
    log,
    append,
    batches,
    /** as another process has them: nothing is remembered */
    restarted,
    clock,
    appends,
    /** From now on events are stored, and nobody hears of it. */
    lose: (lost: boolean): void => {
      losing = lost;
    },
    /** From now on nothing can be read. */
    silence: (is: boolean): void => {
      silent = is;
    },
    /** how often the log was looked at */
    looks: () => looks,
    /** Stores events by their names, together. */
    store: async (names: string[], { store } = batches, since: number | null = null): Promise<string[]> => {
      const stored = Promise.all(names.map((name) => store(STREAM, named(name), { since })));
      await settled();
      await clock.advance(20);
      return (await stored).map(({ stood }) => (stood ? 'stood' : 'appended'));
    },
    stored: async (): Promise<string[]> => (await log.readStream(STREAM)).map(({ id }) => id),
  };
};

const ids = (names: string[]): string[] => names.map((name) => derivedUuid(name));

const test = suite('batches of results');

test('gather for longer what nobody waits for, until something comes that somebody does', async () => {
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

test('of several streams that nobody waits for go to the log at the same moment', async () => {
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

test('leave no timer behind when they went to the log before their time', async () => {
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

test('go to the log at once when they are flushed, those of all streams', async () => {
  const { batches, log, appends } = stage();
  batches.flush();
  const streams = [STREAM, 'check_results-us-east1'];
  const all = streams.map((stream) => batches.store(stream, named(stream), { leisurely: true }));
  batches.flush();
  await Promise.all(all);
  assert.equal(appends, [1, 1]);
  for (const stream of streams) assert.is((await log.readStream(stream)).length, 1);
});

test('go to the log at once when there are as many as wait for no others', async () => {
  const { log, appends, append, clock } = stage();
  const batches = createBatches({ log: { ...log, append }, after: clock.after, limits: { enough: 3 } });
  await Promise.all(['a', 'b', 'c'].map((name) => batches.store(STREAM, named(name), { leisurely: true })));
  assert.equal(appends, [3]);
  assert.is((await log.readStream(STREAM)).length, 3);
});

test('are at most as many an append, and wait at most as long, as is said', async () => {
  const { appends, append, log, clock } = stage();
  const { store } = createBatches({ log: { ...log, append }, after: clock.after, limits: { events: 2, wait: 5 } });
  const three = Promise.all(['a', 'b', 'c'].map((name) => store(STREAM, named(name))));
  await settled();
  assert.equal(appends, [2]);
  await clock.advance(5);
  await three;
  assert.equal(appends, [2, 1]);
});

test('of different streams do not share an append', async () => {
  const { appends, batches, clock } = stage();
  const both = Promise.all(['eu-west1', 'za-jnb1'].map((region) => batches.store(`pings-${region}`, named(region))));
  await clock.advance(20);
  await both;
  assert.equal(appends, [1, 1]);
});

test('go to the log with one append', async () => {
  const { store, stored, appends } = stage();
  await store(['a', 'b', 'c']);
  assert.equal(await stored(), ids(['a', 'b', 'c']));
  assert.equal(appends, [3]);
});

test('hold a result once that comes twice', async () => {
  const { store, stored } = stage();
  await store(['a', 'b', 'a']);
  await store(['c', 'b', 'd']);
  assert.equal(await stored(), ids(['a', 'b', 'c', 'd']));
});

test('are stored beside a result that another process has stored, wherever it comes among them', async () => {
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

test('are stored once though the answer was lost, and the log has forgotten their ids', async () => {
  const { batches, store, stored, clock, lose } = stage({ forgets: true });
  await store(['before']);
  lose(true);
  const both = Promise.all(['a', 'b'].map((name) => batches.store(STREAM, named(name))));
  await clock.advance(20);
  lose(false);
  await clock.advance(50);
  assert.equal(
    (await both).map(({ stood }) => stood),
    [true, true],
  );
  assert.equal(await stored(), ids(['before', 'a', 'b']));
});

test('are looked for when they come again after nobody could tell what became of them', async () => {
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

test('are looked for where another worker may have stored them', async () => {
  const { store, stored, restarted } = stage({ forgets: true });
  await store(['a', 'b']);
  const slot = NOW - 5_000;
  assert.equal(await store(['b', 'c'], restarted(), slot), ['stood', 'appended']);
  assert.equal(await stored(), ids(['a', 'b', 'c']));
});

test('tell where they stand at the furthest, be they appended or found', async () => {
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
  const standing = new Map((await log.readStream(STREAM)).map(({ id, position }) => [id, position]));
  for (const [index, name] of ['c', 'a'].entries())
    assert.ok((again[index]?.position ?? 0n) >= (standing.get(derivedUuid(name)) ?? 0n), name);
});

test('are looked for with one look for all that come while one is under way', async () => {
  const { batches, stored, looks } = stage({ forgets: true });
  const names = Array.from({ length: 100 }, (_, number) => number.toString());
  await Promise.all(names.map((name) => batches.store(STREAM, named(name), { since: NOW })));
  assert.is(looks(), 2);
  assert.is((await stored()).length, 100);
});

test('that nobody can have stored are not looked for', async () => {
  const { store, looks } = stage({ forgets: true });
  await store(['a', 'b']);
  assert.is(looks(), 0);
});

test('tell each what became of its own result when they are not stored together', async () => {
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

/** An event with a name that says so many characters. */
const long = (name: string, characters: number): NewEvent => {
  const event = named(name);
  return { ...event, data: { ...event.data, check_metadata: { text: 'x'.repeat(characters) } } };
};

test('that are too large together are parted by their sizes, and measured once', async () => {
  const kept = createMemoryEventStore('results');
  const { clock } = stage();
  const appends: number[] = [];
  const append: EventStore['append'] = (stream, events, expected) => {
    appends.push(events.length);
    return kept.append(stream, events, expected);
  };
  const batches = createBatches({ log: { ...kept, append }, after: clock.after });
  const sizes = [262_144, 262_144, 262_144, 262_144, 1_000, 262_144, 700_000, 400_000, 10];
  const all = Promise.all(sizes.map((size, index) => batches.store(STREAM, long(index.toString(), size))));
  await clock.advance(20);
  await all;
  assert.equal(appends, [9, 3, 3, 1, 2]);
  assert.equal(
    (await kept.readStream(STREAM)).map(({ id }) => id),
    ids(sizes.map((_, index) => index.toString())),
  );
});

test('tell of one that stood whether somebody else has stored another one with its id', async () => {
  const { log, batches, restarted, clock } = stage();
  const other = (name: string) => long(name, 1);
  const store = async (event: NewEvent, { store: by } = batches, since: number | null = null) => {
    const stored = by(STREAM, event, { since });
    await settled();
    await clock.advance(20);
    const { stood, another } = await stored;
    return [stood, another];
  };
  const first = named('a');
  assert.equal(await store(first), [false, false]);
  // In this process and in others, the same one and one that says something else.
  assert.equal(await store(first), [true, false]);
  assert.equal(await store(other('a')), [true, true]);
  assert.equal(await store(first, restarted(), NOW), [true, false]);
  assert.equal(await store(other('a'), restarted(), NOW), [true, true]);
  assert.is((await log.readStream(STREAM)).length, 1);
});

test.run();
