/**
 * Compares read models in MongoDB through the port with the same documents written and read directly with the driver,
 * in one run. The server is the stand-in, or the server named by MONGODB_URL. The stand-in is equally slow for both
 * sides: it scans all documents where MongoDB uses an index.
 */
import type { Db } from 'mongodb';
import { openMongoDb } from '../../stores/mongodb/open.ts';
import { openMongoReadStore } from '../../stores/read-store/mongodb/open.ts';
import type { Document, ReadStore } from '../../stores/read-store/port.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../test/servers/mongodb/server.ts';
import { perSecond, type Row } from '../tools/table.ts';

const GENERATION = { projection: 'incidents@1', number: 1 };
const ROUNDS = 3;
const ROUND_MS = 500;
const BATCH = 500;
const KEPT = 1_000;
const LIST = 20;

type Incident = Document & Record<string, unknown>;

const incident = (number: number): Incident => ({
  id: `i${number.toString(36).padStart(11, '0')}`,
  page_id: `p${number % 50}`,
  name: 'Checkout is slow in some regions',
  status: 'investigating',
  impact: 'minor',
  updates: [{ body: 'We see slow answers from the checkout and are looking for the cause.', status: 'investigating' }],
  components: { q1w2e3r4t5y6: 'degraded_performance', z9x8c7v6b5n4: 'partial_outage' },
  created_at: `2026-11-20T15:04:05.${(number % 1_000_000).toString().padStart(6, '0')}`,
});

interface Side {
  /** writes a batch of new documents */
  write: (documents: Incident[]) => Promise<unknown>;
  one: (id: string) => Promise<unknown>;
  list: (page: string) => Promise<unknown>;
}

const throughPort = async (store: ReadStore): Promise<Side> => {
  await store.open(GENERATION, { incidents: { indexes: [{ page_id: 1, created_at: -1 }] } });
  let position = 0n;
  return {
    write: (documents) => {
      const checkpoint = { log_id: 'log', position: ++position, event_id: null };
      return store.commit(GENERATION, { incidents: documents.map((put) => ({ put })) }, checkpoint);
    },
    one: (id) => store.get(GENERATION, 'incidents', [id]),
    list: (page_id) =>
      store.find(GENERATION, 'incidents', { where: { page_id }, sort: { created_at: -1 }, limit: LIST }),
  };
};

const bare = async (db: Db): Promise<Side> => {
  const incidents = db.collection<Incident & { _id: string }>('bare');
  await incidents.createIndex({ page_id: 1, created_at: -1, _id: -1 }, undefined, undefined);
  return {
    write: (documents) => incidents.insertMany(documents.map((document) => ({ _id: document.id, ...document }))),
    one: (id) => incidents.find({ _id: id }).toArray(),
    list: (page_id) => incidents.find({ page_id }, { sort: { created_at: -1, _id: -1 }, limit: LIST }).toArray(),
  };
};

interface Figure {
  count: number;
  milliseconds: number;
}

const measure = async (action: () => Promise<unknown>, each: number): Promise<Figure> => {
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < ROUND_MS; count += each) await action();
  return { count, milliseconds: performance.now() - started };
};

const add = (a: Figure, b: Figure): Figure => ({
  count: a.count + b.count,
  milliseconds: a.milliseconds + b.milliseconds,
});
const NOTHING: Figure = { count: 0, milliseconds: 0 };

/** Measures both sides in alternation, so that other load on the machine affects both. */
const compare = async (
  what: string,
  port: () => Promise<unknown>,
  peer: () => Promise<unknown>,
  each = 1,
): Promise<Row> => {
  let [ours, theirs] = [NOTHING, NOTHING];
  await port();
  await peer();
  for (let round = 0; round < ROUNDS; round++) {
    theirs = add(theirs, await measure(peer, each));
    ours = add(ours, await measure(port, each));
  }
  return {
    what,
    figure: perSecond(ours.count, ours.milliseconds),
    peer: `bare driver ${perSecond(theirs.count, theirs.milliseconds)}`,
    ratio: ours.count / ours.milliseconds / (theirs.count / theirs.milliseconds),
  };
};

export const bench = async (): Promise<Row[]> => {
  if (skippedWithoutMongoDb()) return [];
  const server = await startMongoDb();
  const database = testDatabase(server);
  const mongo = openMongoDb(database.url);
  const store = openMongoReadStore(mongo);
  try {
    await mongo.ready();
    const [port, peer] = [await throughPort(store), await bare(mongo.db)];
    let made = 0;
    const documents = (count: number): Incident[] => Array.from({ length: count }, () => incident(made++));
    const stored = documents(KEPT);
    for (const side of [port, peer]) await side.write(stored);
    const id = (): string => stored[made++ % KEPT]?.id ?? '';
    const page = (): string => `p${made++ % 50}`;
    return [
      await compare(
        'MongoDB: reads by id',
        () => port.one(id()),
        () => peer.one(id()),
      ),
      await compare(
        `MongoDB: lists of ${LIST} of ${KEPT}`,
        () => port.list(page()),
        () => peer.list(page()),
      ),
      await compare(
        'MongoDB: commits of one document',
        () => port.write(documents(1)),
        () => peer.write(documents(1)),
      ),
      await compare(
        `MongoDB: documents, in commits of ${BATCH}`,
        () => port.write(documents(BATCH)),
        () => peer.write(documents(BATCH)),
        BATCH,
      ),
    ];
  } finally {
    await store.close();
    await mongo.close();
    await database.drop();
    await server.stop();
  }
};
