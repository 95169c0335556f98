import { hash } from 'node:crypto';

/** What is stored of an API key, and found by: its SHA-256, hexadecimal (decisions.md: HTTP rules, API key). */
export const hashOfApiKey = (key: string): string => hash('sha256', key);

const LONGEST_PREFIX = 8;

/** The first characters, by which people recognize keys: never more than a quarter of a key. */
export const prefixOfApiKey = (key: string): string =>
  key.slice(0, Math.min(LONGEST_PREFIX, Math.floor(key.length / 4)));
