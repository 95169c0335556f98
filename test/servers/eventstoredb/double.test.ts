import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  RETRY,
  START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type Filter,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServer } from '../../stores/event-store/eventstoredb/opened.ts';
import { eventually, within } from '../../waiting.ts';

/*
 * These expectations were recorded from an EventStoreDB 22.10.5, one call at a time, through its own client. `npm run
 * test:cluster` runs the same tests on a real server.
 */
const test = suite('the protocol of the EventStoreDB double');

const server = await openServer();
const client = EventStoreDBClient.connectionString(server.url);
const CREDENTIALS = { credentials: { username: 'admin', password: 'changeit' } };
const streams: string[] = [];
const newStream = (): string => {
  const stream = `probe${randomUUID().replaceAll('-', '')}-1`;
  streams.push(stream);
  return stream;
};
const some = (count: number, type = 'Probed') =>
  Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { index } }));
const all = async <Item>(reading: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of reading) items.push(item);
  return items;
};
const revisions = (events: readonly ResolvedEvent[]): bigint[] => events.map(({ event }) => event?.revision ?? -1n);
/** The fields of a client's error. */
interface Failure {
  type: string;
  actualVersion?: unknown;
  expectedVersion?: unknown;
}

const failure = async (promise: Promise<unknown>): Promise<Failure> => {
  try {
    await promise;
  } catch (error) {
    return error as Failure;
  }
  throw new Error('it did not fail');
};
const subscribed = async (filter: Filter, from: { commit: bigint; prepare: bigint }, count: number) => {
  const events: AllStreamResolvedEvent[] = [];
  const subscription = client.subscribeToAll({ fromPosition: from, filter });
  for await (const item of subscription) if (events.push(item) === count) break;
  await subscription.unsubscribe();
  return events;
};

for (const [path, options] of [
  ['in a call of its own', CREDENTIALS],
  ['in the batch call that all appends share', {}],
] as const) {
  test(`an append ${path} returns the last revision and position`, async () => {
    const stream = newStream();
    const first = await client.appendToStream(stream, some(3), { ...options, expectedRevision: 'no_stream' });
    const [last] = await all(client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }));
    assert.equal([first.nextExpectedRevision, first.position], [2n, last?.event?.position]);
    assert.is(first.position?.commit, first.position?.prepare);
  });

  test(`an append ${path} at another revision returns the current revision of the stream`, async () => {
    const stream = newStream();
    const absent = await failure(client.appendToStream(stream, some(1), { ...options, expectedRevision: 7n }));
    assert.equal(
      [absent.type, absent.actualVersion, absent.expectedVersion],
      ['wrong-expected-version', 'no_stream', 7n],
    );
    await client.appendToStream(stream, some(2), options);
    const present = await failure(
      client.appendToStream(stream, some(1), { ...options, expectedRevision: 'no_stream' }),
    );
    assert.is(present.actualVersion, 1n);
  });

  test(`an append ${path} of more than a mebibyte is refused`, async () => {
    const large = jsonEvent({ type: 'Probed', data: { text: 'x'.repeat(1_050_000) } });
    const refused = await failure(client.appendToStream(newStream(), large, options));
    assert.is(refused.type, 'maximum-append-size-exceeded');
  });
}

test('an append that expects any revision recognizes the ids of events that were appended since the start of the double', async () => {
  const stream = newStream();
  const [one, two, three, four] = some(4);
  assert.ok(one && two && three && four);
  const append = (...events: (typeof one)[]) => client.appendToStream(stream, events, CREDENTIALS);
  const first = await append(one, two);
  await append(three);
  assert.equal((await append(one, two)).position, first.position);
  assert.is((await failure(append(one, four))).type, 'wrong-expected-version');
  await append(four, two);
  const indexes = (await all(client.readStream(stream))).map(({ event }) => (event?.data as { index: number }).index);
  assert.equal(indexes, [0, 1, 2, 3, 1]);
});

test('deleting an absent stream fails with a wrong expected version, and a deleted stream continues with higher revisions', async () => {
  const stream = newStream();
  const refused = await failure(client.deleteStream(stream));
  assert.equal([refused.type, refused.expectedVersion, refused.actualVersion], ['wrong-expected-version', -2n, -1n]);
  await client.appendToStream(stream, some(20), CREDENTIALS);
  await client.deleteStream(stream);
  assert.is((await failure(all(client.readStream(stream)))).type, 'stream-not-found');
  const again = await client.appendToStream(stream, some(1), { ...CREDENTIALS, expectedRevision: 'no_stream' });
  assert.is(again.nextExpectedRevision, 20n);
  assert.equal(revisions(await all(client.readStream(stream))), [20n]);
});

test('a permanently deleted stream can not be read or appended to', async () => {
  const stream = newStream();
  streams.pop();
  await client.appendToStream(stream, some(1), CREDENTIALS);
  await client.tombstoneStream(stream);
  assert.is((await failure(all(client.readStream(stream)))).type, 'stream-deleted');
  assert.is((await failure(client.appendToStream(stream, some(1), CREDENTIALS))).type, 'stream-deleted');
});

test('the metadata of a stream limits which of its events are read', async () => {
  const stream = newStream();
  await client.appendToStream(stream, some(20), CREDENTIALS);
  await client.setStreamMetadata(stream, { maxCount: 5 }, CREDENTIALS);
  assert.equal(revisions(await all(client.readStream(stream))), [15n, 16n, 17n, 18n, 19n]);
});

test('subscriptions to all are filtered by stream names and by event types', async () => {
  const [one, other] = [newStream(), newStream()];
  const type = `Probed${randomUUID().replaceAll('-', '')}`;
  const { position } = await client.appendToStream(one, some(1), CREDENTIALS);
  assert.ok(position);
  await client.appendToStream(one, [...some(2), ...some(1, type)], CREDENTIALS);
  await client.appendToStream(other, some(2, type), CREDENTIALS);
  const streamsOf = (events: readonly AllStreamResolvedEvent[]) => events.map(({ event }) => event?.streamId);
  const byPrefix = await subscribed(streamNameFilter({ prefixes: [one] }), position, 3);
  assert.equal(streamsOf(byPrefix), [one, one, one]);
  const byRegex = await subscribed(streamNameFilter({ regex: `^(?!${one})${other.slice(0, 5)}` }), position, 2);
  assert.equal(streamsOf(byRegex), [other, other]);
  assert.equal(streamsOf(await subscribed(eventTypeFilter({ prefixes: [type] }), position, 3)), [one, other, other]);
});

test('a filtered subscription sends checkpoints without usable positions during the catch-up, and with positions afterwards', async () => {
  const [wanted, other] = [newStream(), newStream()];
  const { position } = await client.appendToStream(other, some(1), CREDENTIALS);
  assert.ok(position);
  await client.appendToStream(other, some(100), CREDENTIALS);
  const checkpoints: { commit: bigint; prepare: bigint }[] = [];
  const filter = streamNameFilter({
    prefixes: [wanted],
    checkpointReached: async (_, checkpoint) => {
      checkpoints.push(checkpoint);
    },
  });
  const subscription = client.subscribeToAll({ fromPosition: position, filter });
  const reached = new Promise((resolve) => subscription.on('data', resolve));
  await client.appendToStream(wanted, some(1), CREDENTIALS);
  await reached;
  assert.ok(checkpoints.length >= 2);
  assert.equal(new Set(checkpoints.map(({ prepare }) => prepare)), new Set([0n]));
  // Further checkpoints may be needed until a checkpoint has the position of an event that arrived after the catch-up.
  await eventually(async () => {
    await client.appendToStream(other, some(100), CREDENTIALS);
    return checkpoints.at(-1)?.prepare !== 0n;
  });
  await subscription.unsubscribe();
  const { commit, prepare } = checkpoints.at(-1) ?? { commit: 0n, prepare: 0n };
  assert.is(commit, prepare);
  const [there] = await all(client.readAll({ ...CREDENTIALS, fromPosition: { commit, prepare }, maxCount: 1 }));
  assert.equal([there?.event?.position.commit, there?.event?.streamId], [commit, other]);
});

test('a persistent subscription can be created only once; it retries and parks messages, and lists and replays parked messages', async () => {
  const stream = newStream();
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START, maxRetryCount: 2 });
  await client.createPersistentSubscriptionToStream(stream, 'probes', settings);
  const again = client.createPersistentSubscriptionToStream(stream, 'probes', settings);
  assert.is((await failure(again)).type, 'persistent-subscription-exists');
  await client.appendToStream(stream, some(1), CREDENTIALS);
  const retries: number[] = [];
  const response = { refuses: true };
  const subscription = client.subscribeToPersistentSubscriptionToStream(stream, 'probes', { bufferSize: 2 });
  const consuming = (async () => {
    for await (const item of subscription) {
      retries.push(item.retryCount);
      await (response.refuses ? subscription.nack(RETRY, 'not yet', item) : subscription.ack(item));
    }
  })();
  const ended = failure(consuming);
  const parked = async (): Promise<bigint> =>
    (await client.getPersistentSubscriptionToStreamInfo(stream, 'probes')).stats.parkedMessageCount;
  await eventually(async () => (await parked()) === 1n);
  assert.equal(retries, [0, 1, 2]);
  const link = `$persistentsubscription-${stream}::probes-parked`;
  const [shown] = await all(client.readStream(link, { ...CREDENTIALS, resolveLinkTos: true }));
  assert.equal([shown?.event?.streamId, shown?.event?.data], [stream, { index: 0 }]);
  response.refuses = false;
  await client.replayParkedMessagesToStream(stream, 'probes');
  await eventually(() => retries.length === 4);
  await client.deletePersistentSubscriptionToStream(stream, 'probes');
  assert.is((await ended).type, 'persistent-subscription-dropped');
  const gone = client.deletePersistentSubscriptionToStream(stream, 'probes');
  assert.is((await failure(gone)).type, 'persistent-subscription-does-not-exist');
});

test('each consumer of a deleted group is notified, whatever the consumer is handling', async () => {
  const stream = newStream();
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START });
  await client.createPersistentSubscriptionToStream(stream, 'probes', settings);
  await client.appendToStream(stream, some(6), CREDENTIALS);
  const consumers = [1, 2].map(() => {
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, 'probes', { bufferSize: 2 });
    const got: unknown[] = [];
    subscription.on('data', (item) => got.push(item));
    return { got, dropped: once(subscription, 'error') };
  });
  await eventually(() => consumers.every(({ got }) => got.length === 2));
  await client.deletePersistentSubscriptionToStream(stream, 'probes');
  for (const { got, dropped } of consumers) {
    const [error] = (await dropped) as [Failure & Error];
    assert.is(error.type, 'persistent-subscription-dropped');
    assert.match(error.message, `Subscription group probes on stream ${stream} was dropped.`);
    assert.is(got.length, 2, 'no message passes from one to the other');
  }
});

test.after(async () => {
  if (server.real) for (const stream of streams) await client.deleteStream(stream, CREDENTIALS).catch(() => undefined);
  // The client waits for streams that it has cancelled itself. For some streams this wait never ends.
  await within(200, client.dispose(), 'the client is gone').catch(() => undefined);
  await server.close();
});
test.run();
