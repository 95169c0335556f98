import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { openProxy } from '../../servers/proxy.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../servers/mongodb/server.ts';
import { within } from '../../waiting.ts';

const test = suite('a command to MongoDB that its socket has not taken in yet');
/** More than the sockets of both sides hold. */
const LARGE = 'x'.repeat(12 * 1024 * 1024);
const TIMEOUT_MS = 1_000;

test('fails with its connection', async () => {
  const server = await startMongoDb();
  const database = testDatabase(server);
  const proxy = await openProxy({ host: server.host, port: server.port });
  const mongo = openMongoDb(database.through(proxy), { socketTimeoutMS: TIMEOUT_MS });
  try {
    await mongo.ready();
    proxy.halfOpen();
    const writing = Promise.allSettled([mongo.db.collection('things').insertOne({ text: LARGE })]);
    const [ended] = await within(10 * TIMEOUT_MS, writing, 'the write has ended');
    assert.match(inspect(ended), /MongoNetworkTimeoutError/);
  } finally {
    await mongo.close();
    await database.drop();
    await proxy.close();
    await server.stop();
  }
});

if (!skippedWithoutMongoDb()) test.run();
