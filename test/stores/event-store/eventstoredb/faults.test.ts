import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../../../domain/event.ts';
import { openEventStoreDb } from '../../../../stores/event-store/eventstoredb/open.ts';
import { StoreUnavailable, type EventStore } from '../../../../stores/event-store/port.ts';
import { event, events, everythingAfter, ids, newStream } from '../../../contracts/event-store/events.ts';
import { startOwnEventStoreDb } from '../../../servers/eventstoredb/started.ts';
import { rejects } from '../../../rejects.ts';
import { startDouble } from '../../../servers/eventstoredb/server.ts';
import { openProxy } from '../../../servers/proxy.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { followInBackground, withDouble } from './opened-double.ts';
import { eventually, realPause } from '../../../waiting.ts';

const test = suite('the log on a faulty EventStoreDB');

/** Appends with retries, with the same ids, until the outcome is known. */
const insist = async (store: EventStore, stream: string, batch: readonly NewEvent[]): Promise<void> => {
  await eventually(async () => {
    try {
      return await store.append(stream, batch, 'no_stream');
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  });
};

test(
  'an append whose connection broke has an unknown outcome, and repeating the append returns the outcome',
  withDouble(async ({ main, server }) => {
    const stream = newStream();
    const batch = events(3);
    server.faults.dropsAfterStoring = 1;
    await rejects(main.append(stream, batch, 'no_stream'), StoreUnavailable);
    await insist(main, stream, batch);
    assert.equal(ids(await main.readStream(stream)), ids(batch));
    assert.equal(await main.append(stream, batch, 'no_stream'), await main.append(stream, batch, 'no_stream'));
  }),
);

test(
  'the broken connection of one append does not affect other appends',
  withDouble(async ({ main, server }) => {
    const streams = Array.from({ length: 20 }, () => newStream());
    server.faults.dropsAfterStoring = 2;
    await Promise.all(streams.map((stream) => insist(main, stream, [event()])));
    assert.is((await main.readAll({ after: 0n })).length, 20);
  }),
);

test(
  'a call to a silent EventStoreDB fails, and calls work again when the server responds',
  withDouble(
    async ({ main, server }) => {
      const [stream, later] = [newStream(), newStream()];
      await insist(main, stream, [event()]);
      server.faults.goSilent();
      await Promise.all([
        rejects(main.append(stream, [event()], 0n), StoreUnavailable),
        rejects(main.readStream(stream), StoreUnavailable),
        rejects(main.readAll({ after: 0n }), StoreUnavailable),
      ]);
      assert.is((await main.health()).writable, false);
      server.faults.endSilence();
      await insist(main, later, [event()]);
      assert.equal(await main.health(), { writable: true, message: null });
    },
    { appendDeadline: 300, readSilence: 300 },
  ),
);

test('a connection to EventStoreDB that died silently is replaced', async () => {
  const server = await startDouble();
  const proxy = await openProxy({ port: server.port });
  const url = `esdb://127.0.0.1:${proxy.port}?tls=false`;
  const { main, close } = openEventStoreDb(url, { appendDeadline: 300, patience: 100 });
  const { seen, stop } = followInBackground(main);
  const [before, after] = [event(), event()];
  await insist(main, newStream(), [before]);
  await eventually(() => seen.length === 1);
  proxy.halfOpen();
  await insist(main, newStream(), [after]);
  await eventually(() => seen.length === 2);
  assert.equal(ids(seen), ids([before, after]));
  await stop();
  await close();
  await proxy.close();
  await server.close();
});

test('acknowledged appends survive kill -9 of EventStoreDB, and appends continue when the server is back', async () => {
  const { directory, remove } = temporaryDirectory();
  const server = await startOwnEventStoreDb(directory);
  const { main, close } = openEventStoreDb(`esdb://127.0.0.1:${server.port}?tls=false`);
  const { seen, stop } = followInBackground(main);
  const appended = events(300);
  const queue = [...appended];
  const write = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await insist(main, newStream(), [next]);
  };
  const writing = Promise.all(Array.from({ length: 8 }, write));
  await eventually(() => queue.length < 200);
  await server.end('SIGKILL');
  await server.again();
  await writing;
  await eventually(() => seen.length >= appended.length);
  assert.equal(ids(seen).sort(), ids(appended).sort());
  assert.equal(ids(await everythingAfter(main, 0n)), ids(seen));
  await stop();
  await close();
  await server.end('SIGTERM');
  remove();
});

test(
  'all operations are correct when every response of EventStoreDB is slow',
  withDouble(async ({ main, server }) => {
    server.faults.delay = 30;
    const { seen, stop } = followInBackground(main);
    const [stream, batch] = [newStream(), events(5)];
    for (const [index, each] of batch.entries()) {
      await main.append(stream, [each], index === 0 ? 'no_stream' : BigInt(index - 1));
    }
    await eventually(() => seen.length === 5);
    assert.equal(ids(seen), ids(batch));
    await stop();
  }),
);

test(
  'an append goes to the leader when a node refuses it as a follower',
  withDouble(async ({ main, server }) => {
    const leader = await startDouble({ log: server.log });
    try {
      server.faults.leader = { host: '127.0.0.1', port: leader.port };
      const stream = newStream();
      await main.append(stream, events(2), 'no_stream');
      assert.is((await main.readStream(stream)).length, 2);
      assert.is(leader.faults.appends, 1);
    } finally {
      await leader.close();
    }
  }),
);

test('the leader of a cluster is found through any node', async () => {
  const leader = await startDouble();
  const follower = await startDouble({ log: leader.log });
  follower.faults.leader = { host: '127.0.0.1', port: leader.port };
  const { main, close } = openEventStoreDb(`esdb+discover://127.0.0.1:${follower.port}?tls=false`);
  await main.append(newStream(), [event()], 'no_stream');
  assert.equal([leader.faults.appends, follower.faults.appends], [1, 0]);
  await close();
  await Promise.all([leader.close(), follower.close()]);
});

for (const [what, harm] of [
  ['was closed by the server', 'closeSubscriptions'],
  ['lost its connection', 'dropConnections'],
] as const) {
  test(
    `a subscription that ${what} resumes, with each event once and in order`,
    withDouble(async ({ main, server }) => {
      const { seen, stop } = followInBackground(main);
      const appended: NewEvent[] = [];
      for (let round = 0; round < 4; round++) {
        const batch = events(50);
        appended.push(...batch);
        await insist(main, newStream(), batch);
        if (round % 2 === 0) await eventually(() => seen.length > 0);
        server[harm]();
      }
      await eventually(() => seen.length >= appended.length);
      assert.equal(ids(seen), ids(appended));
      await stop();
    }),
  );
}

test(
  'a subscription that has gone silent is detected and resumed',
  withDouble(async ({ main, server }) => {
    const { seen, stop } = followInBackground(main);
    const first = event();
    await main.append(newStream(), [first], 'no_stream');
    await eventually(() => seen.length === 1);
    server.faults.goSilent();
    // This event is written directly to the log of the server, so the silent subscription never receives it.
    const missed = { id: randomUUID(), type: 'ShipSailed', contentType: 'application/json' };
    const [data, metadata] = [Buffer.from('{"number":2}'), Buffer.from('{"schema_version":1}')];
    server.log.append(newStream(), [{ ...missed, data, metadata }], 'any');
    server.faults.endSilence();
    await eventually(() => seen.length === 2);
    assert.equal(ids(seen), [first.id, missed.id]);
    await stop();
  }),
);

test(
  'a subscription that gets no new events is not reopened',
  withDouble(
    async ({ main, server }) => {
      const { seen, stop } = followInBackground(main);
      await main.append(newStream(), [event()], 'no_stream');
      await eventually(() => seen.length === 1);
      const { sent } = server.faults;
      // Each time the subscription compares its position with the end of the log, the server sends the only event
      // again.
      await eventually(() => server.faults.sent >= sent + 2);
      assert.is(server.faults.opened, 1);
      await stop();
    },
    { patience: 400 },
  ),
);

test(
  'a subscription reads only a bounded distance ahead of a slow reader',
  withDouble(async ({ main, server }) => {
    for (let i = 0; i < 20; i++) await main.append(newStream(), events(500), 'no_stream');
    let read = 0;
    const stopping = new AbortController();
    for await (const page of main.subscribe({ after: 0n, signal: stopping.signal })) {
      read += page.length;
      await realPause(100, 'a slow reader, to whom the server could send everything meanwhile');
      if (read > 0) stopping.abort();
    }
    assert.ok(server.faults.sent < 5_000, `${server.faults.sent} events were sent`);
  }),
);

test(
  'a read at a position without an event continues at the next event',
  withDouble(async ({ main }) => {
    const batch = events(5);
    await main.append(newStream(), batch, 'no_stream');
    const [, second] = await main.readAll({ after: 0n });
    const between = (second?.position ?? 0n) - 1n;
    assert.equal(ids(await main.readAll({ after: between, limit: 2 })), ids(batch.slice(1, 3)));
    assert.equal(ids(await everythingAfter(main, between)), ids(batch.slice(1)));
    const { seen, stop } = followInBackground(main, between);
    await eventually(() => seen.length === 4);
    assert.equal(ids(seen), ids(batch.slice(1)));
    await stop();
  }),
);

test.run();
