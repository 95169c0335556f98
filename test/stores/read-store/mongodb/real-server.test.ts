import { MongoClient, MongoServerError } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoDb } from '../../../../stores/mongodb/open.ts';
import { filterOf, sortOf } from '../../../../stores/read-store/mongodb/query.ts';
import { openMongoReadStore } from '../../../../stores/read-store/mongodb/open.ts';
import type { Query } from '../../../../stores/read-store/port.ts';
import { at, type Fields } from '../../../contracts/read-store/opened.ts';
import { REAL_MONGODB_URL, startMongoDb, testDatabase } from '../../../servers/mongodb/server.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('read models in a real MongoDB');

const COMMAND_NOT_FOUND = 59;

/** Returns whether MONGODB_URL names mongo-java-server, which does not know the command `hello`. */
const isStandIn = async (url: string): Promise<boolean> => {
  const client = new MongoClient(url);
  const known = client.db('admin').command({ hello: 1 });
  const unknown = await known.then(
    () => false,
    (error: unknown) => {
      if (error instanceof MongoServerError && error.code === COMMAND_NOT_FOUND) return true;
      throw error;
    },
  );
  await client.close();
  return unknown;
};

if (REAL_MONGODB_URL !== null && (await isStandIn(REAL_MONGODB_URL))) {
  console.log('skipped: MONGODB_URL names mongo-java-server, which has no plans, no expiry and no write concerns');
  test.skip('tests on a real MongoDB are skipped, because MONGODB_URL names mongo-java-server', () => undefined);
}
// Features that mongo-java-server lacks: query plans, expiry of documents, and write concerns.
else if (REAL_MONGODB_URL !== null) {
  const GENERATION = { projection: 'pages@1', number: 1 };

  test('lists in MongoDB use their indexes, and are not sorted in memory', async () => {
    const database = testDatabase(await startMongoDb());
    const mongo = openMongoDb(database.url);
    const store = openMongoReadStore(mongo);
    await store.open(GENERATION, { things: { indexes: [{ page_id: 1, created_at: -1 }, { created_at: 1 }] } });
    const documents = Array.from({ length: 2_000 }, (_, index): Fields => {
      const created_at = `2026-11-20T00:00:00.${index.toString().padStart(6, '0')}`;
      return { id: `d${index}`, page_id: `p${index % 40}`, created_at };
    });
    await store.commit(GENERATION, { things: documents.map((put) => ({ put })) }, at(1n));
    const things = mongo.db.collection('pages@1.things.1');
    const queries: Query[] = [
      { where: { page_id: 'p1' }, sort: { created_at: -1 }, limit: 20 },
      { where: { created_at: { $gte: '2026-11-20T00:00:00.001990' } }, sort: { created_at: 1 } },
      { where: { page_id: { $in: ['p1', 'p2'] }, created_at: { $lt: '2026-11-20T00:00:00.000100' } } },
    ];
    for (const { where = {}, sort, limit = 0 } of queries) {
      const cursor = things.find(filterOf(where) as object, { ...(sort && { sort: sortOf(sort) }), limit });
      const plan = JSON.stringify(await cursor.explain('executionStats'));
      assert.match(plan, '"IXSCAN"');
      assert.not.match(plan, '"COLLSCAN"');
      if (sort) assert.not.match(plan, '"SORT"');
      const examined = Number(/"totalDocsExamined":(\d+)/.exec(plan)?.[1]);
      assert.ok(examined <= 110, `${examined} documents were looked at`);
    }
    await mongo.close();
    await database.drop();
  });

  test('the tombstone of a deleted document is removed from MongoDB after a day', async () => {
    const database = testDatabase(await startMongoDb());
    const mongo = openMongoDb(database.url);
    const store = openMongoReadStore(mongo);
    await store.open(GENERATION, { things: { indexes: [] } });
    await store.commit(GENERATION, { things: [{ put: { id: 'a' } }, { put: { id: 'b' } }] }, at(1n));
    await store.commit(GENERATION, { things: [{ delete: 'a' }] }, at(2n));
    const things = mongo.db.collection<{ _id: string }>('pages@1.things.1');
    assert.is(await things.countDocuments(), 2);
    await things.updateOne({ _id: 'a' }, { $set: { deleted_at: new Date(Date.now() - 25 * 3_600_000) } });
    // MongoDB looks for expired documents once a minute.
    await eventually(async () => (await things.countDocuments()) !== 2, { within: 180_000 });
    assert.is(await store.count(GENERATION, 'things'), 1);
    await mongo.close();
    await database.drop();
  });

  test('writes to MongoDB wait for a majority', async () => {
    const database = testDatabase(await startMongoDb());
    const mongo = openMongoDb(`${database.url}${database.url.includes('?') ? '&' : '?'}w=0`);
    assert.equal(mongo.db.writeConcern?.w, 'majority');
    await mongo.close();
    await database.drop();
  });
}

test.run();
