import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLog } from '../../../../stores/event-store/identity.ts';
import { openEventStoreDb, type EventStoreDb } from '../../../../stores/event-store/eventstoredb/open.ts';
import { event, events, ids } from '../../../contracts/event-store/events.ts';
import type { Double } from '../../../servers/eventstoredb/server.ts';
import { following, withDouble } from './opened-double.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('a log beside much that others have written');

/** What another program writes to the server of a double. */
const writeForeign = ({ log }: Double, count: number): void => {
  const foreign = { type: 'Foreign', contentType: 'application/octet-stream', metadata: new Uint8Array() };
  const some = Array.from({ length: count }, () => ({ ...foreign, id: randomUUID(), data: Buffer.from('not ours') }));
  log.append('foreign-1', some, 'any');
};

const again = (server: Double): EventStoreDb => openEventStoreDb(server.url, { prefix: 'mine.', patience: 100 });

/** How many events the server looks at meanwhile. */
const lookedAt = async ({ faults }: Double, task: () => Promise<unknown>): Promise<number> => {
  const before = faults.looked;
  await task();
  return faults.looked - before;
};

test(
  'is recognized, and read from its beginning, without a look at what came before it',
  withDouble(
    async ({ server, main }) => {
      writeForeign(server, 10_000);
      const looked = await lookedAt(server, async () => {
        assert.is(await main.first(), null);
        const id = await openLog(main);
        const [ship] = [event()];
        await main.append('page-1', [ship], 'no_stream');
        const reopened = again(server);
        assert.is(await openLog(reopened.main), id);
        assert.is((await reopened.main.readAll({ after: 0n })).at(-1)?.id, ship.id);
        await reopened.close();
      });
      assert.ok(looked < 10, `${looked.toString()} events were looked at`);
    },
    { prefix: 'mine.' },
  ),
);

test(
  'is read over what a read is silent over for longer than it may be',
  withDouble(
    async ({ server, main }) => {
      await openLog(main);
      const [before, after] = [event(1), event(2)];
      await main.append('page-1', [before], 'no_stream');
      writeForeign(server, 10_000);
      await main.append('page-1', [after], 0n);
      writeForeign(server, 10_000);
      server.faults.looking = 25;
      const [, ...rest] = await main.readAll({ after: 0n });
      assert.equal(ids(rest), ids([before, after]));
      const end = rest.at(-1)?.position ?? 0n;
      const looked = await lookedAt(server, async () => {
        assert.equal(await main.readAll({ after: end }), []);
      });
      assert.ok(looked < 100, `${looked.toString()} events were looked at, which had been before`);
    },
    { prefix: 'mine.', readSilence: 2_000 },
  ),
);

test(
  'is given up where the server says nothing at all',
  withDouble(
    async ({ server, main }) => {
      await openLog(main);
      server.faults.goSilent();
      let message = '';
      await main.readAll({ after: 0n }).catch((error: unknown) => (message = String(error)));
      assert.match(message, 'EventStoreDB is not available: it did not answer in time.');
    },
    { readSilence: 200 },
  ),
);

test(
  'is followed on from where a subscription has looked to, after a lost connection and after a restart',
  withDouble(
    async ({ server, main }) => {
      await openLog(main);
      const followed = following(main);
      await eventually(() => followed.seen.length === 1);
      /** Others write much, and it is known that they do. */
      const pass = async (): Promise<void> => {
        writeForeign(server, 5_000);
        const near = server.log.all.at(-1)?.position ?? 0n;
        // What comes while the subscription is under way to the present says nothing of a place.
        await eventually(async () => {
          writeForeign(server, 40);
          return ((await main.quiet())?.to ?? 0n) >= near;
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
      assert.ok(reconnected < 1_000, `${reconnected.toString()} events were looked at`);

      await pass();
      const known = await main.quiet();
      assert.ok(known);
      await followed.stop();
      const restarted = again(server);
      const looked = await lookedAt(server, async () => {
        await restarted.main.passOver(known);
        const { seen, stop } = following(restarted.main, followed.seen[1]?.position);
        const [next] = events(1);
        assert.ok(next);
        await restarted.main.append('page-1', [next], 0n);
        await eventually(() => seen.length === 1);
        assert.equal(ids(seen), [next.id]);
        await stop();
        assert.equal(ids(await restarted.main.readAll({ after: known.from, categories: ['page'] })), [next.id]);
      });
      assert.ok(looked < 1_000, `${looked.toString()} events were looked at`);
      await restarted.close();
    },
    { prefix: 'mine.' },
  ),
);

test(
  'is read whole where another event stands at the end of a stretch that was known',
  withDouble(
    async ({ server, main }) => {
      await openLog(main);
      const opened = server.log.all.at(-1)?.position ?? 0n;
      await main.append('page-1', events(3), 'no_stream');
      writeForeign(server, 1);
      const to = server.log.all.at(-1)?.position ?? 0n;
      await main.passOver({ from: opened, to, id: randomUUID() });
      assert.is((await main.readAll({ after: opened })).length, 3);
      await main.passOver({ from: opened, to: to - 1n, id: randomUUID() });
      assert.is((await main.readAll({ after: opened })).length, 3);
      await main.passOver({ from: opened, to: to + 1_000_000n, id: randomUUID() });
      assert.is((await main.readAll({ after: opened })).length, 3);
      assert.is(await main.quiet(), null);
    },
    { prefix: 'mine.' },
  ),
);

test(
  'is known to be quiet when nothing comes any more',
  withDouble(
    async ({ server, main }) => {
      await openLog(main);
      writeForeign(server, 1_010);
      const followed = following(main);
      const end = server.log.all.at(-1)?.position;
      await eventually(async () => (await main.quiet())?.to === end);
      await followed.stop();
    },
    { prefix: 'mine.' },
  ),
);

test(
  'is read on where the event that it was known to be quiet up to is no more',
  withDouble(
    async ({ server, main }) => {
      await openLog(main);
      const opened = server.log.all.at(-1)?.position ?? 0n;
      writeForeign(server, 200);
      const followed = following(main);
      const end = server.log.all.at(-1)?.position;
      await eventually(async () => (await main.quiet())?.to === end);
      // What others have deleted is gone after a scavenge.
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
