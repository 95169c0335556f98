import { hash } from 'node:crypto';

/** The stored form of an API key, used for look-ups: its SHA-256, hexadecimal (docs/reference/api-keys.md#storage-of-keys). */
export const hashOfApiKey = (key: string): string => hash('sha256', key);

const LONGEST_PREFIX = 8;

/** The first characters, by which people recognise a key; at most a quarter of the key. */
export const prefixOfApiKey = (key: string): string =>
  key.slice(0, Math.min(LONGEST_PREFIX, Math.floor(key.length / 4)));
