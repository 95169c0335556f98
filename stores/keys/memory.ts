import { hmac, randomKey } from './cipher.ts';
import {
  FORGOTTEN,
  KeyForgotten,
  KeysOfAnotherLog,
  UnreadableSeal,
  whyNotMergeable,
  type MovableKeys,
} from './port.ts';
import { openSealed, seal } from './wrapping.ts';

/** Creates keys in memory, for tests. Texts are really encrypted. */
export const createMemoryKeys = (): MovableKeys => {
  /** keys by name; null: the key was forgotten */
  const keys = new Map<string, Buffer | null>();
  let fingerprintKey = randomKey();

  return {
    async seal(name, text, place) {
      const key = keys.get(name) ?? (keys.has(name) ? null : randomKey());
      if (!key) throw new KeyForgotten(name);
      keys.set(name, key);
      return seal(key, name, text, place);
    },

    async create(names) {
      for (const name of names) if (!keys.has(name)) keys.set(name, randomKey());
    },

    async open(sealed, place) {
      const key = keys.get(sealed.key);
      if (key === null) return FORGOTTEN;
      if (!key) throw new UnreadableSeal(sealed.key, 'there is no such key.');
      return openSealed(key, sealed, place);
    },

    async forget(name) {
      const key = keys.get(name);
      if (!key) return key === null ? 'already' : 'unknown';
      key.fill(0);
      keys.set(name, null);
      return 'forgotten';
    },

    async names({ prefix, after, limit }) {
      const found = [...keys].filter(([name, key]) => key && name.startsWith(prefix) && name > after);
      return found
        .map(([name]) => name)
        .sort()
        .slice(0, limit);
    },

    async fingerprint(kind, text) {
      return hmac(fingerprintKey, kind, text);
    },

    async exportRing() {
      const copies = [...keys].map(([name, key]) => [name, key && Buffer.from(key)] as const);
      return { fingerprint: Buffer.from(fingerprintKey), keys: new Map(copies) };
    },

    async importRing(ring) {
      const reason = whyNotMergeable({ fingerprint: fingerprintKey, keys }, ring);
      if (reason !== null) throw new KeysOfAnotherLog(reason);
      fingerprintKey = Buffer.from(ring.fingerprint);
      for (const [name, key] of ring.keys) if (key === null || !keys.has(name)) keys.set(name, key && Buffer.from(key));
    },

    async close() {
      await Promise.resolve();
    },
  };
};
