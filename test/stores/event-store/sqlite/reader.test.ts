import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { createLogReader } from '../../../../stores/event-store/sqlite/reader.ts';
import { openForReading, openForWriting } from '../../../../stores/event-store/sqlite/schema.ts';
import { event, events, harbourEvent, ids, newStream, takeEvents } from '../../../contracts/event-store/events.ts';
import { rejects } from '../../../rejects.ts';
import { openTemporary } from './temporary.ts';
import type { OpenedEventStore } from '../../../contracts/event-store.ts';
import { StoreUnavailable } from '../../../../stores/event-store/port.ts';

const test = suite<{ opened: OpenedEventStore; store: EventStore; file: string }>('a reader of a SQLite log');

test.before.each(async (context) => {
  context.opened = await openTemporary((file) => {
    context.file = file;
    return openSqliteEventStore({ file, name: 'main', mode: 'appender' });
  });
  context.store = context.opened.store;
});
test.after.each(({ opened }) => opened.dispose());

/** Appends events of ships, 500 per append, to fill the log quickly. */
const appendShips = async (store: EventStore, count: number): Promise<void> => {
  const stream = newStream();
  for (let appended = 0; appended < count; appended += 500) await store.append(stream, events(500), 'any');
};

test('a SQLite reader finds the few events of a category among very many others', async ({ store }) => {
  const harbours = [harbourEvent(1), harbourEvent(2)];
  await appendShips(store, 11_000);
  await store.append(newStream('harbour'), harbours.slice(0, 1), 'no_stream');
  await appendShips(store, 11_000);
  await store.append(newStream('harbour'), harbours.slice(1), 'no_stream');
  assert.equal(ids(await store.readAll({ after: 0n, categories: ['harbour'] })), ids(harbours));
  assert.equal(ids(await store.readAll({ after: 0n, categories: ['harbour'], limit: 1 })), ids(harbours.slice(0, 1)));
  assert.equal(ids(await takeEvents(store, 2, { after: 0n, categories: ['harbour'] })), ids(harbours));
});

test('a SQLite reader scans a bounded part of the log per call, however few events match', async ({ store, file }) => {
  await appendShips(store, 11_000);
  await store.append(newStream('harbour'), [harbourEvent()], 'no_stream');
  const connection = openForReading(file);
  const reader = createLogReader(connection);
  const first = reader.scan(0n, ['harbour'], 1_000);
  assert.equal(first.events, []);
  assert.ok(first.upTo >= 1_000n && first.upTo < 5_000n);
  assert.is(reader.scan(10_000n, ['harbour'], 1_000).events.length, 1);
  connection.close();
});

test('a SQLite reader finds events of a category that had none at its first read', async ({ store }) => {
  await appendShips(store, 500);
  assert.equal(await store.readAll({ after: 0n, categories: ['harbour'] }), []);
  assert.is((await store.readAll({ after: 0n })).length, 500);
  const opened = harbourEvent();
  await store.append(newStream('harbour'), [opened], 'no_stream');
  assert.equal(ids(await store.readAll({ after: 0n, categories: ['harbour'] })), [opened.id]);
});

test('a SQLite reader skips a gap left by retention, however wide', async ({ store, file }) => {
  await appendShips(store, 1_000);
  const connection = openForWriting(file);
  connection.exec('DELETE FROM events WHERE position BETWEEN 11 AND 900; UPDATE bounds SET removed = 900');
  connection.close();
  const found = await store.readAll({ after: 0n, categories: ['ship'], limit: 100_000 });
  assert.equal(
    found.slice(9, 11).map(({ position }) => position),
    [10n, 901n],
  );
  assert.is(found.length, 110);
});

test('a SQLite log opened for reading refuses appends with an error message', async ({ file }) => {
  const reader = await openSqliteEventStore({ file, name: 'main', mode: 'reader' });
  const message = 'The log main is open for reading only.';
  await rejects(reader.append(newStream(), [event()], 'any'), StoreUnavailable, message);
  assert.equal(await reader.health(), { writable: false, message });
  await reader.close();
});

test('a SQLite reader finds events of a stream by an index, and reads the global order by position', ({ file }) => {
  const connection = openForReading(file);
  const plan = (sql: string): string =>
    connection
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');
  assert.match(
    plan('SELECT data FROM events WHERE stream = 1 AND revision >= 5 ORDER BY revision'),
    /INDEX events_by_stream/,
  );
  assert.match(
    plan('SELECT data FROM events WHERE position > 1 ORDER BY position'),
    /^SEARCH events USING INTEGER PRIMARY KEY \(rowid>\?\)$/,
  );
  connection.close();
});

test.run();
