import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLogIdentity } from '../../../../stores/event-store/identity.ts';
import { openEventStoreDb, type EventStoreDb } from '../../../../stores/event-store/eventstoredb/open.ts';
import { event, events, ids } from '../../../contracts/event-store/events.ts';
import type { Double } from '../../../servers/eventstoredb/server.ts';
import { followInBackground, withDouble } from './opened-double.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('a log among many foreign events');

/** Writes foreign events to the server of a double. */
const writeForeign = ({ log }: Double, count: number): void => {
  const foreign = { type: 'Foreign', contentType: 'application/octet-stream', metadata: new Uint8Array() };
  const some = Array.from({ length: count }, () => ({ ...foreign, id: randomUUID(), data: Buffer.from('not ours') }));
  log.append('foreign-1', some, 'any');
};

const again = (server: Double): EventStoreDb => openEventStoreDb(server.url, { prefix: 'mine.', patience: 100 });

/** Returns how many events the server scans during a task. */
const lookedAt = async ({ faults }: Double, task: () => Promise<unknown>): Promise<number> => {
  const before = faults.scanned;
  await task();
  return faults.scanned - before;
};

test(
  'a log that begins after many foreign events is recognized and read without scanning those events',
  withDouble(
    async ({ server, main }) => {
      writeForeign(server, 10_000);
      const scanned = await lookedAt(server, async () => {
        assert.is(await main.first(), null);
        const id = await openLogIdentity(main);
        const [ship] = [event()];
        await main.append('page-1', [ship], 'no_stream');
        const reopened = again(server);
        assert.is(await openLogIdentity(reopened.main), id);
        assert.is((await reopened.main.readAll({ after: 0n })).at(-1)?.id, ship.id);
        await reopened.close();
      });
      assert.ok(scanned < 10, `${scanned} events were scanned`);
    },
    { prefix: 'mine.' },
  ),
);

test(
  'a read continues even if scanning foreign events takes longer than the read may be silent',
  withDouble(
    async ({ server, main }) => {
      await openLogIdentity(main);
      const [before, after] = [event(1), event(2)];
      await main.append('page-1', [before], 'no_stream');
      writeForeign(server, 10_000);
      await main.append('page-1', [after], 0n);
      writeForeign(server, 10_000);
      server.faults.scanDelay = 25;
      const [, ...rest] = await main.readAll({ after: 0n });
      assert.equal(ids(rest), ids([before, after]));
      const end = rest.at(-1)?.position ?? 0n;
      const scanned = await lookedAt(server, async () => {
        assert.equal(await main.readAll({ after: end }), []);
      });
      assert.ok(scanned < 100, `${scanned} events were scanned again`);
    },
    { prefix: 'mine.', readSilence: 2_000 },
  ),
);

test(
  'a read fails if the server sends nothing at all',
  withDouble(
    async ({ server, main }) => {
      await openLogIdentity(main);
      server.faults.goSilent();
      let message = '';
      await main.readAll({ after: 0n }).catch((error: unknown) => (message = String(error)));
      assert.match(message, 'EventStoreDB is not available: it did not respond in time.');
    },
    { readSilence: 200 },
  ),
);

test(
  'a subscription resumes where its search for events has ended, after a lost connection and after a restart',
  withDouble(
    async ({ server, main }) => {
      await openLogIdentity(main);
      const followed = followInBackground(main);
      await eventually(() => followed.seen.length === 1);
      /** Writes many foreign events, and waits until the log knows them as foreign. */
      const pass = async (): Promise<void> => {
        writeForeign(server, 5_000);
        const near = server.log.all.at(-1)?.position ?? 0n;
        // The server reports positions only after the subscription has caught up, so further foreign events are needed.
        await eventually(async () => {
          writeForeign(server, 40);
          return ((await main.foreignTail())?.to ?? 0n) >= near;
        });
      };
      await pass();

      const reconnected = await lookedAt(server, async () => {
        const opened = server.faults.opened;
        server.closeSubscriptions();
        await eventually(() => server.faults.opened > opened);
        const [ship] = [event()];
        await main.append('page-1', [ship], 'no_stream');
        await eventually(() => followed.seen.length === 2);
      });
      assert.ok(reconnected < 1_000, `${reconnected} events were scanned`);

      await pass();
      const known = await main.foreignTail();
      assert.ok(known);
      await followed.stop();
      const restarted = again(server);
      const scanned = await lookedAt(server, async () => {
        await restarted.main.skipForeign(known);
        const { seen, stop } = followInBackground(restarted.main, followed.seen[1]?.position);
        const [next] = events(1);
        assert.ok(next);
        await restarted.main.append('page-1', [next], 0n);
        await eventually(() => seen.length === 1);
        assert.equal(ids(seen), [next.id]);
        await stop();
        assert.equal(ids(await restarted.main.readAll({ after: known.from, categories: ['page'] })), [next.id]);
      });
      assert.ok(scanned < 1_000, `${scanned} events were scanned`);
      await restarted.close();
    },
    { prefix: 'mine.' },
  ),
);

test(
  'a log is read completely if a known stretch of foreign events does not end with the expected event',
  withDouble(
    async ({ server, main }) => {
      await openLogIdentity(main);
      const opened = server.log.all.at(-1)?.position ?? 0n;
      await main.append('page-1', events(3), 'no_stream');
      writeForeign(server, 1);
      const to = server.log.all.at(-1)?.position ?? 0n;
      await main.skipForeign({ from: opened, to, id: randomUUID() });
      assert.is((await main.readAll({ after: opened })).length, 3);
      await main.skipForeign({ from: opened, to: to - 1n, id: randomUUID() });
      assert.is((await main.readAll({ after: opened })).length, 3);
      await main.skipForeign({ from: opened, to: to + 1_000_000n, id: randomUUID() });
      assert.is((await main.readAll({ after: opened })).length, 3);
      assert.is(await main.foreignTail(), null);
    },
    { prefix: 'mine.' },
  ),
);

test(
  'when no more events arrive, the foreign events at the end of the log are known as foreign',
  withDouble(
    async ({ server, main }) => {
      await openLogIdentity(main);
      writeForeign(server, 1_010);
      const followed = followInBackground(main);
      const end = server.log.all.at(-1)?.position;
      await eventually(async () => (await main.foreignTail())?.to === end);
      await followed.stop();
    },
    { prefix: 'mine.' },
  ),
);

test(
  'a read continues when the event at the end of a known foreign stretch is gone',
  withDouble(
    async ({ server, main }) => {
      await openLogIdentity(main);
      const opened = server.log.all.at(-1)?.position ?? 0n;
      writeForeign(server, 200);
      const followed = followInBackground(main);
      const end = server.log.all.at(-1)?.position;
      await eventually(async () => (await main.foreignTail())?.to === end);
      // A scavenge has removed events that another program had deleted.
      server.log.all.splice(100, 101);
      writeForeign(server, 10);
      assert.equal(await main.readAll({ after: opened }), []);
      server.closeSubscriptions();
      const ship = event();
      await main.append('page-1', [ship], 'no_stream');
      assert.equal(ids(await main.readAll({ after: opened })), [ship.id]);
      await eventually(() => followed.seen.length === 2);
      await followed.stop();
    },
    { prefix: 'mine.' },
  ),
);

test.run();
