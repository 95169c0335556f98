import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { MAX_DOCUMENT_BYTES } from '../port.ts';
import type { JournalEntry, StoredJournal } from './generations.ts';

/**
 * Maximum size of the entries in one MongoDB document, in bytes. The limit of MongoDB is 16 MiB, and little space is
 * needed besides the entries. A single entry always fits.
 */
const MAX_BYTES = MAX_DOCUMENT_BYTES;

interface PartDocument {
  _id: string;
  /** id of the generation */
  generation: string;
  entries: JournalEntry[];
}

/**
 * Journals. A journal contains the writes that a commit is about to make. A journal becomes valid with one update of
 * the generation's document. Entries that do not fit into that document are stored before this update, in separate
 * parts. The parts have no effect until the generation's document names them. So a commit of any size is atomic in
 * effect.
 */
export class Journals {
  readonly #parts: Collection<PartDocument>;

  constructor(db: Db) {
    this.#parts = db.collection('journal_parts');
  }

  async prepare(
    generation: string,
    entries: readonly JournalEntry[],
  ): Promise<Pick<StoredJournal, 'entries' | 'parts'>> {
    const groups = grouped(entries);
    const [only = []] = groups;
    if (groups.length <= 1) return { entries: only, parts: [] };
    const parts: string[] = [];
    for (const group of groups) {
      const _id = `${generation}/${randomUUID()}`;
      await this.#parts.insertOne({ _id, generation, entries: group });
      parts.push(_id);
    }
    return { entries: [], parts };
  }

  async entriesOf({ entries, parts }: StoredJournal): Promise<JournalEntry[]> {
    if (parts.length === 0) return entries;
    const all: JournalEntry[] = [];
    for (const _id of parts) {
      const part = await this.#parts.findOne({ _id });
      if (!part) throw new Error(`The part ${_id} of a journal is missing.`);
      all.push(...part.entries);
    }
    return all;
  }

  /** Removes parts that were stored for a journal that did not become valid. */
  async discard(parts: readonly string[]): Promise<void> {
    if (parts.length > 0) await this.#parts.deleteMany({ _id: { $in: [...parts] } });
  }

  /** Removes all parts of a generation. Call while the generation has no journal. */
  async clear(generation: string): Promise<void> {
    await this.#parts.deleteMany({ generation });
  }
}

const grouped = (entries: readonly JournalEntry[]): JournalEntry[][] => {
  const groups: JournalEntry[][] = [];
  let group: JournalEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    // The field names and lengths in BSON take less than the 100 bytes added here.
    const size = Buffer.byteLength(entry.document ?? '') + Buffer.byteLength(entry.id) + 100;
    if (group.length > 0 && bytes + size > MAX_BYTES) {
      groups.push(group);
      group = [];
      bytes = 0;
    }
    group.push(entry);
    bytes += size;
  }
  if (group.length > 0) groups.push(group);
  return groups;
};
