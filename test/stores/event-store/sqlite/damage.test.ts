import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from '../../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../../../domain/event.ts';
import { DamagedEvent } from '../../../../stores/event-store/port.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { event, newStream, takeEvents } from '../../../contracts/event-store/events.ts';
import { randomFrom } from '../../../contracts/random.ts';
import { rejects } from '../../../rejects.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { asWithoutChecksums, copyWithFlippedBit, readUpToDamage } from './damage.ts';

interface Context {
  file: string;
  copy: string;
  remove: () => void;
}

const SEED = 20_261_122;
const FLIPS = 300;
const STREAMS = 40;

const test = suite<Context>('a damaged SQLite log');

test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  Object.assign(context, { file: join(directory, 'log.db'), copy: join(directory, 'copy.db'), remove });
});
test.after.each(({ remove }) => {
  remove();
});

const opened = (file: string, mode: 'reader' | 'appender' = 'appender', name: 'main' | 'results' = 'main') =>
  openSqliteEventStore({ file, name, mode });

const LOGS = {
  main: {
    streams: Array.from({ length: STREAMS }, () => newStream()),
    make: (number: number): NewEvent => event(number, { text: 'ä'.repeat(40) }),
  },
  results: {
    streams: Array.from({ length: STREAMS }, (_, region) => `check_results-region${region}`),
    make: (number: number) => resultOf('check0000001', number * 60_000),
  },
};

/** Appends events to many streams in turn. */
const fill = async (store: SqliteEventStore, name: 'main' | 'results', count: number, from = 0): Promise<void> => {
  const random = randomFrom(SEED);
  const { streams, make } = LOGS[name];
  for (let number = from; number < from + count; number++) {
    await store.append(random.pick(streams), [make(number)], 'any');
  }
};

for (const name of ['main', 'results'] as const) {
  test(`whichever bit of the file is flipped, reads of the ${name} log return correct events or report the damage`, async ({
    file,
    copy,
  }) => {
    const { streams } = LOGS[name];
    const whole = await opened(file, 'appender', name);
    await fill(whole, name, 400);
    const { events } = await readUpToDamage(whole);
    const ofStreams = await Promise.all(streams.map((stream) => whole.readStream(stream)));
    await whole.close();

    const random = randomFrom(SEED);
    const bits = statSync(file).size * 8;
    for (let flip = 0; flip < FLIPS; flip++) {
      const bit = random.below(bits);
      const where = `seed ${SEED}, bit ${bit}`;
      copyWithFlippedBit(file, copy, bit);
      const store = await opened(copy, 'reader', name).catch((error: unknown) => String(error));
      if (typeof store === 'string') {
        assert.match(store, copy, where);
        continue;
      }
      const read = await readUpToDamage(store);
      assert.ok(isDeepStrictEqual(read.events, events.slice(0, read.events.length)), where);
      if (read.error === null) assert.is(read.events.length, events.length, where);
      else assert.instance(read.error, DamagedEvent, where);
      for (const [index, stream] of streams.entries()) {
        const direction = random.pick(['forwards', 'backwards'] as const);
        const found = await store.readStream(stream, { direction }).catch((error: unknown) => error);
        if (!Array.isArray(found)) assert.instance(found, DamagedEvent, where);
        else if (direction === 'backwards') found.reverse();
        assert.ok(!Array.isArray(found) || isDeepStrictEqual(found, ofStreams[index]), `${where}, ${stream}`);
      }
      await store.close();
    }
  });
}

/** Changes the stored data directly in the file. */
const change = (file: string, sql: string): void => {
  const connection = new Database(file);
  connection.exec(sql);
  connection.close();
};

test('a read returns the events before a damaged event, and then an error that names file, position and stream', async ({
  file,
}) => {
  const store = await opened(file);
  await fill(store, 'main', 30);
  const events = await store.readAll({ after: 0n });
  change(file, "UPDATE events SET data = data || ' ' WHERE position = 21");
  const stream = events[20]?.stream ?? '';
  const message = `The event at position 21 of stream ${stream} in ${file} is damaged: its checksum differs.`;

  assert.equal(await store.readAll({ after: 0n }), events.slice(0, 20));
  assert.equal(await store.readAll({ after: 0n, categories: ['ship'] }), events.slice(0, 20));
  assert.equal(await takeEvents(store, 20, { after: 0n }), events.slice(0, 20));
  await rejects(store.readAll({ after: 20n }), DamagedEvent, message);
  await rejects(store.readAll({ after: 20n, categories: ['harbour'] }), DamagedEvent, message);
  await rejects(store.readStream(stream), DamagedEvent, message);
  await rejects(takeEvents(store, 1, { after: 20n }), DamagedEvent, message);
  // Reads that do not need the damaged event succeed.
  assert.equal(await store.readAll({ after: 21n }), events.slice(21));
  await store.close();
});

test('missing events in the middle of the log, at its end and in a stream are reported', async ({ file, copy }) => {
  const store = await opened(file);
  const stream = newStream();
  for (let number = 0; number < 5; number++) await store.append(stream, [event(number)], 'any');
  await store.append(newStream(), [event()], 'any');
  await store.close();
  for (const [sql, global, ofStream] of [
    ['DELETE FROM events WHERE position = 3', 'position 3', 'revision 2 of stream'],
    ['DELETE FROM events WHERE position = 1', 'position 1', 'revision 0 of stream'],
    ['DELETE FROM events WHERE position = 6', 'position 6', null],
  ] as const) {
    copyFileSync(file, copy);
    change(copy, sql);
    const damaged = await opened(copy, 'reader');
    const { error } = await readUpToDamage(damaged);
    assert.instance(error, DamagedEvent);
    assert.match((error as Error).message, `The event at ${global} in ${copy} is missing.`);
    if (ofStream !== null) await rejects(damaged.readStream(stream), DamagedEvent, new RegExp(ofStream));
    await damaged.close();
  }
});

test('an append is refused on a stream whose newest event is damaged, and on no other stream', async ({ file }) => {
  const store = await opened(file);
  const [one, other] = [newStream(), newStream()];
  await store.append(one, [event()], 'no_stream');
  await store.append(other, [event()], 'no_stream');
  await store.close();
  change(file, 'DELETE FROM events WHERE position = 1');
  const again = await openSqliteEventStore({ file, name: 'main', mode: 'service' });
  const responses = await Promise.allSettled([
    again.append(one, [event()], 'no_stream'),
    again.append(other, [event()], 0n),
  ]);
  assert.equal(
    responses.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  await rejects(again.append(one, [event()], 'any'), DamagedEvent, /is damaged where ship-/);
  assert.is((await again.health()).writable, true);
  await again.close();
});

test('a log without checksums is migrated immediately, and later events have checksums', async ({ file }) => {
  const before = await opened(file, 'appender', 'results');
  await fill(before, 'results', 20);
  const events = await before.readAll({ after: 0n });
  await before.close();
  asWithoutChecksums(file);

  const store = await opened(file, 'appender', 'results');
  assert.equal(await store.readAll({ after: 0n }), events);
  await fill(store, 'results', 5, 20);
  assert.is((await store.readAll({ after: 0n })).length, 25);
  await store.close();
  // An event whose checksum was removed must not be accepted as an event from a release without checksums.
  change(file, 'UPDATE events SET encoding = encoding % 16 WHERE position = 23');
  const damaged = await opened(file, 'reader', 'results');
  assert.is((await damaged.readAll({ after: 0n })).length, 22);
  await rejects(damaged.readAll({ after: 22n }), DamagedEvent, /^The event at position 23 of stream check_results-/);
  await damaged.close();
});

test('retention leaves a damaged event in place, and continues after it', async ({ file }) => {
  const store = await openSqliteEventStore({ file, name: 'results', mode: 'service' });
  const stream = 'check_results-ru-central1';
  await store.append(
    stream,
    [0, 1, 2, 3].map((minute) => resultOf('check0000001', minute * 60_000)),
    'any',
  );
  change(file, "UPDATE events SET data = x'00' WHERE position = 2");
  assert.is(await store.removeBefore('9999-01-01T00:00:00.000000', new AbortController().signal), 2);
  assert.equal(await store.readAll({ after: 2n }), await store.readAll({ after: 3n }));
  await rejects(store.readAll({ after: 0n }), DamagedEvent, /position 2 of/);
  await store.close();
});

test.run();
