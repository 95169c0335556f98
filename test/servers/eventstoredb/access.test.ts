import {
  AccessDeniedError,
  EventStoreDBClient,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
} from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { User } from './access.ts';
import { ADMIN, GUEST, OPERATOR, onSecuredDouble, type SecuredDouble } from './secured.ts';

/* Expectations recorded from an EventStoreDB 22.10.5 with TLS and users, through its own client. */
const rights = suite('the access rights of the EventStoreDB double');

type As = (user?: Pick<User, 'name' | 'password'>) => EventStoreDBClient;

const specification = onSecuredDouble(rights);

const test = (sentence: string, run: (as: As, server: SecuredDouble) => Promise<void>): void => {
  specification(sentence, async (server) => {
    const clients: EventStoreDBClient[] = [];
    try {
      await run((user) => {
        const client = EventStoreDBClient.connectionString(server.urlOf(user));
        clients.push(client);
        return client;
      }, server);
    } finally {
      for (const client of clients) await client.dispose();
    }
  });
};

/** Returns the gRPC status of a refused call. */
const refused = async (call: () => Promise<unknown>): Promise<number | undefined> => {
  try {
    await call();
  } catch (error) {
    assert.instance(error, AccessDeniedError);
    return (error as AccessDeniedError).code;
  }
  return undefined;
};

const read = async (events: AsyncIterable<unknown>): Promise<number> => {
  let count = 0;
  for await (const event of events) count += event === undefined ? 0 : 1;
  return count;
};
const settings = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START });
const probed = jsonEvent({ type: 'Probed', data: {} });

test('an EventStoreDB user with a wrong password, and a call without a user, are unauthenticated', async (as) => {
  assert.is(await refused(() => read(as().readStream('probe-1'))), 16);
  assert.is(await refused(() => read(as({ ...ADMIN, password: 'wrong' }).readStream('probe-1'))), 16);
  assert.is(await refused(() => as({ name: 'nobody', password: 'x' }).appendToStream('probe-1', probed)), 16);
  assert.is(await refused(() => as().createPersistentSubscriptionToStream('probe-1', 'g', settings)), 16);
});

test('every EventStoreDB user can append to, read and delete ordinary streams, and set their metadata', async (as) => {
  const guest = as(GUEST);
  await guest.appendToStream('probe-1', probed);
  await guest.setStreamMetadata('probe-1', { maxAge: 60 });
  assert.is(await read(guest.readStream('probe-1')), 1);
  assert.is((await guest.getStreamMetadata('probe-1')).metadata?.maxAge, 60);
  await guest.deleteStream('probe-1');
});

test('$all is readable by $admins, and by users that its metadata names', async (as) => {
  await as(GUEST).appendToStream('probe-1', probed);
  assert.is(await refused(() => read(as(OPERATOR).readAll())), 7);
  assert.is(await refused(() => read(as(OPERATOR).subscribeToAll())), 7);
  assert.is(await refused(() => as(OPERATOR).setStreamMetadata('$all', { acl: { readRoles: ['uptrail'] } })), 7);
  await as(ADMIN).setStreamMetadata('$all', { acl: { readRoles: ['uptrail'] } });
  assert.is(await read(as(OPERATOR).readAll()), 2);
  assert.is(await read(as(ADMIN).readAll()), 2);
  assert.is(await refused(() => read(as(GUEST).readAll())), 7);
});

test('only members of $ops and $admins can use persistent subscriptions', async (as) => {
  assert.is(await refused(() => as(GUEST).createPersistentSubscriptionToStream('probe-1', 'g', settings)), 7);
  await as(OPERATOR).createPersistentSubscriptionToStream('probe-1', 'g', settings);
  assert.is(await refused(() => as(GUEST).listAllPersistentSubscriptions()), 7);
  assert.is(await refused(() => read(as(GUEST).subscribeToPersistentSubscriptionToStream('probe-1', 'g'))), 7);
  assert.is((await as(OPERATOR).listAllPersistentSubscriptions()).length, 1);
  await as(ADMIN).deletePersistentSubscriptionToStream('probe-1', 'g');
});

test('a stream that begins with $ is readable by $admins, and by users that its metadata names', async (as) => {
  const parked = '$persistentsubscription-probe-1::g-parked';
  await as(ADMIN).appendToStream(parked, probed);
  assert.is(await refused(() => read(as(OPERATOR).readStream(parked))), 7);
  assert.is(await refused(() => as(OPERATOR).appendToStream(parked, probed)), 7);
  await as(ADMIN).setStreamMetadata(parked, { acl: { readRoles: ['$ops'] } });
  assert.is(await read(as(OPERATOR).readStream(parked)), 1);
  assert.is(await refused(() => as(OPERATOR).appendToStream(parked, probed)), 7);
});

rights.run();
