import { hash } from 'node:crypto';

/**
 * Returns the stored form of an API key, with which keys are looked up: its SHA-256 in hexadecimal
 * (docs/reference/api-keys.md#storage-of-keys).
 */
export const hashOfApiKey = (key: string): string => hash('sha256', key);

const LONGEST_PREFIX = 8;

/** Returns the first characters of a key, by which people recognise it. They are at most a quarter of the key. */
export const prefixOfApiKey = (key: string): string =>
  key.slice(0, Math.min(LONGEST_PREFIX, Math.floor(key.length / 4)));
