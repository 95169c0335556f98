import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoCoordination } from '../../../../stores/coordination/mongodb/open.ts';
import type { Coordination } from '../../../../stores/coordination/port.ts';
import { openMongoDb, type MongoDb } from '../../../../stores/mongodb/open.ts';
import {
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../../../servers/mongodb/server.ts';

const NOW = Date.now();
const HOUR = 3_600_000;
const SECOND = 1_000;

if (!skippedWithoutMongoDb()) {
  const test = suite('claims of processes whose clocks differ by an hour');
  let server: MongoDbServer;
  let database: TestDatabase;
  let mongo: MongoDb;

  test.before(async () => {
    server = await startMongoDb();
    database = testDatabase(server);
    mongo = openMongoDb(database.url);
  });
  test.after(async () => {
    await mongo.close();
    await database.drop();
    await server.stop();
  });

  /** Claims so many milliseconds from now, by a clock that is so far ahead. */
  const claiming = (ahead: number): ((id: string, after: number) => ReturnType<Coordination['claim']>) => {
    const coordination = openMongoCoordination(mongo, undefined, () => ahead);
    return (id, after) => coordination.claim(id, 'fingerprint', NOW + after + ahead);
  };
  test('are neither taken over before their time nor held beyond it', async () => {
    const [early, late] = [claiming(HOUR), claiming(-HOUR)];
    for (const [id, first, second] of [
      ['early', early, late],
      ['late', late, early],
    ] as const) {
      assert.is(await first(id, 0), null);
      assert.is((await second(id, 20 * SECOND))?.created_at, NOW);
      assert.is(await second(id, 31 * SECOND), null);
    }
  });

  test.run();
}
