import type { Collection } from 'mongodb';
import type { StoredDocument } from './stored-document.ts';

/** Maximum number of ids in one query. */
const MAX_IDS = 1_000;

type Found = Pick<StoredDocument, '_id' | 'document' | 'escaped'>;

interface PendingQuery {
  ids: Set<string>;
  askers: number;
  answer: Promise<Map<string, Found>>;
}

/** Reads documents by id; those that do not exist are left out. */
export const findByIds = async (
  documents: Collection<StoredDocument>,
  ids: readonly string[],
): Promise<Map<string, Found>> => {
  const found = await documents
    .find({ _id: { $in: [...ids] } }, { projection: { document: 1, escaped: 1 }, batchSize: ids.length + 1 })
    .toArray();
  return new Map(found.map((stored) => [stored._id, stored]));
};

/**
 * Reads documents by id for many callers together. All ids requested from a collection during one iteration of the
 * event loop go into one query. Such a query costs hardly more than a query for one document.
 */
export class BatchedReads {
  readonly #open = new Map<string, PendingQuery>();

  /** Each caller receives its own copy of the result. */
  async find(documents: Collection<StoredDocument>, ids: readonly string[]): Promise<Map<string, Found>> {
    const name = documents.collectionName;
    let question = this.#open.get(name);
    if (!question || question.ids.size + ids.length > MAX_IDS) {
      question = this.#ask(documents);
      this.#open.set(name, question);
    }
    for (const id of ids) question.ids.add(id);
    const isFirst = question.askers++ === 0;
    const found = await question.answer;
    const own = new Map<string, Found>();
    for (const id of ids) {
      const stored = found.get(id);
      if (stored) own.set(id, isFirst ? stored : structuredClone(stored));
    }
    return own;
  }

  #ask(documents: Collection<StoredDocument>): PendingQuery {
    const ids = new Set<string>();
    const question: PendingQuery = {
      ids,
      askers: 0,
      answer: new Promise((resolve, reject) => {
        setImmediate(() => {
          if (this.#open.get(documents.collectionName) === question) this.#open.delete(documents.collectionName);
          findByIds(documents, [...ids]).then(resolve, reject);
        });
      }),
    };
    return question;
  }
}
