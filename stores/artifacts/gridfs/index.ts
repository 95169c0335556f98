import type { Collection, Filter, ObjectId } from 'mongodb';
import type { Instant } from '../../../domain/time.ts';
import type { MongoDb } from '../../mongodb/database.ts';
import { AWAITED, isDuplicate, orUnavailable } from '../../mongodb/failures.ts';
import { once } from '../../mongodb/once.ts';
import { serverTime } from '../../mongodb/time.ts';
import { ArtifactsUnavailable, type Artifact, type Usage } from '../port.ts';

/** A complete artifact. */
export interface ArtifactDocument extends Omit<Artifact, 'id'> {
  _id: string;
  content: ObjectId;
}

/**
 * Marks content that is being written or removed. If the process dies before it finishes, a sweep uses this document to
 * find and remove the content.
 */
interface PendingContent {
  _id: ObjectId;
  artifact_id: string;
  state: 'writing' | 'removing';
  /** when the state was set, by MongoDB's clock */
  at?: Date;
}

/** Milliseconds after which content that is still being written or removed counts as abandoned. */
const ABANDONED_AFTER = 3_600_000;

const PAGE = 500;

export interface GridFsArtifactIndex {
  find: (id: string) => Promise<ArtifactDocument | null>;
  ofRun: (organizationId: string, runId: string) => Promise<ArtifactDocument[]>;
  run: (organizationId: string, runId: string | null) => Promise<Usage>;
  /**
   * usage of one organization, or of all organizations if no id is given; with `after`, only of artifacts newer than
   * this one
   */
  usage: (organizationId?: string, after?: ArtifactDocument) => Promise<Usage>;
  /**
   * a page of artifacts of one organization or of all organizations, oldest first; with `after`, the page begins after
   * that artifact
   */
  page: (organizationId?: string, after?: ArtifactDocument) => Promise<ArtifactDocument[]>;
  ofRunsBefore: (before: Instant) => Promise<ArtifactDocument[]>;
  /** Marks content as about to be written. */
  begin: (content: ObjectId, artifactId: string) => Promise<void>;
  /** @returns false if another artifact with this id exists */
  add: (document: ArtifactDocument) => Promise<boolean>;
  /**
   * Marks content as complete.
   *
   * @returns false if a sweep has already treated the content as abandoned
   */
  finish: (content: ObjectId) => Promise<boolean>;
  /**
   * Removes an artifact from the index, and marks its content as being removed.
   *
   * @returns whether the artifact existed
   */
  removeFromIndex: (document: Pick<ArtifactDocument, '_id' | 'content'>) => Promise<boolean>;
  /** Removes an artifact from the index. Its content stays marked as being written. */
  withdraw: (document: Pick<ArtifactDocument, '_id' | 'content'>) => Promise<void>;
  /** Removes the mark of content that has been removed. */
  finishRemoval: (content: ObjectId) => Promise<void>;
  /** Returns abandoned content, after marking it as being removed. */
  listAbandoned: () => Promise<Pick<ArtifactDocument, '_id' | 'content'>[]>;
}

/** @param age milliseconds after which unfinished content counts as abandoned; tests pass a shorter time */
export const openGridFsIndex = (mongo: MongoDb, age = ABANDONED_AFTER): GridFsArtifactIndex => {
  const { db } = mongo;
  const artifacts = db.collection<ArtifactDocument>('artifacts');
  const pending = db.collection<PendingContent>('artifacts_pending');
  const available = createIndexesOnce(mongo, artifacts);
  const sums = (filter: Filter<ArtifactDocument>): Promise<Usage> =>
    available(async () => {
      const group = { _id: null, files: { $sum: 1 }, bytes: { $sum: '$size' } };
      const [found] = await artifacts.aggregate<Usage>([{ $match: filter }, { $group: group }]).toArray();
      return { files: found?.files ?? 0, bytes: found?.bytes ?? 0 };
    });
  const sorted = (filter: Filter<ArtifactDocument>): Promise<ArtifactDocument[]> =>
    available(() => artifacts.find(filter, { sort: { created_at: 1, _id: 1 }, limit: PAGE }).toArray());

  const takeOut: GridFsArtifactIndex['removeFromIndex'] = ({ _id, content }) =>
    available(async () => {
      await pending.updateOne(
        { _id: content },
        { $set: { artifact_id: _id, state: 'removing' }, $currentDate: { at: true } },
        { upsert: true },
      );
      return (await artifacts.deleteOne({ _id, content })).deletedCount > 0;
    }, AWAITED);

  return {
    find: (id) => available(() => artifacts.findOne({ _id: id })),
    ofRun: (organization_id, run_id) => sorted({ organization_id, run_id }),
    run: async (organization_id, run_id) =>
      run_id === null ? { files: 0, bytes: 0 } : sums({ organization_id, run_id }),
    usage: (organization_id, after) => sums(those(organization_id, after)),
    page: (organization_id, after) => sorted(those(organization_id, after)),
    ofRunsBefore: (before) => sorted({ created_at: { $lt: before }, run_id: { $ne: null } }),

    begin: (content, artifact_id) =>
      available(async () => {
        const begun = { $set: { artifact_id, state: 'writing' as const }, $currentDate: { at: true as const } };
        await pending.updateOne({ _id: content }, begun, { upsert: true });
      }, AWAITED),

    add: (document) =>
      available(async () => {
        try {
          await artifacts.insertOne(document);
          return true;
        } catch (error) {
          if (!isDuplicate(error)) throw error;
          // If the response to an earlier attempt was lost, that attempt has inserted the existing document.
          return (await artifacts.findOne({ _id: document._id, content: document.content })) !== null;
        }
      }, AWAITED),

    finish: (content) =>
      available(async () => (await pending.deleteOne({ _id: content, state: 'writing' })).deletedCount > 0, AWAITED),

    removeFromIndex: takeOut,

    withdraw: ({ _id, content }) =>
      available(async () => {
        await artifacts.deleteOne({ _id, content });
      }, AWAITED),

    finishRemoval: (content) =>
      available(async () => {
        await pending.deleteOne({ _id: content });
      }, AWAITED),

    listAbandoned: async () => {
      const now = await available(() => serverTime(db));
      if (now === null) return [];
      const old = await available(() => pending.find({ at: { $lte: new Date(now - age) } }, { limit: PAGE }).toArray());
      const found: Pick<ArtifactDocument, '_id' | 'content'>[] = [];
      for (const { _id: content, artifact_id: _id, state } of old) {
        const isThere = (await available(() => artifacts.findOne({ _id, content }))) !== null;
        // The artifact is complete: its writer died between `add` and `finish`.
        if (isThere && state === 'writing') await available(() => pending.deleteOne({ _id: content, state }), AWAITED);
        else {
          await takeOut({ _id, content });
          found.push({ _id, content });
        }
      }
      return found;
    },
  };
};

const those = (organization_id?: string, after?: ArtifactDocument): Filter<ArtifactDocument> => ({
  ...(organization_id !== undefined && { organization_id }),
  ...(after && {
    $or: [{ created_at: { $gt: after.created_at } }, { created_at: after.created_at, _id: { $gt: after._id } }],
  }),
});

/** Creates the indexes on first use, as soon as the database can be reached. */
const createIndexesOnce = (mongo: MongoDb, artifacts: Collection<ArtifactDocument>) => {
  const available = orUnavailable(mongo, ArtifactsUnavailable);
  const indexed = once(() =>
    artifacts.createIndexes([
      { key: { organization_id: 1, run_id: 1, size: 1 } },
      { key: { organization_id: 1, created_at: 1, _id: 1, size: 1 } },
      { key: { created_at: 1, _id: 1, size: 1 } },
    ]),
  );
  return <T>(action: () => Promise<T>, options?: { awaited: boolean }): Promise<T> =>
    available(async () => {
      await indexed();
      return action();
    }, options);
};
