import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoKeys } from '../../../stores/keys/mongodb.ts';
import { FORGOTTEN, KeysUnavailable, UnreadableSeal, type MovableKeys } from '../../../stores/keys/port.ts';
import { WrongWrappingKey } from '../../../stores/keys/wrapping.ts';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { keysContract, movableKeysContract, LOCATION } from '../../contracts/keys.ts';
import { rejects } from '../../rejects.ts';
import {
  SHORT_TIMEOUTS,
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../../servers/mongodb/server.ts';
import { openProxy } from '../../servers/proxy.ts';
import { eventually } from '../../waiting.ts';

const wrappingKey = randomBytes(32);

/** Opens the keys over a separate connection, as another process does. */
const open = async (url: string, key = wrappingKey, timeouts = {}): Promise<MovableKeys> => {
  const mongo = openMongoDb(url, timeouts);
  const keys = await openMongoKeys(mongo, { wrappingKey: key }).catch(async (error: unknown) => {
    await mongo.close();
    throw error;
  });
  return {
    ...keys,
    close: async () => {
      await keys.close();
      await mongo.close();
    },
  };
};

if (!skippedWithoutMongoDb()) {
  let running: Promise<MongoDbServer> | null = null;
  const server = (): Promise<MongoDbServer> => (running ??= startMongoDb());

  const opened = async (key = wrappingKey) => {
    const database = testDatabase(await server());
    const keys = await open(database.url, key);
    return {
      keys,
      again: () => open(database.url, key),
      dispose: async () => {
        await keys.close();
        await database.drop();
      },
    };
  };

  keysContract('MongoDB', () => opened(), { durable: true });
  movableKeysContract('MongoDB', () => opened(randomBytes(32)));

  const test = suite<{ database: TestDatabase }>('keys in MongoDB');
  test.before.each(async (context) => {
    context.database = testDatabase(await server());
  });
  test.after.each(({ database }) => database.drop());
  test.after(async () => (await server()).stop());

  test('many processes that use a key for the first time concurrently create only one key in MongoDB', async ({
    database,
  }) => {
    const processes = await Promise.all(Array.from({ length: 6 }, () => open(database.url)));
    const sealed = await Promise.all(processes.map((keys, index) => keys.seal('check-1', `text ${index}`, LOCATION)));
    for (const keys of processes) {
      for (const [index, one] of sealed.entries()) assert.is(await keys.open(one, LOCATION), `text ${index}`);
    }
    const fingerprints = await Promise.all(processes.map((keys) => keys.fingerprint('email', 'a@example.test')));
    assert.is(new Set(fingerprints).size, 1);
    await Promise.all(processes.map((keys) => keys.close()));
  });

  test('each of several concurrent look-ups of keys in MongoDB gets its own result', async ({ database }) => {
    const keys = await open(database.url);
    const remaining = await keys.seal('kept', 'secret', LOCATION);
    const forgotten = await keys.seal('forgotten', 'secret', LOCATION);
    await keys.forget('forgotten');
    const responses = await Promise.allSettled([
      keys.open(remaining, LOCATION),
      keys.open(forgotten, LOCATION),
      keys.open({ key: 'never', sealed: remaining.sealed }, LOCATION),
      keys.open({ key: 'kept', sealed: 'AAAA' }, LOCATION),
      keys.open(remaining, LOCATION),
    ]);
    assert.equal(
      responses.map((response) => (response.status === 'fulfilled' ? response.value : (response.reason as Error).name)),
      ['secret', FORGOTTEN, 'UnreadableSeal', 'UnreadableSeal', 'secret'],
    );
    await keys.close();
  });

  test('a wrong wrapping key for MongoDB is refused with an error message, before anything is sealed under it', async ({
    database,
  }) => {
    await (await open(database.url)).close();
    await rejects(
      open(database.url, randomBytes(32)),
      WrongWrappingKey,
      /MongoDB was encrypted with another key\. .*SECRETS_KEY/,
    );
  });

  test('no document in MongoDB reveals a key or a text', async ({ database }) => {
    const keys = await open(database.url);
    await keys.seal('check-1', 'secret', LOCATION);
    const { keys: ring } = await keys.exportRing();
    const mongo = openMongoDb(database.url);
    const [stored] = await mongo.db.collection('keys').find().toArray();
    const bytes = (stored?.['wrapped'] as { buffer: Buffer }).buffer;
    assert.ok(bytes.length > 32);
    assert.not.ok(bytes.includes(ring.get('check-1') ?? Buffer.alloc(0)));
    await mongo.close();
    await keys.close();
  });

  test('a wrapped key in MongoDB that was replaced by another wrapped key is reported as damaged', async ({
    database,
  }) => {
    const keys = await open(database.url);
    const sealed = await keys.seal('check-1', 'secret', LOCATION);
    await keys.seal('check-2', 'secret', LOCATION);
    const mongo = openMongoDb(database.url);
    const stored = mongo.db.collection<{ _id: string; wrapped: unknown }>('keys');
    const other = await stored.findOne({ _id: 'check-2' });
    await stored.updateOne({ _id: 'check-1' }, { $set: { wrapped: other?.wrapped } });
    await rejects(keys.open(sealed, LOCATION), UnreadableSeal, /the key itself is damaged/);
    await mongo.close();
    await keys.close();
  });

  test('keys opened while MongoDB is down work when the server is back, and only with the correct wrapping key', async ({
    database,
  }) => {
    await (await open(database.url)).close();
    const proxy = await openProxy(await server());
    proxy.refuse();
    const url = database.through(proxy);
    const keys = await open(url, wrappingKey, SHORT_TIMEOUTS);
    const wrong = await open(url, randomBytes(32), SHORT_TIMEOUTS);
    await rejects(keys.seal('check-1', 'text', LOCATION), KeysUnavailable, /^MongoDB can't be used: /);
    await rejects(keys.fingerprint('email', 'text'), KeysUnavailable);
    proxy.restore();
    const sealed = await eventually(() => keys.seal('check-1', 'text', LOCATION).catch(() => null));
    assert.is(await keys.open(sealed, LOCATION), 'text');
    await eventually(async () => {
      const refused = await wrong.seal('check-2', 'text', LOCATION).catch((error: unknown) => error);
      if (!(refused instanceof Error)) throw new Error('Something was sealed under a wrong key.');
      return refused instanceof WrongWrappingKey;
    });
    await keys.close();
    await wrong.close();
    await proxy.close();
  });

  test.run();
}
