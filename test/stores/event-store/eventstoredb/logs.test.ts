import { randomUUID } from 'node:crypto';
import { jsonEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLogIdentity } from '../../../../stores/event-store/identity.ts';
import {
  openEventStoreDb,
  type EventStoreDb,
  type EventStoreDbOptions,
} from '../../../../stores/event-store/eventstoredb/open.ts';
import { connect, type Connection } from '../../../../stores/eventstoredb/connection.ts';
import { event, events, everythingAfter, ids } from '../../../contracts/event-store/events.ts';
import { rejects } from '../../../rejects.ts';
import { ownPrefix } from '../../../servers/eventstoredb/leftovers.ts';
import { deleteStreams, openServer } from './opened.ts';
import { followInBackground } from './opened-double.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('the two logs on an EventStoreDB');
const server = await openServer();

interface Given extends EventStoreDb {
  prefix: string;
  connection: Connection;
}

/** Runs a test with both logs of a new service. `streams` are the names of the streams to delete afterwards. */
const withLogs =
  (streams: readonly string[], run: (given: Given) => Promise<void>, options: EventStoreDbOptions = {}) =>
  async (): Promise<void> => {
    const prefix = ownPrefix();
    const logs = openEventStoreDb(server.url, { prefix, ...options });
    const connection = connect(server.url);
    try {
      await run({ ...logs, prefix, connection });
    } finally {
      await logs.close();
      await connection.close();
      if (server.real)
        await deleteStreams(
          server.url,
          streams.map((stream) => prefix + stream),
        );
    }
  };

test(
  'each log on EventStoreDB has its own streams, and begins with its identity',
  withLogs(
    ['log-main', 'log-results', 'page-1', 'check_results-eu', 'execution_groups-0'],
    async ({ main, results }) => {
      const mainId = await openLogIdentity(main);
      const resultsId = await openLogIdentity(results);
      assert.is.not(mainId, resultsId);
      const [page, result, group] = [event(), event(), event()];
      await main.append('page-1', [page], 'no_stream');
      await results.append('check_results-eu', [result], 'any');
      await results.append('execution_groups-0', [group], 'any');
      const types = (await main.readAll({ after: 0n })).map(({ type, stream }) => `${type} ${stream}`);
      assert.equal(types, ['LogOpened log-main', 'ShipLoaded page-1']);
      const inResults = (await results.readAll({ after: 0n })).map(({ stream }) => stream);
      assert.equal(inResults, ['log-results', 'check_results-eu', 'execution_groups-0']);
      assert.equal(ids(await results.readAll({ after: 0n, categories: ['check_results'] })), [result.id]);
      assert.equal((await main.readAll({ after: 0n, categories: ['log'] })).length, 1);
      assert.equal(await main.readAll({ after: 0n, categories: ['check_results'] }), []);
      assert.is(await openLogIdentity(main), mainId);
    },
  ),
);

test(
  'the logs contain neither system events of EventStoreDB nor the queues of runs',
  withLogs(['page-1', 'page-2', 'check_runs-eu'], async ({ main, prefix, connection: { client, credentials } }) => {
    const [before, after] = [event(1), event(2)];
    const { seen, stop } = followInBackground(main);
    await main.append('page-1', [before], 'no_stream');
    await client.setStreamMetadata(`${prefix}page-1`, { maxCount: 10 }, credentials);
    await client.appendToStream(`${prefix}check_runs-eu`, jsonEvent({ type: 'Offered', data: {} }), credentials);
    await main.append('page-2', [after], 'no_stream');
    assert.equal(ids(await main.readAll({ after: 0n })), ids([before, after]));
    await eventually(() => seen.length === 2);
    assert.equal(ids(seen), ids([before, after]));
    await stop();
  }),
);

test(
  'a deleted stream on EventStoreDB is empty, and continues with higher revisions',
  withLogs(['page-1'], async ({ main, prefix, connection: { client, credentials } }) => {
    await main.append('page-1', events(20), 'no_stream');
    await client.deleteStream(`${prefix}page-1`, credentials);
    assert.equal(await main.readStream('page-1'), []);
    const again = event();
    assert.is((await main.append('page-1', [again], 'no_stream')).revision, 20n);
    assert.equal(ids(await main.readStream('page-1')), [again.id]);
    assert.is((await main.append('page-1', [event()], 20n)).revision, 21n);
  }),
);

test(
  'a permanently deleted stream on EventStoreDB is empty, and refuses appends with an error message',
  withLogs([], async ({ main, prefix, connection: { client, credentials } }) => {
    await main.append('page-1', events(2), 'no_stream');
    await client.tombstoneStream(`${prefix}page-1`, credentials);
    assert.equal(await main.readStream('page-1'), []);
    await rejects(main.append('page-1', [event()], 'any'), Error, 'The stream page-1 was deleted permanently.');
    assert.is((await everythingAfter(main, 0n)).length, 2);
  }),
);

test(
  'an event of another program with an invalid form is not read as an event of ours',
  withLogs(['page-1'], async ({ main, prefix, connection: { client, credentials } }) => {
    const foreign = { id: randomUUID(), type: 'Foreign', contentType: 'application/octet-stream' as const };
    await client.appendToStream(
      `${prefix}page-1`,
      { ...foreign, data: Buffer.from('no JSON'), metadata: undefined },
      credentials,
    );
    await rejects(main.readStream('page-1'), Error, /can't be read: it is not JSON/);
    await rejects(main.readAll({ after: 0n }), Error, /can't be read: it is not JSON/);
  }),
);

test(
  'the retention of each results stream is set once on EventStoreDB',
  withLogs(
    ['check_results-eu', 'log-results'],
    async ({ results, prefix, connection: { client, credentials }, setRetention }) => {
      const maxAge = async (stream: string): Promise<number | undefined> =>
        (await client.getStreamMetadata(prefix + stream, credentials)).metadata?.maxAge;
      await openLogIdentity(results);
      await results.append('check_results-eu', [event()], 'any');
      // Seven whole days are retained, and the current day in addition.
      await eventually(async () => (await maxAge('check_results-eu')) === 8 * 86_400);
      assert.is(await maxAge('log-results'), undefined);
      await client.setStreamMetadata(`${prefix}check_results-eu`, { maxAge: 5, owner: 'somebody' }, credentials);
      await setRetention('check_results-eu', 30);
      await setRetention('check_results-eu', 30);
      const { metadata } = await client.getStreamMetadata(`${prefix}check_results-eu`, credentials);
      assert.equal(metadata, { maxAge: 31 * 86_400, owner: 'somebody' });
      let writes = 0;
      const metastream = `$$${prefix}check_results-eu`;
      for await (const { event: written } of client.readStream(metastream, credentials)) if (written) writes++;
      // A server may store only the newest metadata, or all earlier metadata too.
      assert.ok(writes === 1 || writes === 3, `${writes} writes`);
    },
    { resultRetentionDays: 7 },
  ),
);

test('an EventStoreDB that can not be reached is reported', async () => {
  const { main, close } = openEventStoreDb('esdb://127.0.0.1:1?tls=false');
  const { writable, message } = await main.health();
  assert.equal([writable, message], [false, 'EventStoreDB is not available: there is no connection to it.']);
  await close();
});

test.after(() => server.close());
test.run();
