import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoDb, WrongMongoDbUrl } from '../../../../stores/mongodb/open.ts';
import { openMongoReadStore } from '../../../../stores/read-store/mongodb/open.ts';
import {
  DocumentsRefused,
  GenerationMissing,
  ReadStoreUnavailable,
  StaleWriter,
  type Generation,
  type ReadStore,
  type Write,
} from '../../../../stores/read-store/port.ts';
import { at, commitThings, HOLDER, idsOf, openThings, type Fields } from '../../../contracts/read-store/opened.ts';
import { rejects } from '../../../rejects.ts';
import {
  SHORT_TIMEOUTS,
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../../../servers/mongodb/server.ts';
import { openProxy, type Proxy } from '../../../servers/proxy.ts';

const GENERATION: Generation = { projection: 'pages@1', number: 1 };
const THINGS = { things: { indexes: [] } };
const LEASE = { name: 'projection:pages@1', token: 7n };
const MIB = 1_048_576;

const succeeding = async <T>(action: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ReadStoreUnavailable)) throw error;
    }
  }
};

/**
 * Opens the store, with retries. The time limits are short, so the first connections can be too slow on a busy machine.
 */
const opened = (...given: Parameters<typeof openThings>): Promise<unknown> => succeeding(() => openThings(...given));

if (!skippedWithoutMongoDb()) {
  interface Context {
    database: TestDatabase;
    proxy: Proxy;
    open: (url?: string) => ReadStore;
    leave: (() => Promise<unknown>)[];
  }
  const test = suite<Context>('read models in MongoDB');
  let server: MongoDbServer;

  test.before(async () => {
    server = await startMongoDb();
  });
  test.after(() => server.stop());
  test.before.each(async (context) => {
    const database = testDatabase(server);
    const proxy = await openProxy(server);
    const leave: Context['leave'] = [];
    const open = (url?: string): ReadStore => {
      const mongo = url === undefined ? openMongoDb(database.url) : openMongoDb(url, SHORT_TIMEOUTS);
      leave.push(() => mongo.close());
      return openMongoReadStore(mongo);
    };
    Object.assign(context, { database, proxy, open, leave });
  });
  test.after.each(async ({ leave, database, proxy }) => {
    for (const each of leave) await each();
    await proxy.close();
    await database.drop();
  });

  test('a repeated commit whose responses were lost is applied exactly once', async ({ database, proxy, open }) => {
    const store = open(database.through(proxy));
    await opened(store, GENERATION, [{ id: 'a', of: '1' }]);
    for (const [index, fail] of [proxy.loseResponses, proxy.freeze, proxy.refuse].entries()) {
      const position = BigInt(index) + 2n;
      const documents: Fields[] = ['a', `new-${position}`].map((id) => ({ id, of: position.toString() }));
      const commit = () =>
        commitThings(
          store,
          GENERATION,
          documents.map((put): Write => ({ put })),
          position,
        );
      fail();
      await rejects(commit(), ReadStoreUnavailable, /^MongoDB can't be used: /);
      proxy.restore();
      await succeeding(commit);
      assert.equal(await store.checkpoint(GENERATION), at(position));
      assert.equal(await store.find(GENERATION, 'things', { where: { of: position.toString() } }), documents);
    }
  });

  test('connections that are cut at any moment lose no commit and repeat none', async ({ database, proxy, open }) => {
    const store = open(database.through(proxy));
    await opened(store, GENERATION, [{ id: 'count', of: 1 }]);
    let failures = 0;
    let rounds = 0;
    for (let position = 2n; position <= 40n;) {
      try {
        proxy.dropAfter(2 + (rounds++ % 15));
        // After a failure, the test reads the stored checkpoint and continues from there, as an engine does.
        const reached = (await store.checkpoint(GENERATION))?.position ?? 0n;
        const [counter] = (await store.get(GENERATION, 'things', ['count'])) as Fields[];
        const next = reached + 1n;
        const put = { id: 'count', of: Number(counter?.['of']) + 1 } as Fields;
        await commitThings(store, GENERATION, [{ put }, { put: { id: `new-${next}` } }], next);
        position = next + 1n;
      } catch (error) {
        if (!(error instanceof ReadStoreUnavailable)) throw error;
        failures++;
        proxy.restore();
        await succeeding(() => store.open(GENERATION, THINGS));
      }
    }
    proxy.restore();
    const [counter] = (await succeeding(() => store.get(GENERATION, 'things', ['count']))) as Fields[];
    // The newest commit may have been applied although it failed, so the position can be higher than the loop assumed.
    const reached = (await store.checkpoint(GENERATION))?.position ?? 0n;
    assert.ok(reached >= 40n);
    assert.is(counter?.['of'], Number(reached));
    assert.is(await store.count(GENERATION, 'things'), Number(reached));
    assert.ok(failures > 0, 'something was cut');
  });

  test('a read store opened while MongoDB is down works when the server is back', async ({ database, proxy, open }) => {
    await openThings(open(), GENERATION, [{ id: 'a' }]);
    proxy.refuse();
    const store = open(database.through(proxy));
    await rejects(store.get(GENERATION, 'things', ['a']), ReadStoreUnavailable);
    await rejects(store.list(), ReadStoreUnavailable);
    proxy.restore();
    assert.equal(idsOf(await succeeding(() => store.get(GENERATION, 'things', ['a']))), ['a']);
  });

  test('creating indexes may take longer than the time limit of other calls', async ({ database, proxy, open }) => {
    const store = open(database.through(proxy));
    await store.open(GENERATION, { things: { indexes: [{ x: 1 }] } }, { deferIndexes: true });
    await store.commit(GENERATION, { things: [{ put: { id: 'a' } }] }, at(1n));
    proxy.delay(450);
    await rejects(store.count(GENERATION, 'things'), ReadStoreUnavailable, /it did not respond in time/);
    proxy.delay(0);
    await succeeding(() => store.count(GENERATION, 'things'));
    await store.buildIndexes(GENERATION);
  });

  test('a commit that is too large for one MongoDB document is atomic', async ({ open, database }) => {
    const [store, next] = [open(), open()];
    await store.open(GENERATION, THINGS, { lease: LEASE });
    const large = (id: string, letter: string): Fields => ({ id, text: letter.repeat(7 * MIB) });
    const ids = ['a', 'b', 'c', 'd'];
    await store.commit(GENERATION, { things: ids.map((id) => ({ put: large(id, 'x') })) }, at(1n));
    // Another process takes over the lease during the next commit.
    const second = store.commit(GENERATION, { things: ids.map((id) => ({ put: large(id, 'y') })) }, at(2n));
    const lost = second.catch((error: unknown) => error);
    await next.open(GENERATION, THINGS, { lease: { ...LEASE, token: 8n } });
    const outcome = await lost;
    assert.ok(outcome === undefined || outcome instanceof StaleWriter, String(outcome));
    const reached = (await next.checkpoint(GENERATION))?.position;
    const found = (await next.get(GENERATION, 'things', ids)) as Fields[];
    const letters = found.map((document) => String(document['text']).charAt(0)).join('');
    assert.is(letters, reached === 2n ? 'yyyy' : 'xxxx');
    const { db, close } = openMongoDb(database.url);
    assert.is(await db.collection('journal_parts').countDocuments(), 0);
    await close();
  });

  test('a document that MongoDB can not store is refused, and nothing is written', async ({ open }) => {
    const store = open();
    await opened(store, GENERATION, [{ id: 'a' }]);
    // An array of digits takes six times as much room in BSON as in JSON.
    const digits = Array.from({ length: 1.5 * MIB }, () => 1);
    const writes = [{ put: { id: 'b' } }, { put: { id: 'c', digits } as Fields }];
    await rejects(commitThings(store, GENERATION, writes), DocumentsRefused, /things\/c .* bytes in MongoDB/);
    assert.equal(idsOf(await store.find(GENERATION, 'things', {})), ['a']);
    await commitThings(store, GENERATION, [{ put: { id: 'b' } }]);
    assert.equal(idsOf(await store.find(GENERATION, 'things', {})), ['a', 'b']);
  });

  test('field names that MongoDB refuses are read unchanged', async ({ open }) => {
    const store = open();
    const document: Fields = {
      id: 'a',
      'of.the': 1,
      $set: { $x: [{ 'a.b': 1, 'nul\u0000': 2 }] },
      '%2e': '%24',
      '100%': 1,
      '': 'empty',
      _id: 'own',
      position: 'own',
      document: 'own',
    };
    await opened(store, GENERATION, [document]);
    assert.equal(await store.get(GENERATION, 'things', ['a']), [document]);
    assert.equal(await store.find(GENERATION, 'things', { where: { position: 'own' } }), [document]);
  });

  test('the tombstone of a deleted document is not found by any query', async ({ open }) => {
    const store = open();
    await opened(store, GENERATION, [{ id: 'a', x: 1 }, { id: 'b' }]);
    await commitThings(store, GENERATION, [{ delete: 'a' }, { delete: 'b' }]);
    for (const where of [{}, { x: null }, { id: 'a' }, { x: { $ne: 2 } }, { x: { $nin: [] } }, { id: { $gte: '' } }]) {
      assert.equal(await store.find(GENERATION, 'things', { where }), [], JSON.stringify(where));
      assert.is(await store.count(GENERATION, 'things', where), 0, JSON.stringify(where));
    }
    assert.equal(await store.get(GENERATION, 'things', ['a', 'b']), []);
    await commitThings(store, GENERATION, [{ put: { id: 'a', x: 2 } as Fields }], 3n);
    assert.equal(await store.find(GENERATION, 'things', {}), [{ id: 'a', x: 2 }]);
  });

  test('commits and openings by a process that no longer holds the lease are refused', async ({ open }) => {
    const [before, now] = [open(), open()];
    await before.open(GENERATION, THINGS, { lease: LEASE });
    await before.commit(GENERATION, { things: [{ put: { id: 'a' } }] }, at(1n));
    await now.open(GENERATION, THINGS, { lease: { ...LEASE, token: 8n } });
    const message = 'Generation 1 of pages@1 is now written by another process.';
    await rejects(commitThings(before, GENERATION, [{ put: { id: 'b' } }]), StaleWriter, message);
    await rejects(commitThings(before, GENERATION, []), StaleWriter);
    await rejects(before.open(GENERATION, THINGS, { lease: LEASE }), StaleWriter);
    assert.equal(idsOf(await now.find(GENERATION, 'things', {})), ['a']);
    assert.equal(await now.checkpoint(GENERATION), at(1n));
    // A process without the lease can still read.
    assert.equal(idsOf(await before.find(GENERATION, 'things', {})), ['a']);
  });

  test('the holder of another lease can take over a generation, as an engine does after a rebuild', async ({
    open,
  }) => {
    const [rebuild, engine] = [open(), open()];
    await rebuild.open(GENERATION, THINGS, { lease: { name: 'rebuild:pages@1', token: 90n } });
    await rebuild.commit(GENERATION, { things: [{ put: { id: 'a' } }] }, at(1n));
    await engine.open(GENERATION, THINGS, { lease: LEASE });
    await engine.commit(GENERATION, { things: [{ put: { id: 'b' } }] }, at(2n));
    await rejects(commitThings(rebuild, GENERATION, [], 3n), StaleWriter);
  });

  test("a writer notices that MongoDB has lost the writer's newest commit", async ({ open, database }) => {
    const store = open();
    await opened(store, GENERATION, [{ id: 'a' }]);
    await commitThings(store, GENERATION, [{ put: { id: 'b' } }], 2n);
    const { db, close } = openMongoDb(database.url);
    const { position, ...rest } = at(1n);
    await db.collection('generations').updateOne({}, { $set: { checkpoint: { ...rest, position } } });
    await close();
    const late = commitThings(store, GENERATION, [{ put: { id: 'c' } }], 3n);
    await rejects(late, ReadStoreUnavailable, /has lost the last commit of generation 1 of pages@1/);
    assert.equal(await store.checkpoint(GENERATION), at(1n));
  });

  test('an interrupted drop leaves a generation that can only be dropped', async ({ open, database }) => {
    const store = open();
    await opened(store, GENERATION, [{ id: 'a' }]);
    const { db, close } = openMongoDb(database.url);
    await db.collection('generations').updateOne({}, { $set: { dropped: true } });
    const other = open();
    await rejects(other.find(GENERATION, 'things', {}), GenerationMissing);
    await rejects(commitThings(store, GENERATION, [{ put: { id: 'b' } }]), GenerationMissing);
    assert.equal(await other.list(), [GENERATION]);
    await other.drop(GENERATION, HOLDER);
    assert.equal(await other.list(), []);
    const left = (await db.listCollections().toArray()).map(({ name }) => name);
    assert.not.ok(
      left.some((name) => name.startsWith('pages@1')),
      left.join(),
    );
    await close();
  });

  test('an invalid MONGODB_URL is refused with an error message that does not contain the password', () => {
    for (const url of ['', 'localhost:27017', 'http://user:secret@localhost/', 'mongodb://', 'mongodb://a:b:c/x']) {
      assert.throws(
        () => openMongoDb(url),
        (error: unknown) =>
          error instanceof WrongMongoDbUrl &&
          /^MONGODB_URL can't be used: .+[^.]\.$/.test(error.message) &&
          !error.message.includes('secret'),
        url,
      );
    }
  });

  test.run();
}
