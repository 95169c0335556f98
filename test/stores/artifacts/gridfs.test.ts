import type { ObjectId } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openGridFsArtifacts } from '../../../stores/artifacts/gridfs/open.ts';
import {
  ArtifactLost,
  ArtifactsUnavailable,
  type Artifact,
  type ArtifactLimits,
  type Artifacts,
} from '../../../stores/artifacts/port.ts';
import type { MongoDb } from '../../../stores/mongodb/database.ts';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { artifactsContract } from '../../contracts/artifacts.ts';
import { readAll, artifactHead, LIMITS, onTheHour, pieces, someBytes } from '../../contracts/artifacts/examples.ts';
import { rejects } from '../../rejects.ts';
import {
  SHORT_TIMEOUTS,
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../../servers/mongodb/server.ts';
import { gated } from '../read-store/mongodb/stepping.ts';
import { openProxy } from '../../servers/proxy.ts';
import { eventually } from '../../waiting.ts';

/** Opens the artifacts over a separate connection, as another process does. */
const open = async (url: string, limits: ArtifactLimits): Promise<Artifacts> => {
  const mongo = openMongoDb(url);
  const artifacts = openGridFsArtifacts(mongo, { limits });
  return {
    ...artifacts,
    close: async () => {
      await artifacts.close();
      await mongo.close();
    },
  };
};

if (!skippedWithoutMongoDb()) {
  let running: Promise<MongoDbServer> | null = null;
  const server = (): Promise<MongoDbServer> => (running ??= startMongoDb());

  artifactsContract('GridFS', async (limits) => {
    const database = testDatabase(await server());
    const artifacts = await open(database.url, limits);
    return {
      artifacts,
      again: () => open(database.url, limits),
      dispose: async () => {
        await artifacts.close();
        await database.drop();
      },
    };
  });

  const test = suite<{ database: TestDatabase; mongo: MongoDb; artifacts: Artifacts }>('artifacts in GridFS');
  test.before.each(async (context) => {
    context.database = testDatabase(await server());
    context.mongo = openMongoDb(context.database.url);
    // With a time limit of zero, every pending upload counts as abandoned.
    context.artifacts = openGridFsArtifacts(context.mongo, { limits: LIMITS, abandonedAfter: 0 });
  });
  test.after.each(async ({ database, mongo }) => {
    await mongo.close();
    await database.drop();
  });
  test.after(async () => (await server()).stop());

  const counts = async ({ db }: MongoDb): Promise<number[]> => {
    const names = ['artifacts', 'artifacts_pending', 'artifact_contents.files', 'artifact_contents.chunks'];
    return Promise.all(names.map((name) => db.collection(name).countDocuments()));
  };

  test('a stored artifact has only the documents that it needs in MongoDB, and refused or removed artifacts have none', async ({
    mongo,
    artifacts,
  }) => {
    const given = artifactHead();
    await artifacts.store(given, pieces(someBytes(600_000)));
    assert.equal(await counts(mongo), [1, 0, 1, 3]);
    await artifacts.store(artifactHead(), pieces(someBytes(LIMITS.runBytes + 1))).catch(() => undefined);
    assert.equal(await counts(mongo), [1, 0, 1, 3]);
    await artifacts.remove(given.id);
    assert.equal(await counts(mongo), [0, 0, 0, 0]);
  });

  test('the files of a dead GridFS writer do not count as artifacts, and are swept', async ({
    mongo,
    artifacts,
    database,
  }) => {
    const dying = openMongoDb(database.url);
    let written = (): void => undefined;
    const part = new Promise<void>((resolve) => (written = resolve));
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      yield someBytes(600_000);
      written();
      await new Promise(() => undefined);
    }
    const given = artifactHead();
    void openGridFsArtifacts(dying, { limits: LIMITS }).store(given, endless());
    await part;
    await dying.close();
    const young = openGridFsArtifacts(mongo, { limits: LIMITS });
    assert.is(await young.sweep(), 0);
    assert.is(await artifacts.find(given.id), null);
    assert.equal(await counts(mongo), [0, 1, 0, 2]);
    assert.is(await artifacts.sweep(), 1);
    assert.equal(await counts(mongo), [0, 0, 0, 0]);
  });

  test('a GridFS writer that was assumed dead gets an error, and leaves no files behind', async ({
    mongo,
    artifacts,
  }) => {
    async function* slowly(): AsyncGenerator<Uint8Array, void, undefined> {
      yield someBytes(600_000);
      await artifacts.sweep();
      yield someBytes(1);
    }
    const given = artifactHead();
    const message = 'Storing the file took too long.';
    await rejects(artifacts.store(given, slowly()), ArtifactsUnavailable, message);
    assert.is(await artifacts.find(given.id), null);
    assert.equal(await counts(mongo), [0, 0, 0, 0]);
  });

  test('an artifact remains stored if its writer died after storing it, and is removed if its removal had begun', async (context) => {
    const { mongo, artifacts } = context;
    const pending = mongo.db.collection<{ _id: ObjectId }>('artifacts_pending');
    for (const [state, stored] of [
      ['writing', 1],
      ['removing', 0],
    ] as const) {
      const given = artifactHead();
      await artifacts.store(given, pieces(someBytes(10)));
      const document = await mongo.db
        .collection<{ _id: string; content: ObjectId }>('artifacts')
        .findOne({ _id: given.id });
      if (!document) throw new Error('It was not stored.');
      const left = { artifact_id: given.id, state, at: new Date(0) };
      await pending.insertOne({ _id: document.content, ...left });
      await artifacts.sweep();
      assert.is(await pending.countDocuments(), 0);
      assert.is((await artifacts.find(given.id)) === null ? 0 : 1, stored);
      if (stored === 1) assert.is((await readAll(await artifacts.read(given.id))).length, 10);
    }
  });

  test('no further files are removed if another process makes room for the upload concurrently', async ({
    mongo,
    artifacts,
  }) => {
    const { organization_id } = artifactHead();
    const store = (by: Artifacts, hour: number): Promise<Artifact> =>
      by.store(
        artifactHead({ organization_id, created_at: onTheHour(hour) }),
        pieces(someBytes(LIMITS.organizationBytes / 6)),
      );
    for (let hour = 0; hour < 6; hour++) await store(artifacts, hour);
    let made: Promise<unknown> | undefined;
    const db = gated(mongo.db, async (operation, name) => {
      // At this moment the upload has read the sum of the organization's files, but not their list.
      if (name === 'find') await (made ??= store(artifacts, 7));
      return operation();
    });
    await store(openGridFsArtifacts({ ...mongo, db }, { limits: LIMITS }), 6);
    assert.ok(made, 'the other process has made room');
    assert.equal(await artifacts.usage(organization_id), { files: 6, bytes: LIMITS.organizationBytes });
  });

  test('GridFS content with a missing chunk is reported', async ({ mongo, artifacts }) => {
    const given = artifactHead();
    await artifacts.store(given, pieces(someBytes(600_000)));
    await mongo.db.collection('artifact_contents.chunks').deleteOne({ n: 1 });
    const first = await artifacts.read(given.id, { from: 0, to: 1_000 });
    assert.is((await readAll(first)).length, 1_001);
    await rejects(
      readAll(await artifacts.read(given.id)),
      ArtifactLost,
      /^The file \w+ in artifact_contents is missing/,
    );
    await mongo.db.collection('artifact_contents.files').deleteMany({});
    await rejects(artifacts.read(given.id), ArtifactLost);
  });

  test('artifacts in GridFS are unavailable without a connection, and available again with the next connection', async ({
    database,
  }) => {
    const { host, port } = await server();
    const proxy = await openProxy({ host, port });
    const mongo = openMongoDb(database.through(proxy), SHORT_TIMEOUTS);
    const artifacts = openGridFsArtifacts(mongo, { limits: LIMITS });
    const given = artifactHead();
    await artifacts.store(given, pieces(someBytes(300_000)));
    proxy.refuse();
    await rejects(artifacts.find(given.id), ArtifactsUnavailable);
    await rejects(artifacts.store(artifactHead(), pieces(someBytes(10))), ArtifactsUnavailable);
    proxy.restore();
    await eventually(async () => (await artifacts.find(given.id).catch(() => null)) !== null);
    await artifacts.store(artifactHead(), pieces(someBytes(10)));
    await mongo.close();
    await proxy.close();
  });

  test.run();
}
