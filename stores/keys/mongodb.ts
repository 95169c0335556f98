import { Binary } from 'mongodb';
import { AWAITED, isDuplicate, orUnavailable, retryOnDuplicate } from '../mongodb/failures.ts';
import type { MongoDb } from '../mongodb/database.ts';
import { hmac } from './cipher.ts';
import {
  FORGOTTEN,
  KeyForgotten,
  KeysUnavailable,
  KeysOfAnotherLog,
  UnreadableSeal,
  whyNotMergeable,
  type ForgetOutcome,
  type KeyRing,
  type MovableKeys,
} from './port.ts';
import { openSealed, seal, unwrap, unwrapFingerprintKey, wrap, wrapFingerprintKey } from './wrapping.ts';

/**
 * A stored key. If the key was forgotten, `wrapped` is null; the document stays, so that the key is never created
 * again.
 */
interface KeyDocument {
  _id: string;
  wrapped: Binary | null;
}

/**
 * Options for keys. A key must not be used while its creation can still be undone by the loss of a primary, because
 * another key could then get the same name. Therefore keys are written to the journals of a majority, and read with
 * majority read concern.
 */
const DURABLE = {
  writeConcern: { w: 'majority', j: true, wtimeoutMS: 8_000 },
  readConcern: { level: 'majority' },
} as const;

const FINGERPRINT = 'fingerprint';

export interface MongoKeysOptions {
  /** SECRETS_KEY, 32 bytes; the same in all processes */
  wrappingKey: Buffer;
}

/**
 * Opens the keys in a MongoDB database. Each key is wrapped by SECRETS_KEY and stored in a document of the collection
 * `keys`. Only the fingerprint key is cached. Every other use of a key reads the database, so a forgotten key is
 * forgotten in all processes immediately. Concurrent reads share a request. MongoDB's oplog contains a forgotten key,
 * in wrapped form, until that part of the oplog is overwritten.
 *
 * @throws WrongWrappingKey
 */
export const openMongoKeys = async (mongo: MongoDb, { wrappingKey }: MongoKeysOptions): Promise<MovableKeys> => {
  const { db } = mongo;
  const available = orUnavailable(mongo, KeysUnavailable);
  const documents = db.collection<KeyDocument>('keys', DURABLE);
  const fingerprintKeys = db.collection<KeyDocument>('fingerprint_key', DURABLE);
  let known: Buffer | null = null;

  /**
   * Returns the fingerprint key, and creates it on first use of the database. Unwrapping it proves that SECRETS_KEY is
   * correct, so every other operation calls this function first.
   */
  const fingerprintKey = async (): Promise<Buffer> => {
    while (!known) {
      const found = await fingerprintKeys.findOne({ _id: FINGERPRINT });
      if (found?.wrapped) known = unwrapFingerprintKey(wrappingKey, bytesOf(found.wrapped), 'The data in MongoDB');
      else
        await ignoreExisting(
          fingerprintKeys.insertOne({ _id: FINGERPRINT, wrapped: new Binary(wrapFingerprintKey(wrappingKey)) }),
        );
    }
    return known;
  };

  const wrapped = batchPerTurn(async (names) => {
    const found = await documents.find({ _id: { $in: names } }, { batchSize: names.length + 1 }).toArray();
    return new Map(found.map((document) => [document._id, document.wrapped && bytesOf(document.wrapped)]));
  });

  /** Returns a key; null if it was forgotten, undefined if it was never created. */
  const keyOf = async (name: string): Promise<Buffer | null | undefined> => {
    await fingerprintKey();
    const bytes = await wrapped(name);
    return bytes && unwrap(wrappingKey, bytes, name);
  };

  const readRing = async (): Promise<KeyRing> => {
    const fingerprint = await fingerprintKey();
    const keys = new Map<string, Buffer | null>();
    for await (const { _id, wrapped: bytes } of documents.find({}, { sort: { _id: 1 } })) {
      keys.set(_id, bytes && unwrap(wrappingKey, bytesOf(bytes), _id));
    }
    return { fingerprint, keys };
  };

  const adoptRing = async (ring: KeyRing): Promise<void> => {
    const reason = whyNotMergeable(await readRing(), ring);
    if (reason !== null) throw new KeysOfAnotherLog(reason);
    // The fingerprint key is written first. If the import is interrupted and repeated, the stored fingerprint key
    // proves that the ring is the same.
    const fingerprint = new Binary(wrapFingerprintKey(wrappingKey, ring.fingerprint));
    await fingerprintKeys.replaceOne({ _id: FINGERPRINT }, { wrapped: fingerprint }, { upsert: true });
    known = Buffer.from(ring.fingerprint);
    for (const [name, key] of ring.keys) {
      if (key)
        await ignoreExisting(documents.insertOne({ _id: name, wrapped: new Binary(wrap(wrappingKey, name, key)) }));
      else await markForgotten(name);
    }
  };

  /** Forgets a key, even if it was never created in this database. */
  const markForgotten = async (name: string): Promise<void> => {
    await retryOnDuplicate(() => documents.updateOne({ _id: name }, { $set: { wrapped: null } }, { upsert: true }));
  };

  const forget = async (name: string): Promise<ForgetOutcome> => {
    const { matchedCount, modifiedCount } = await documents.updateOne({ _id: name }, { $set: { wrapped: null } });
    if (matchedCount === 0) return 'unknown';
    return modifiedCount === 0 ? 'already' : 'forgotten';
  };

  try {
    await available(fingerprintKey);
  } catch (error) {
    if (!(error instanceof KeysUnavailable)) throw error;
  }

  return {
    seal: (name, text, place) =>
      available(async () => {
        let key = await keyOf(name);
        while (key === undefined) {
          // If several processes insert this key concurrently, only one insert succeeds, and all processes then read
          // the key that was inserted.
          await ignoreExisting(documents.insertOne({ _id: name, wrapped: new Binary(wrap(wrappingKey, name)) }));
          key = await keyOf(name);
        }
        if (!key) throw new KeyForgotten(name);
        return seal(key, name, text, place);
      }),

    create: (names) =>
      available(async () => {
        await fingerprintKey();
        const made = [...new Set(names)].map((_id) => ({ _id, wrapped: new Binary(wrap(wrappingKey, _id)) }));
        // If another process creates one of these keys concurrently, that process's key stays.
        if (made.length > 0) await ignoreExisting(documents.insertMany(made, { ordered: false }));
      }),

    open: (sealed, place) =>
      available(async () => {
        const key = await keyOf(sealed.key);
        if (key === null) return FORGOTTEN;
        if (!key) throw new UnreadableSeal(sealed.key, 'there is no such key.');
        return openSealed(key, sealed, place);
      }),

    forget: (name) => available(() => forget(name), AWAITED),
    names: ({ prefix, after, limit }) =>
      available(async () => {
        const range = { $gt: after > prefix ? after : prefix, $lt: `${prefix}\u{10ffff}` };
        const found = await documents
          .find({ _id: range, wrapped: { $ne: null } }, { sort: { _id: 1 }, limit, projection: { _id: 1 } })
          .toArray();
        return found.map(({ _id }) => _id);
      }),

    exportRing: () => available(readRing),
    importRing: (ring) => available(() => adoptRing(ring), AWAITED),

    fingerprint: (kind, text) => available(async () => hmac(await fingerprintKey(), kind, text)),

    close: async () => {
      known = null;
    },
  };
};

const bytesOf = (binary: Binary): Buffer => Buffer.from(binary.buffer.subarray(0, binary.position));

const ignoreExisting = async (insertion: Promise<unknown>): Promise<void> => {
  try {
    await insertion;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
};

/**
 * Combines the requests of one iteration of the event loop into one request. The combined request is sent after all of
 * the individual requests were made, so no caller gets a result that is older than the caller's own request.
 */
const batchPerTurn = <T>(ask: (names: string[]) => Promise<ReadonlyMap<string, T>>) => {
  let next: { names: Set<string>; answers: Promise<ReadonlyMap<string, T>> } | null = null;
  return async (name: string): Promise<T | undefined> => {
    if (!next) {
      const names = new Set<string>();
      const responses = new Promise((resolve) => setImmediate(resolve)).then(() => {
        next = null;
        return ask([...names]);
      });
      next = { names, answers: responses };
    }
    next.names.add(name);
    return (await next.answers).get(name);
  };
};
