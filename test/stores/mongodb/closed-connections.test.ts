import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { openProxy } from '../../servers/proxy.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../servers/mongodb/server.ts';
import { within } from '../../waiting.ts';

const test = suite('a command to MongoDB in the socket buffer');
/** Larger than the socket buffers of client and server together. */
const LARGE = 'x'.repeat(12 * 1024 * 1024);
const TIMEOUT_MS = 1_000;

test('a command to MongoDB whose data is still in the socket buffer fails when its connection fails', async () => {
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
