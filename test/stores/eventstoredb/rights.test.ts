import { jsonEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explanationOf } from '../../../stores/connection-diagnosis.ts';
import { createConnectionWatch } from '../../../stores/connection-watch.ts';
import { openEventStoreDb } from '../../../stores/event-store/eventstoredb/open.ts';
import { grantReadAccess } from '../../../stores/event-store/eventstoredb/grant-read-access.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { connect } from '../../../stores/eventstoredb/connection.ts';
import { openEventStoreDbQueue } from '../../../stores/work-queue/eventstoredb/open.ts';
import { event } from '../../contracts/event-store/events.ts';
import { ADMIN, GUEST, OPERATOR, onSecuredDouble, type SecuredDouble } from '../../servers/eventstoredb/secured.ts';
import { recordReports } from '../recorded-reports.ts';
import { eventually, realPause } from '../../waiting.ts';

const rights = suite('the rights of the user of EventStoreDB');

const test = onSecuredDouble(rights);

const PREFIX = 'uptrail.';
const REFUSED = 'EventStoreDB is not available: it refuses a right.';
const WRONG = 'EventStoreDB is not available: it refuses the user or the password.';

/** Returns the public error message of a failed call, and the explanation for operators. */
const messagesOf = async (call: Promise<unknown>): Promise<[string, string | null]> => {
  try {
    await call;
  } catch (error) {
    assert.instance(error, StoreUnavailable);
    return [(error as Error).message, await explanationOf(error)];
  }
  throw new Error('Nothing was refused.');
};

/** Runs a function, and closes what was opened even if the function throws. */
const using = async <T extends { close: () => Promise<void> }>(
  opened: T,
  run: (opened: T) => Promise<void>,
): Promise<void> => {
  try {
    await run(opened);
  } finally {
    await opened.close();
  }
};

/** Grants a right as a member of `$admins`. */
const allow = (server: SecuredDouble, stream: string): Promise<void> =>
  using(connect(server.urlOf(ADMIN)), (connection) => grantReadAccess(connection, stream, OPERATOR.name, 5_000));

const run = { run_id: 'r', region: 'eu-west1', not_after: Date.now() + 60_000, payload: {} };

test('a missing right is reported with its remedy, and is not taken for a wrong password', async (server) => {
  const remedy =
    'Its user uptrail may not read $all: a member of $admins grants that right with uptrail eventstoredb grant uptrail.';
  await using(openEventStoreDb(server.urlOf(OPERATOR), { prefix: PREFIX }), async ({ main, checkAccess }) => {
    assert.equal(await messagesOf(main.readAll({ after: 0n })), [REFUSED, remedy]);
    assert.equal(await messagesOf(checkAccess()), [REFUSED, remedy]);
    assert.equal(await main.health(), { writable: false, message: REFUSED });
  });
  for (const user of [{ ...OPERATOR, password: 'wrong' }, { ...OPERATOR, name: 'nobody' }, undefined]) {
    await using(openEventStoreDb(server.urlOf(user), { prefix: PREFIX }), async ({ main }) => {
      assert.equal(await messagesOf(main.readAll({ after: 0n })), [WRONG, null]);
      assert.equal(await messagesOf(main.append('page-1', [event()], 'any')), [WRONG, null]);
    });
  }
});

test('persistent subscriptions require the group $ops, and streams require the rights in their $acl', async (server) => {
  await using(openEventStoreDbQueue(server.urlOf(GUEST), { prefix: PREFIX }), async (queue) => {
    const remedy = 'Its user guest may not use persistent subscriptions: make it a member of $ops.';
    assert.equal(await messagesOf(queue.offer(run)), [REFUSED, remedy]);
    assert.equal(await messagesOf(queue.depths()), [REFUSED, remedy]);
  });
  await using(connect(server.urlOf(ADMIN)), async ({ client }) => {
    await client.setStreamMetadata('uptrail.page-1', { acl: { readRoles: ['$admins'], writeRoles: ['$admins'] } });
  });
  await using(openEventStoreDb(server.urlOf(GUEST), { prefix: PREFIX }), async ({ main }) => {
    const ending = 'the stream uptrail.page-1: check its $acl, or $settings.';
    assert.equal(await messagesOf(main.append('page-1', [event()], 'any')), [
      REFUSED,
      `Its user guest may not append to ${ending}`,
    ]);
    assert.equal(await messagesOf(main.readStream('page-1')), [REFUSED, `Its user guest may not read ${ending}`]);
  });
});

test('reading parked runs requires a separate right', async (server) => {
  const parked = '$persistentsubscription-uptrail.check_runs-eu-west1::workers-parked';
  await using(openEventStoreDbQueue(server.urlOf(OPERATOR), { prefix: PREFIX }), async (queue) => {
    await queue.offer(run);
    assert.equal(await messagesOf(queue.parked('eu-west1')), [
      REFUSED,
      `Its user uptrail may not read ${parked}: a member of $admins grants that right with uptrail eventstoredb grant uptrail.`,
    ]);
    await allow(server, parked);
    assert.equal(await queue.parked('eu-west1'), []);
  });
});

test('granting a right twice adds it once, and removes no other right', async (server) => {
  const metadataOf = async (stream: string): Promise<unknown> => {
    const { client, close } = connect(server.urlOf(ADMIN));
    const { metadata } = await client.getStreamMetadata(stream);
    await close();
    return metadata;
  };
  await allow(server, '$all');
  await allow(server, '$all');
  assert.equal(await metadataOf('$all'), { acl: { readRoles: ['$admins', 'uptrail'] } });
  await using(connect(server.urlOf(ADMIN)), async ({ client }) => {
    await client.setStreamMetadata('$all', {
      maxAge: 9,
      acl: { readRoles: ['ops', 'others'], writeRoles: ['$admins'] },
    });
  });
  await allow(server, '$all');
  assert.equal(await metadataOf('$all'), {
    maxAge: 9,
    acl: { readRoles: ['ops', 'others', 'uptrail'], writeRoles: ['$admins'] },
  });
  await using(openEventStoreDb(server.urlOf(OPERATOR), { prefix: PREFIX }), async ({ main, checkAccess }) => {
    await main.append('page-1', [event()], 'no_stream');
    await checkAccess();
    assert.is((await main.readAll({ after: 0n })).length, 1);
    assert.equal(await main.health(), { writable: true, message: null });
  });
});

test('a missing right to set the retention of results and runs causes only a warning, which is logged once', async (server) => {
  const { watch, lines } = recordReports();
  const stored = 'so its events are kept for ever, or as long as is set there ($maxAge): check its $acl, or $settings.';
  const streams = ['uptrail.check_results-eu-west1', 'uptrail.check_runs-eu-west1'];
  await using(connect(server.urlOf(ADMIN)), async ({ client }) => {
    for (const stream of streams) {
      await client.appendToStream(`$$${stream}`, jsonEvent({ type: '$metadata', data: { $acl: { $mw: '$admins' } } }));
    }
  });
  const options = { prefix: PREFIX, resultRetentionDays: 3, watch };
  await using(openEventStoreDb(server.urlOf(OPERATOR), options), async ({ results }) => {
    for (let appends = 0; appends < 3; appends++) await results.append('check_results-eu-west1', [event()], 'any');
    await eventually(() => lines.length > 0);
  });
  await using(openEventStoreDbQueue(server.urlOf(OPERATOR), { prefix: PREFIX, watch }), async (queue) => {
    await queue.offer(run);
    assert.is((await queue.depths())[0]?.waiting, 1);
  });
  assert.equal(
    lines,
    streams.map((stream) => `Its user uptrail may not change the metadata of the stream ${stream}, ${stored}`),
  );
});

test('a refused subscription is logged once, and follows the log as soon as it is permitted', async (server) => {
  const lines: string[] = [];
  const watch = createConnectionWatch({
    lost: () => undefined,
    restored: () => undefined,
    refused: (sentences) => lines.push(sentences),
  });
  await using(openEventStoreDb(server.urlOf(OPERATOR), { prefix: PREFIX, watch }), async ({ main }) => {
    await main.append('page-1', [event()], 'any');
    const stopping = new AbortController();
    let seen = 0;
    const following = (async () => {
      for await (const events of main.subscribe({ after: 0n, signal: stopping.signal })) seen += events.length;
    })();
    await eventually(() => lines.length > 0);
    await realPause(500, 'it is refused again meanwhile, and must not log that again');
    await allow(server, '$all');
    await eventually(() => seen === 1);
    stopping.abort();
    await following;
    assert.is(lines.length, 1);
    assert.match(lines[0] ?? '', /may not read \$all/);
  });
});

rights.run();
