import { AWAITED, orUnavailable, retryOnDuplicate } from '../../mongodb/failures.ts';
import type { MongoDb } from '../../mongodb/database.ts';
import { literalPattern } from '../../mongodb/patterns.ts';
import { CoordinationUnavailable, type Coordination, type IdempotencyRecord, type Lease } from '../port.ts';
import { generationCatalogue } from './catalogue.ts';
import { monotonicClock, type Clock } from './clock.ts';
import { mongoEntries } from './entries.ts';
import { mongoFailedItems } from './failed-items.ts';
import { idempotencyRecords } from './idempotency.ts';
import { LEASE_TIMINGS, Leases } from './leases.ts';
import { Ticker } from './ticker.ts';

/** Options for writes that must survive a power cut. Otherwise a token or generation number might be issued twice. */
const DURABLE = { writeConcern: { w: 'majority', j: true, wtimeoutMS: 8_000 } } as const;

/**
 * Opens the coordination of any number of processes in one MongoDB database. It uses the collections `leases`,
 * `idempotency_records`, `catalogue`, `small_values`, `held_items` and `entries`. `close` releases all leases.
 *
 * @param clock the process's monotonic clock, which leases use; replaced in tests
 * @param time returns milliseconds since 1970 by MongoDB's clock, which also decides when MongoDB removes idempotency
 * records. Callers of `claim` and `expire` must pass times of the same clock, because all processes compare these
 * times.
 */
export const openMongoCoordination = (
  mongo: MongoDb,
  clock: Clock = monotonicClock,
  time: () => number = Date.now,
): Coordination => {
  const { db } = mongo;
  const available = orUnavailable(mongo, CoordinationUnavailable);
  const leases = new Leases(db.collection('leases', DURABLE), clock);
  const turns = new Ticker(clock, LEASE_TIMINGS.poll);
  const records = idempotencyRecords(db.collection('idempotency_records'), time);
  const catalogue = generationCatalogue(db.collection('catalogue', DURABLE));
  const values = db.collection<{ _id: string; value: string }>('small_values');
  let indexes: Promise<void> | null = null;

  /** Creates the indexes before the first record. If that fails, the next call tries again. */
  const indexed = (): Promise<void> => {
    indexes ??= records.makeIndexes().catch((error: unknown) => {
      indexes = null;
      throw error;
    });
    return indexes;
  };

  /** Attempts to take a lease. Stops waiting for an unresponsive server when the signal aborts. */
  const attempt = (name: string, signal: AbortSignal): Promise<Lease | null> => {
    const attempted = available(() => leases.attempt(name), AWAITED);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(signal.reason as Error);
        void attempted.then((lease) => lease?.release()).catch(() => undefined);
      };
      signal.addEventListener('abort', abort, { once: true });
      void attempted.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', abort);
      });
    });
  };

  return {
    failedItems: mongoFailedItems(db.collection('held_items', DURABLE), available),
    entries: mongoEntries(db.collection('entries', DURABLE), available),
    async acquire(name, signal) {
      for (;;) {
        signal.throwIfAborted();
        const lease = await attempt(name, signal);
        if (lease) return lease;
        await turns.next(signal);
      }
    },
    claim: async (id, fingerprint, now) => {
      let isAwaited = true;
      const claim = async (): Promise<IdempotencyRecord | null> => {
        await indexed();
        const existing = await records.claim(id, fingerprint, now);
        // The caller has stopped waiting for this claim and will not handle the request. So withdraw the claim:
        // otherwise a repeated request would have to wait until the claim expires.
        if (!existing && !isAwaited) await records.abandon(id);
        return existing;
      };
      try {
        return await available(claim);
      } catch (error) {
        isAwaited = false;
        throw error;
      }
    },
    storeResponse: (id, response) => available(() => records.answer(id, response), AWAITED),
    abandon: (id) => available(() => records.abandon(id), AWAITED),
    expire: (now) => available(() => records.expire(now), AWAITED),
    catalogue: () => available(() => catalogue.entries()),
    nextGeneration: (projection) => available(() => catalogue.nextGeneration(projection)),
    switchGeneration: (projection, generation, token) =>
      available(() => catalogue.switchGeneration(projection, generation, token), AWAITED),
    removeFromCatalogue: (projection, token) => available(() => catalogue.remove(projection, token), AWAITED),
    read: (name) => available(async () => (await values.findOne({ _id: name }))?.value ?? null),
    write: (name, value) =>
      available(async () => {
        await retryOnDuplicate(() => values.replaceOne({ _id: name }, { value }, { upsert: true }));
      }, AWAITED),
    writeOnce: (name, value) =>
      available(async () => {
        const options = { upsert: true, returnDocument: 'after' } as const;
        const existing = await retryOnDuplicate(() =>
          values.findOneAndUpdate({ _id: name }, { $setOnInsert: { value } }, options),
        );
        return existing?.value ?? value;
      }, AWAITED),
    readByPrefix: (prefix) =>
      available(async () => {
        const begins = { _id: { $regex: `^${literalPattern(prefix)}` } };
        const found = await values.find(begins, { sort: { _id: 1 } }).toArray();
        return found.map(({ _id, value }) => ({ name: _id, value }));
      }),
    close: () => leases.releaseAll(),
  };
};
