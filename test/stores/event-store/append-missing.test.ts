import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../../domain/event.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf, MINUTE_MS } from '../../../domain/time.ts';
import { appendMissing } from '../../../stores/event-store/append-missing.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { UnknownEvent, type EventStore } from '../../../stores/event-store/port.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { forgetfulStore } from './forgetful-store.ts';

const STREAM = 'check_results-eu-west1';
const NOW = Date.parse('2026-11-20T15:00:00Z');

const named = (name: string, at = NOW): NewEvent => {
  const event = resultOf('check0000001');
  return { ...event, id: derivedUuid(name), metadata: { ...event.metadata, recorded_at: instantOf(at) } };
};
const ids = (...names: string[]): string[] => names.map((name) => derivedUuid(name));
const stored = async (log: EventStore): Promise<string[]> => (await log.readStream(STREAM)).map(({ id }) => id);

/** Creates a log that has forgotten earlier ids, with one event per second up to now. */
const filled = async (names: readonly string[]): Promise<EventStore> => {
  const log = forgetfulStore(createMemoryEventStore('results'));
  const events = names.map((name, index) => named(name, NOW - (names.length - index) * 1_000));
  for (let from = 0; from < events.length; from += 500) {
    await log.append(STREAM, events.slice(from, from + 500), 'any');
  }
  return log;
};

const many = (count: number): string[] => Array.from({ length: count }, (_, number) => number.toString());

const test = suite('appendMissing');

test('appendMissing appends to an absent stream, and to a stream that has none of the events', async () => {
  const log = await filled([]);
  await appendMissing(log, STREAM, [named('a')], NOW);
  const { stored: stood, last } = await appendMissing(log, STREAM, [named('b'), named('c')], NOW);
  assert.equal([stood.size, last.revision], [0, 2n]);
  assert.equal(await stored(log), ids('a', 'b', 'c'));
});

test('appendMissing leaves out stored events, and returns the position of the last event', async () => {
  const log = await filled(['a', 'b', 'c']);
  const some = await appendMissing(log, STREAM, [named('b'), named('x'), named('a')], NOW);
  assert.equal([[...some.stored].sort(), some.last.revision], [ids('a', 'b').sort(), 0n]);
  assert.equal(await stored(log), ids('a', 'b', 'c', 'x'));
  const all = await appendMissing(log, STREAM, [named('a'), named('x')], NOW);
  assert.equal([all.stored.size, all.last.revision], [2, 3n]);
});

test('appendMissing reads backwards only as far as an event of the given time can be', async () => {
  const log = await filled(['old', ...many(3_000)]);
  const again = (since: number) => appendMissing(log, STREAM, [named('old')], since);
  assert.is((await again(NOW - 50 * MINUTE_MS)).stored.size, 1);
  let read = 0;
  const counting: EventStore = {
    ...log,
    readStream: async (...parameters) => {
      const page = await log.readStream(...parameters);
      read += page.length;
      return page;
    },
  };
  await appendMissing(counting, STREAM, [named('new')], NOW - MINUTE_MS);
  assert.ok(read < 1_500, `${read} events were read`);
});

test('appendMissing notices events that are appended between its read and its append, and does not store any of them twice', async () => {
  const log = await filled(['a']);
  let reads = 0;
  const raced: EventStore = {
    ...log,
    readStream: async (...parameters) => {
      const page = await log.readStream(...parameters);
      // During the first read, two events are stored: `b` by a slow worker that was assumed dead, and `other` by
      // another worker.
      if (++reads === 1) await log.append(STREAM, [named('other'), named('b')], 'any');
      return page;
    },
  };
  const { stored: stood } = await appendMissing(raced, STREAM, [named('b'), named('c')], NOW);
  assert.equal([...stood], ids('b'));
  assert.equal(await stored(log), ids('a', 'other', 'b', 'c'));
});

test('appendMissing succeeds even if other writers append all the time', async () => {
  const log = await filled(['a']);
  let others = 0;
  const busy: EventStore = {
    ...log,
    append: async (stream, events, expected) => {
      await log.append(STREAM, [named(`other ${++others}`)], 'any');
      return log.append(stream, events, expected);
    },
  };
  await appendMissing(busy, STREAM, [named('b')], NOW);
  assert.equal((await stored(log)).at(-1), derivedUuid('b'));
});

test('appendMissing appends events one by one if the store still remembers the id of an event that was stored long ago', async () => {
  const log = createMemoryEventStore('results');
  await log.append(STREAM, [named('old', NOW - 60 * MINUTE_MS)], 'any');
  await log.append(
    STREAM,
    many(1_200).map((name) => named(name)),
    'any',
  );
  let others = 0;
  const busy: EventStore = {
    ...log,
    append: async (stream, events, expected) => {
      if (expected !== 'any') await log.append(STREAM, [named(`other ${++others}`)], 'any');
      return log.append(stream, events, expected);
    },
  };
  await appendMissing(busy, STREAM, [named('b'), named('old')], NOW);
  const all = await stored(log);
  assert.is(all.filter((id) => id === derivedUuid('old')).length, 1);
  assert.ok(all.includes(derivedUuid('b')));
});

test('appendMissing loses no event if the store remembers the id of an event from long ago, and the last event is already stored', async () => {
  const log = createMemoryEventStore('results');
  const long = many(200).map((name) => named(name, NOW - 30 * MINUTE_MS));
  await log.append(STREAM, [named('old', NOW - 60 * MINUTE_MS), ...long, named('last')], 'any');
  let others = 0;
  const busy: EventStore = {
    ...log,
    append: async (stream, events, expected) => {
      if (expected !== 'any') await log.append(STREAM, [named(`other ${++others}`)], 'any');
      return log.append(stream, events, expected);
    },
  };
  const {
    stored: stood,
    last,
    upTo,
  } = await appendMissing(busy, STREAM, [named('b'), named('old'), named('last')], NOW);
  const existing = new Map(
    (await log.readStream(STREAM)).map(({ id, revision, position }) => [id, { revision, position }]),
  );
  assert.ok(existing.has(derivedUuid('b')));
  assert.equal([...stood], ids('last'));
  assert.equal(last, existing.get(derivedUuid('last')));
  assert.is(upTo, existing.get(derivedUuid('b'))?.position);
});

test('appendMissing works if the beginning of the stream is past retention, or if a newer release has written to the stream', async () => {
  for (const unreadable of [
    () => [],
    (event: never) => {
      throw new UnknownEvent(event);
    },
  ]) {
    const log = await filled(['a']);
    const [event] = await log.readStream(STREAM);
    const blind: EventStore = { ...log, readStream: async () => unreadable(event as never) };
    await appendMissing(blind, STREAM, [named('b')], NOW);
    assert.equal(await stored(log), ids('a', 'b'));
  }
});

test('appendMissing leaves out events found before an event of a newer release', async () => {
  const names = many(150);
  const log = await filled(names);
  const [oldest] = await log.readStream(STREAM, { limit: 1 });
  const readStream: EventStore['readStream'] = async (stream, options) => {
    const page = await log.readStream(stream, options);
    if (page.some(({ revision }) => revision === 0n)) throw new UnknownEvent(oldest as never);
    return page;
  };
  const { stored: stood } = await appendMissing(
    { ...log, readStream },
    STREAM,
    [named('149'), named('new')],
    NOW - MINUTE_MS,
  );
  assert.equal([...stood], ids('149'));
  assert.equal(await stored(log), ids(...names, 'new'));
});

test.run();
