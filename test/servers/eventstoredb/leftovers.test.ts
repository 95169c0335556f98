import { jsonEvent, persistentSubscriptionToStreamSettingsFromDefaults } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../stores/eventstoredb/connection.ts';
import { openServer } from '../../stores/event-store/eventstoredb/opened.ts';
import { leftoversOf, ownPrefix } from './leftovers.ts';

const test = suite('the cleanup of tests on a permanent EventStoreDB');
const server = await openServer();

test('the cleanup of a test removes only the streams and groups of the test', async () => {
  const { client, credentials, close } = connect(server.url);
  const [prefix, other] = [ownPrefix(), ownPrefix()];
  const others = await leftoversOf(server.url, other);
  const own = await leftoversOf(server.url, prefix);
  const names = ['log-main', 'check_runs-eu', 'odd'];
  const event = () => jsonEvent({ type: 'Probed', data: {} });
  for (const name of names) {
    for (const begin of [prefix, other]) await client.appendToStream(`${begin}${name}`, event(), credentials);
  }
  // The test itself may have deleted one of its streams.
  await client.deleteStream(`${prefix}odd`, credentials);
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({});
  for (const begin of [prefix, other])
    await client.createPersistentSubscriptionToStream(`${begin}check_runs-eu`, 'workers', settings, credentials);

  const found = async (begin: string): Promise<string[]> => {
    const streams = [];
    for (const name of [...names, 'end-1']) {
      const reading = client.readStream(`${begin}${name}`, credentials);
      try {
        for await (const { event } of reading) if (event) streams.push(name);
      } catch (error) {
        assert.is((error as { type: string }).type, 'stream-not-found');
      }
    }
    return streams;
  };
  const groups = async (): Promise<string[]> =>
    (await client.listAllPersistentSubscriptions(credentials)).map(({ eventSource }) => eventSource);

  await own.remove();
  assert.equal(await found(prefix), []);
  assert.equal(await found(other), names);
  const left = await groups();
  assert.equal([left.includes(`${prefix}check_runs-eu`), left.includes(`${other}check_runs-eu`)], [false, true]);
  await others.remove();
  assert.equal(await found(other), []);
  await close();
});

test.after(() => server.close());
test.run();
