import type { Collection, Long } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { toLong } from '../../mongodb/open.ts';
import { StaleLease, type CatalogueEntry } from '../port.ts';

interface EntryDocument {
  /** name and version of the projection: `incidents@1` */
  _id: string;
  live: number | null;
  last: number;
  /** token of the lease under which the live generation was last changed */
  token: Long | bigint;
}

/** Stores the live generation of each projection version. Every change is one conditional update. */
export const generationCatalogue = (documents: Collection<EntryDocument>) => {
  /** @returns false if another process has created the entry */
  const make = async (entry: EntryDocument): Promise<boolean> => {
    try {
      await documents.insertOne(entry);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  };

  return {
    entries: async (): Promise<CatalogueEntry[]> => {
      const entries = await documents.find({}, { sort: { _id: 1 }, batchSize: 1_000 }).toArray();
      return entries.map(({ _id, live, last }) => ({ projection: _id, live, last }));
    },

    nextGeneration: async (projection: string): Promise<number> => {
      for (;;) {
        const entry = await documents.findOne({ _id: projection });
        if (!entry) {
          if (await make({ _id: projection, live: null, last: 1, token: toLong(0n) })) return 1;
          continue;
        }
        const next = entry.last + 1;
        const { matchedCount } = await documents.updateOne(
          { _id: projection, last: entry.last },
          { $set: { last: next } },
        );
        if (matchedCount === 1) return next;
      }
    },

    switchGeneration: async (projection: string, generation: number, token: bigint): Promise<void> => {
      for (;;) {
        const { matchedCount } = await documents.updateOne(
          { _id: projection, token: { $lte: toLong(token) } },
          { $set: { live: generation, token: toLong(token) }, $max: { last: generation } },
        );
        if (matchedCount === 1) return;
        const entry = await documents.findOne({ _id: projection }, { useBigInt64: true });
        const newest = entry && BigInt(entry.token.toString());
        if (newest !== null && newest > token) throw new StaleLease(projection, token, newest);
        if (!entry && (await make({ _id: projection, live: generation, last: generation, token: toLong(token) })))
          return;
      }
    },

    remove: async (projection: string, token: bigint): Promise<void> => {
      const { deletedCount } = await documents.deleteOne({ _id: projection, token: { $lte: toLong(token) } });
      if (deletedCount === 1) return;
      const entry = await documents.findOne({ _id: projection }, { useBigInt64: true });
      if (entry) throw new StaleLease(projection, token, BigInt(entry.token.toString()));
    },
  };
};
