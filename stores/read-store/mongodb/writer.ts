import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Db, Filter } from 'mongodb';
import { toLong } from '../../mongodb/open.ts';
import {
  GenerationMissing,
  ReadStoreUnavailable,
  StaleWriter,
  type Checkpoint,
  type Generation,
  type WriterLease,
} from '../port.ts';
import { applyJournal } from './apply-journal.ts';
import {
  idOf,
  notLater,
  type JournalEntry,
  type GenerationDocument,
  type Generations,
  type StoredCheckpoint,
} from './generations.ts';
import { Journals } from './journal.ts';

export interface WriterOptions {
  db: Db;
  generations: Generations;
  generation: Generation;
  /** null: the process that last opened the generation is the writer */
  lease: WriterLease | null;
  /** maximum number of writes in one bulk */
  bulk: number;
}

/**
 * Maximum number of documents that the writer remembers as existing. If such a document is written again, the writer
 * updates it without first trying to insert it.
 */
const KNOWN = 50_000;

/**
 * Writes one generation, until another process takes it over (docs/develop/stores.md#mongodb-read-models). The
 * generation's document contains the writer's token, the journal and the checkpoint, so that one update can verify the
 * token and change the journal or the checkpoint:
 *
 * 1. A new writer first stores its token in the document. From then on, updates of earlier writers match nothing.
 *
 * 2. Then the new writer reads the journal and applies it again, because an earlier writer may have stopped half-way.
 * It does no harm if the earlier writer is still applying the journal: each write depends on the position in the
 * document (apply-journal.ts).
 *
 * 3. A commit writes the journal, the documents, and the checkpoint, in this order. The updates of the journal and of
 * the checkpoint have the token in their filter.
 *
 * Without step 1, a writer could read documents that an earlier writer has just committed, but the checkpoint from
 * before that commit. Then it would fold the same events twice.
 */
export class GenerationWriter {
  readonly #options: WriterOptions;
  readonly #journals: Journals;
  readonly #writer: { lease: string; token: bigint };
  readonly #known = new LRUCache<string, true>({ max: KNOWN });
  /** position of the last commit; null before the first one; undefined if it must be read again after a failure */
  #position: bigint | null | undefined = undefined;

  constructor(options: WriterOptions) {
    const { db, lease } = options;
    this.#options = options;
    this.#journals = new Journals(db);
    this.#writer = lease
      ? { lease: lease.name, token: lease.token }
      : { lease: `opening ${randomBytes(8).toString('hex')}`, token: 0n };
  }

  /** @throws StaleWriter @throws GenerationMissing */
  async takeOver(): Promise<void> {
    const { lease, token } = this.#writer;
    this.#position = undefined;
    const stamp = { $set: { writer: { lease, token: toLong(token) } }, $addToSet: { leases: lease } };
    if (!(await this.#update(notLater({ name: lease, token }), stamp))) await this.#refuse();
    await this.#recover();
  }

  /** Remembers that documents exist. */
  remember(collection: string, ids: Iterable<string>): void {
    for (const id of ids) this.#known.set(`${collection}/${id}`, true);
  }

  /**
   * Commits entries and the checkpoint.
   *
   * @param entries at most one per document
   * @throws StaleWriter
   * @throws GenerationMissing
   */
  async commit(entries: readonly JournalEntry[], checkpoint: Checkpoint): Promise<void> {
    if (this.#position === undefined) await this.#recover();
    const last = this.#position ?? null;
    const { position } = checkpoint;
    if (last !== null && position < last) {
      throw new RangeError(`A commit at ${position} can't follow one at ${last}.`);
    }
    // The same commit was made before, either by this writer or by a recovery.
    if (last !== null && position === last && entries.length > 0) return;
    this.#position = undefined;
    let inParts = false;
    if (entries.length > 0) {
      inParts = await this.#journal(entries, checkpoint, last);
      await this.#apply(entries, position);
    }
    await this.#advance(checkpoint, entries);
    if (inParts) await this.#journals.clear(idOf(this.#options.generation));
    this.#position = position;
  }

  /**
   * Stores the journal of a commit.
   *
   * @returns whether the journal was too large for one document
   */
  async #journal(entries: readonly JournalEntry[], checkpoint: Checkpoint, last: bigint | null): Promise<boolean> {
    const { generation } = this.#options;
    const prepared = await this.#journals.prepare(idOf(generation), entries);
    const journal = { checkpoint: storedCheckpoint(checkpoint), ...prepared };
    const expected = last === null ? { checkpoint: null } : { 'checkpoint.position': toLong(last) };
    const filter = { ...this.#own(), ...expected } as Filter<GenerationDocument>;
    if (!(await this.#update(filter, { $set: { journal } }))) {
      await this.#journals.discard(prepared.parts);
      await this.#refuse();
    }
    return prepared.parts.length > 0;
  }

  async #apply(entries: readonly JournalEntry[], position: bigint): Promise<void> {
    const { db, generation, bulk } = this.#options;
    const isKnown = ({ collection, id }: JournalEntry): boolean => this.#known.has(`${collection}/${id}`);
    await applyJournal(entries, { db, generation, position, isKnown, bulk });
    for (const { collection, id } of entries) this.#known.set(`${collection}/${id}`, true);
  }

  async #advance(checkpoint: Checkpoint, entries: readonly JournalEntry[]): Promise<void> {
    const change = { $set: { checkpoint: storedCheckpoint(checkpoint), journal: null }, ...countingWrites(entries) };
    if (!(await this.#update(this.#own(), change))) await this.#refuse();
  }

  /** Finishes a commit that this or an earlier writer has not finished, and reads the checkpoint. */
  async #recover(): Promise<void> {
    const { db, generations, generation, bulk } = this.#options;
    const filter = { _id: idOf(generation), ...this.#own(), dropped: false } as Filter<GenerationDocument>;
    const state = await generations.documents.findOne(filter, { useBigInt64: true });
    if (!state) return this.#refuse();
    const { checkpoint, journal } = state;
    if (journal) {
      const { position } = journal.checkpoint;
      const entries = await this.#journals.entriesOf(journal);
      await applyJournal(entries, { db, generation, position: BigInt(position.toString()), isKnown: () => true, bulk });
      await this.#advance(readCheckpoint(journal.checkpoint), entries);
    }
    await this.#journals.clear(idOf(generation));
    const reached = journal?.checkpoint ?? checkpoint;
    this.#position = reached && BigInt(reached.position.toString());
  }

  #own(): Filter<GenerationDocument> {
    const { lease, token } = this.#writer;
    return { 'writer.lease': lease, 'writer.token': toLong(token) };
  }

  /**
   * Updates the generation's document.
   *
   * @returns whether the document matched the filter
   */
  async #update(filter: Filter<GenerationDocument>, change: object): Promise<boolean> {
    const { generations, generation } = this.#options;
    const { matchedCount } = await generations.documents.updateOne(
      { _id: idOf(generation), dropped: false, ...filter },
      change,
    );
    return matchedCount === 1;
  }

  /** Throws the error that says why an update of the generation's document did not match. */
  async #refuse(): Promise<never> {
    const { generations, generation } = this.#options;
    const found = await generations.documents.findOne(
      { _id: idOf(generation) },
      { projection: { writer: 1, dropped: 1 }, useBigInt64: true },
    );
    if (!found || found.dropped) throw new GenerationMissing(generation);
    const { lease, token } = this.#writer;
    const writer = found.writer;
    if (writer?.lease !== lease || BigInt(writer.token.toString()) !== token) throw new StaleWriter(generation);
    throw new ReadStoreUnavailable(
      `MongoDB has lost the last commit of generation ${generation.number} of ${generation.projection}.`,
    );
  }
}

/** Returns an update that counts the writes of each collection, so that readers in other processes notice changes. */
export const countingWrites = (entries: readonly Pick<JournalEntry, 'collection'>[]) => {
  const names = new Set(entries.map(({ collection }) => collection));
  return names.size === 0 ? {} : { $inc: Object.fromEntries([...names].map((name) => [`written.${name}`, 1])) };
};

const storedCheckpoint = ({ log_id, position, event_id }: Checkpoint): StoredCheckpoint => ({
  log_id,
  position: toLong(position),
  event_id,
});

export const readCheckpoint = ({ log_id, position, event_id }: StoredCheckpoint): Checkpoint => ({
  log_id,
  position: BigInt(position.toString()),
  event_id,
});
