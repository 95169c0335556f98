import { Openings } from '../openings.ts';
import { GenerationMissing, type Document, type Generation, type ReadStore } from '../port.ts';
import { available, openGenerationFiles, type GenerationFilesOptions } from './generation-files.ts';

export type SqliteReadStoreOptions = GenerationFilesOptions;

export interface SqliteReadStore extends ReadStore {
  /**
   * Returns whether a collection has so few documents that any list or count of it takes only a millisecond or two.
   *
   * @throws GenerationMissing
   * @throws GenerationDamaged
   * @throws ReadStoreUnavailable
   * @throws TypeError there is no such collection
   */
  hasFew: (generation: Generation, collection: string) => boolean;
}

/**
 * Opens read models in SQLite files, one per generation. All calls block the calling thread. So a `writer` belongs in
 * the thread of the projection engine or in a separate process. A `reader` may be used on the main thread to read
 * single documents; threaded.ts reads lists in another thread. Each generation has one writer. Any number of readers,
 * in any process, see committed data.
 */
export const openSqliteReadStore = (options: SqliteReadStoreOptions): SqliteReadStore => {
  const files = openGenerationFiles(options);
  const openings = new Openings();

  /** Runs an operation synchronously, so that no statement stays open during an `await`. */
  const ask = async <T>(action: () => T, generation?: Generation): Promise<T> => available(action, generation);

  const write = async <T>(action: () => T, generation?: Generation): Promise<T> => {
    if (options.mode === 'reader') throw new TypeError('This read store is open for reading only.');
    return available(action, generation);
  };

  const checkpoint: ReadStore['checkpoint'] = (generation) => ask(() => files.of(generation).checkpoint, generation);

  return {
    open: (generation, collections, { deferIndexes = false, lease = null } = {}) =>
      write(() => {
        openings.open(generation, lease);
        files.create(generation).open(collections, deferIndexes);
        files.noteWrite(generation);
      }, generation),
    buildIndexes: (generation) =>
      write(() => {
        files.of(generation).buildIndexes();
        files.noteWrite(generation);
      }, generation),
    checkpoint,
    checkpoints: (generations) =>
      Promise.all(generations.map((generation) => checkpoint(generation).catch(nullIfMissing))),
    commit: (generation, writes, checkpoint) =>
      write(() => {
        const file = files.of(generation);
        openings.commit(generation);
        file.commit(writes, checkpoint);
        files.noteWrite(generation);
      }, generation),
    get: (generation, collection, ids) => ask(() => files.of(generation).get(collection, ids), generation),
    find: (generation, collection, query) =>
      ask(() => JSON.parse(files.of(generation).find(collection, query)) as Document[], generation),
    count: (generation, collection, where) => ask(() => files.of(generation).count(collection, where), generation),
    hasFew: (generation, collection) => available(() => files.of(generation).hasFew(collection), generation),
    sweep: (generation, collection, before, limit) =>
      write(() => {
        const removed = files.of(generation).sweep(collection, before, limit);
        if (removed > 0) files.noteWrite(generation);
        return removed;
      }, generation),
    size: (generation) => ask(() => files.size(generation)),
    list: () => ask(() => files.list()),
    drop: (generation, lease) =>
      write(() => {
        openings.drop(generation, lease);
        files.remove(generation);
      }),
    close: () =>
      ask(() => {
        files.close();
      }),
  };
};

const nullIfMissing = (error: unknown): null => {
  if (error instanceof GenerationMissing) return null;
  throw error;
};
