import { randomBytes } from 'node:crypto';
import { BACKWARDS, END, jsonEvent, streamNameFilter, type EventStoreDBClient } from '@eventstore/db-client';
import { connect } from '../../../stores/eventstoredb/connection.ts';

/** Returns a new prefix for the names of a test's streams, so that tests can share a server. */
export const ownPrefix = (): string => `test${randomBytes(6).toString('hex')}.`;

/** What a service of a test leaves on a server that continues to run after the test. */
export interface Leftovers {
  /** Deletes all streams whose names begin with the prefix, and their groups. */
  remove: () => Promise<void>;
}

/** @param prefix the prefix of the test's streams; no other test may use it */
export const leftoversOf = async (url: string, prefix: string): Promise<Leftovers> => {
  const asking = connect(url);
  const from = await endOf(asking.client, asking.credentials);
  await asking.close();
  return {
    remove: async () => {
      const { client, credentials, close } = connect(url);
      for (const { eventSource, groupName } of await groupsOf(client, credentials)) {
        if (eventSource.startsWith(prefix))
          await client.deletePersistentSubscriptionToStream(eventSource, groupName, credentials);
      }
      // The event is appended last, so a read up to this event has found all streams of the test.
      const last = `${prefix}end-1`;
      await client.appendToStream(last, jsonEvent({ type: 'Ended', data: {} }), credentials);
      const streams = new Set<string>();
      const filter = streamNameFilter({ prefixes: [prefix] });
      const subscription = client.subscribeToAll({ ...credentials, ...(from && { fromPosition: from }), filter });
      for await (const { event } of subscription) {
        if (event) streams.add(event.streamId);
        if (event?.streamId === last) break;
      }
      await subscription.unsubscribe();
      for (const stream of streams) await deleted(client.deleteStream(stream, credentials));
      await close();
    },
  };
};

type Credentials = ReturnType<typeof connect>['credentials'];

const endOf = async (client: EventStoreDBClient, credentials: Credentials) => {
  for await (const { event } of client.readAll({
    ...credentials,
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: 1,
  })) {
    if (event?.position) return event.position;
  }
  return null;
};

const groupsOf = (client: EventStoreDBClient, credentials: Credentials) =>
  client.listAllPersistentSubscriptions(credentials).catch((error: unknown) => {
    if ((error as { type?: string }).type?.includes('not-') === true) return [];
    throw error;
  });

/** Ignores the error for a stream that the test has already deleted. */
const deleted = (deleting: Promise<unknown>): Promise<unknown> =>
  deleting.catch((error: unknown) => {
    if ((error as { type?: string }).type !== 'wrong-expected-version') throw error;
  });
