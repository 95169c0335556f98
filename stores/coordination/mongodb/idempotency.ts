import type { Collection } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { CLAIM_TIMEOUT_MS, RESPONSE_RETENTION_MS } from '../idempotency.ts';
import type { IdempotencyRecord } from '../port.ts';

interface RecordDocument extends Omit<IdempotencyRecord, 'id'> {
  _id: string;
  /** when MongoDB removes the record, by MongoDB's clock and independent of the `now` passed to `claim` */
  expires_at: Date;
}

/**
 * Stores records of requests with an `Idempotency-Key`. A single write decides whether a claim succeeds.
 *
 * @param time returns milliseconds since 1970, by MongoDB's clock
 */
export const idempotencyRecords = (documents: Collection<RecordDocument>, time: () => number) => ({
  makeIndexes: async (): Promise<void> => {
    await documents.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 }, undefined);
    await documents.createIndex({ created_at: 1 }, undefined, undefined);
  },

  claim: async (id: string, fingerprint: string, now: number): Promise<IdempotencyRecord | null> => {
    const expires_at = new Date(time() + RESPONSE_RETENTION_MS);
    const claim = { fingerprint, answer: null, created_at: now, expires_at };
    for (;;) {
      try {
        await documents.insertOne({ _id: id, ...claim });
        return null;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      const isVoid = [
        { answer: null, created_at: { $lt: now - CLAIM_TIMEOUT_MS } },
        { created_at: { $lt: now - RESPONSE_RETENTION_MS } },
      ];
      const { matchedCount } = await documents.updateOne({ _id: id, $or: isVoid }, { $set: claim });
      if (matchedCount === 1) return null;
      const existing = await documents.findOne({ _id: id });
      // If another process has abandoned the record after the claim failed, no record is found, and the next iteration
      // claims again.
      if (existing) {
        const { answer: response, created_at } = existing;
        return { id, fingerprint: existing.fingerprint, answer: response, created_at };
      }
    }
  },

  answer: async (id: string, response: NonNullable<IdempotencyRecord['answer']>): Promise<void> => {
    await documents.updateOne({ _id: id }, { $set: { answer: { ...response, headers: { ...response.headers } } } });
  },

  abandon: async (id: string): Promise<void> => {
    await documents.deleteOne({ _id: id, answer: null });
  },

  expire: async (now: number): Promise<void> => {
    await documents.deleteMany({ created_at: { $lt: now - RESPONSE_RETENTION_MS } });
  },
});
