import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from '../../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExpectedRevision } from '../../../../stores/event-store/port.ts';
import { openForReading, openForWriting, type Connection } from '../../../../stores/event-store/sqlite/schema.ts';
import { createLogWriter, type AppendRequest, type LogWriter } from '../../../../stores/event-store/sqlite/writer.ts';
import { temporaryDirectory } from '../../temporary.ts';

interface Context {
  file: string;
  connections: Connection[];
  writer: LogWriter;
  /** makes the next COMMIT fail; `carriedOut`: whether SQLite executes the COMMIT nevertheless */
  failing: { carriedOut: boolean; refuseToOpen?: boolean } | null;
  /** maximum number of pages of the database */
  room: number | null;
  remove: () => void;
}

const { SqliteError } = Database;
const test = suite<Context>('the SQLite log writer');

test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  context.file = join(directory, 'events.db');
  context.connections = [];
  context.failing = null;
  context.room = null;
  context.remove = remove;
  context.writer = createLogWriter('main', () => {
    if (context.failing?.refuseToOpen) throw new SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
    const connection = failingBy(openForWriting(context.file), context);
    if (context.room !== null) connection.pragma(`max_page_count = ${context.room}`);
    context.connections.push(connection);
    return connection;
  });
});

test.after.each(({ writer, remove }) => {
  writer.close();
  remove();
});

const append = (
  stream: string,
  expected: ExpectedRevision,
  { ids = [randomUUID()], data = '{}' }: { ids?: string[]; data?: string } = {},
): AppendRequest => ({
  stream,
  expected,
  events: ids.map((id) => ({ id, type: 'ShipLoaded', data, metadata: '{}' })),
});

/** Returns the events that another connection reads, as `stream@revision`. */
const stored = (file: string): string[] => {
  const connection = openForReading(file);
  const rows = connection
    .prepare("SELECT name || '@' || revision FROM events JOIN streams USING (stream) ORDER BY position")
    .pluck()
    .all() as string[];
  connection.close();
  return rows;
};

test('a group of appends is committed together, and each append takes the previous ones of the group into account', ({
  writer,
  file,
}) => {
  const responses = writer.write([
    append('ship-1', 'no_stream', { ids: [randomUUID(), randomUUID()] }),
    append('ship-1', 'no_stream'),
    append('ship-2', 7n),
    append('ship-1', 1n),
    append('ship-2', 'any'),
    append('ship-3', 'stream_exists'),
  ]);
  assert.equal(responses, [
    { outcome: 'appended', revision: 1, position: 2 },
    { outcome: 'conflict', actual: 1 },
    { outcome: 'conflict', actual: -1 },
    { outcome: 'appended', revision: 2, position: 3 },
    { outcome: 'appended', revision: 0, position: 4 },
    { outcome: 'conflict', actual: -1 },
  ]);
  assert.equal(stored(file), ['ship-1@0', 'ship-1@1', 'ship-1@2', 'ship-2@0']);
});

test('appends that arrive during a commit share the next commit', (context) => {
  const { writer, file } = context;
  const write = (): string[] => {
    const later = [[append('ship-1', 'any'), append('ship-2', 'any')], [append('ship-2', 'no_stream')]];
    return writer.write([append('ship-1', 'any')], () => later.shift() ?? []).map(({ outcome }) => outcome);
  };
  context.failing = { carriedOut: false };
  assert.equal(write(), ['unavailable', 'unavailable', 'unavailable', 'unavailable']);
  assert.equal(stored(file), []);
  assert.equal(write(), ['appended', 'appended', 'appended', 'conflict']);
  assert.equal(stored(file), ['ship-1@0', 'ship-1@1', 'ship-2@0']);
});

test('an append that fails half-way is rolled back, and the other appends of its group are committed', ({
  writer,
  file,
  connections,
}) => {
  connections[0]?.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON events WHEN new.data = 'broken' BEGIN SELECT raise(ABORT, 'broken'); END",
  );
  const broken = append('ship-2', 'no_stream', { ids: [randomUUID(), randomUUID()] });
  const half = {
    ...broken,
    events: broken.events.map((event, index) => ({ ...event, data: index ? 'broken' : '{}' })),
  };
  const responses = writer.write([append('ship-1', 'no_stream'), half, append('ship-1', 0n), append('ship-2', 'any')]);
  assert.equal(
    responses.map(({ outcome }) => outcome),
    ['appended', 'unavailable', 'appended', 'appended'],
  );
  assert.equal(stored(file), ['ship-1@0', 'ship-1@1', 'ship-2@0']);
  assert.is(writer.failure, "The log main can't be written: broken.");
});

test('no position is reused, even when the newest events are deleted', ({ writer, connections }) => {
  writer.write([append('ship-1', 'any'), append('ship-2', 'any')]);
  connections[0]?.exec('DELETE FROM events WHERE position = 2');
  assert.equal(writer.write([append('ship-3', 'any')]), [{ outcome: 'appended', revision: 0, position: 3 }]);
});

test('a repeated append that expects any revision is recognized, even after a restart', ({ writer, file }) => {
  const batch = append('ship-1', 'any', { ids: [randomUUID(), randomUUID()] });
  const first = writer.write([append('ship-1', 'any'), batch])[1];
  writer.write([append('ship-1', 'any')]);
  assert.equal(writer.write([batch]), [first]);
  const later = createLogWriter('main', () => openForWriting(file));
  assert.equal(later.write([batch]), [first]);
  later.close();
});

test('the log writer notices writes of another connection', ({ writer, file }) => {
  writer.write([append('ship-1', 'no_stream')]);
  const other = createLogWriter('main', () => openForWriting(file));
  other.write([append('ship-1', 0n), append('ship-2', 'no_stream')]);
  other.close();
  assert.equal(writer.write([append('ship-1', 0n), append('ship-2', 'no_stream'), append('ship-1', 1n)]), [
    { outcome: 'conflict', actual: 1 },
    { outcome: 'conflict', actual: 0 },
    { outcome: 'appended', revision: 2, position: 4 },
  ]);
});

for (const [what, carriedOut] of [
  ['was carried out', true],
  ['was not carried out', false],
] as const) {
  test(`after a COMMIT that reported an error and ${what}, the result of each append depends on whether its events are in the log`, (context) => {
    const { writer, file, connections } = context;
    const before = append('ship-1', 'no_stream');
    const [first] = writer.write([before]);
    context.failing = { carriedOut };
    const responses = writer.write([
      append('ship-1', 0n),
      append('ship-2', 'any', { ids: [randomUUID(), randomUUID()] }),
      append('ship-2', 'no_stream'),
      append('ship-1', 1n),
    ]);
    const lost = { outcome: 'unavailable', message: "The log main can't be written: disk I/O error." };
    if (carriedOut) {
      assert.equal(responses, [
        { outcome: 'appended', revision: 1, position: 2 },
        { outcome: 'appended', revision: 1, position: 4 },
        // This append conflicts with the previous append, whose outcome is unknown at that time. So the outcome of this
        // append is unknown too.
        lost,
        { outcome: 'appended', revision: 2, position: 5 },
      ]);
      assert.equal(stored(file), ['ship-1@0', 'ship-1@1', 'ship-2@0', 'ship-2@1', 'ship-1@2']);
    } else {
      assert.equal(responses, [lost, lost, lost, lost]);
      assert.equal(stored(file), ['ship-1@0']);
    }
    assert.is(writer.failure, lost.message);
    assert.is(connections.length, 2);
    assert.not(connections[0]?.open);
    assert.equal(writer.write([before]), [first]);
    const [next] = writer.write([append('ship-3', 'no_stream')]);
    assert.is(next?.outcome, 'appended');
    assert.is(writer.failure, null);
  });
}

test('the log writer resumes automatically once a log can be opened again', (context) => {
  const { writer } = context;
  context.failing = { carriedOut: true, refuseToOpen: true };
  const request = append('ship-1', 'no_stream');
  assert.is(writer.write([request])[0]?.outcome, 'unavailable');
  assert.is(writer.write([request])[0]?.outcome, 'unavailable');
  assert.not(writer.probe());
  context.failing = null;
  assert.ok(writer.probe());
  assert.equal(writer.write([request]), [{ outcome: 'appended', revision: 0, position: 1 }]);
});

test('appends are refused while the disk is full, acknowledged events stay stored, and appends succeed again when there is space', (context) => {
  const { writer, file, connections } = context;
  const makeRoom = (pages: number): void => {
    const used = connections.at(-1)?.pragma('page_count', { simple: true }) as number;
    context.room = used + pages;
    connections.at(-1)?.pragma(`max_page_count = ${context.room}`);
  };
  writer.write([append('ship-1', 'no_stream')]);
  makeRoom(0);
  const large = append('ship-2', 'no_stream', { data: JSON.stringify('x'.repeat(50_000)) });
  assert.equal(
    writer.write([append('ship-1', 0n), large]).map(({ outcome }) => outcome),
    ['unavailable', 'unavailable'],
  );
  assert.is(writer.failure, "The log main can't be written: database or disk is full.");
  assert.equal(stored(file), ['ship-1@0']);
  assert.not(writer.probe());
  assert.is(writer.write([append('ship-1', 'no_stream')])[0]?.outcome, 'conflict');
  assert.is.not(writer.failure, null);

  makeRoom(100);
  assert.ok(writer.probe());
  assert.is(writer.failure, null);
  assert.equal(writer.write([large]), [{ outcome: 'appended', revision: 0, position: 2 }]);
  assert.equal(stored(file), ['ship-1@0', 'ship-2@0']);
});

test('committed events are copied from the WAL into the database file', ({ writer, connections }) => {
  const waiting = (): number => {
    const [state] = connections[0]?.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
    return state.log - state.checkpointed;
  };
  const data = JSON.stringify('x'.repeat(500_000));
  for (let index = 0; index < 10; index++) writer.write([append('ship-1', 'any', { data })]);
  assert.ok(waiting() > 1_000);
  writer.checkpoint();
  assert.is(waiting(), 0);
});

/** Wraps a connection so that its COMMIT fails as the context says. */
const failingBy = (connection: Connection, context: Context): Connection => {
  const prepare = connection.prepare.bind(connection);
  connection.prepare = ((sql: string) => {
    const statement = prepare(sql);
    if (sql !== 'COMMIT') return statement;
    return {
      run: () => {
        const { failing } = context;
        if (!failing) return statement.run();
        if (!failing.refuseToOpen) context.failing = null;
        if (failing.carriedOut) statement.run();
        throw new SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
      },
    };
  }) as typeof connection.prepare;
  return connection;
};

test.run();
