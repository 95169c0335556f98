import { randomInt } from 'node:crypto';

/** Kinds of {@link Entry}; each has its own ids. */
export const ENTRY_KINDS = [
  /** a session: hashes of its tokens, and when it was last used */
  'session',
  /** a session token, by its hash: names the session */
  'session_token',
  /** failed sign-ins, and until when further attempts are refused */
  'sign_in',
  /** an unconfirmed step of a user: a challenge, a second factor being set up */
  'challenge',
  /** the last used code of a second factor: no code is accepted twice */
  'totp_step',
  /** when an API key or a session was last used */
  'last_use',
  /** how often an operation was requested within a period (rate limits) */
  'allowance',
  /** up to which position of the log `main` a revocation applies in every process */
  'given_up',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/**
 * Kinds that must never reappear after removal, nor revert to an older value. On SQLite their changes are on the disk
 * when the promise resolves, and a restored backup leaves them out. For the other kinds, a power cut may lose the last
 * changes on SQLite: a count starts a little lower, or a last use is a minute older.
 */
export const ACCESS_KINDS: readonly EntryKind[] = ['session', 'session_token', 'challenge', 'totp_step', 'given_up'];

/** Kinds whose expired entries are summarized before they are removed. */
export const SUMMARIZED_KINDS: readonly EntryKind[] = ['sign_in', 'session'];

/** State with an expiry that the processes of a service share. */
export interface Entry {
  /** unique within its kind; a secret is stored as its hash only */
  id: string;
  /** JSON text; secrets are stored as hashes only */
  value: string;
  /** id of the user or organization it belongs to, for lookups by owner; null if it has none */
  owner: string | null;
  /** expiry, milliseconds since 1970 */
  expires_at: number;
}

/** An entry as stored. `version` changes with every write, and also when an entry is removed and created again. */
export interface StoredEntry extends Entry {
  version: number;
}

/**
 * State with an expiry. Writes use compare-and-set, so of two processes that change an entry concurrently one notices.
 * An expired entry is absent for all reads and writes, except {@link Entries.listExpired} and {@link Entries.remove}, until
 * another one replaces it or {@link Entries.expire} removes it. Writes are durable when the promise resolves, with the
 * exception that {@link ACCESS_KINDS} describes.
 */
export interface Entries {
  get(kind: EntryKind, id: string, now: number): Promise<StoredEntry | null>;
  /** In no particular order; absent ones are left out. */
  find(kind: EntryKind, ids: readonly string[], now: number): Promise<StoredEntry[]>;
  /**
   * Replaces the version that was read.
   *
   * @param expected its version; null: the entry must not exist
   * @returns the new version; null if another writer was first, and nothing was changed
   */
  put(kind: EntryKind, entry: Entry, expected: number | null, now: number): Promise<number | null>;
  /** Writes entries unconditionally, for kinds where the last writer may win. */
  putAll(kind: EntryKind, entries: readonly Entry[]): Promise<void>;
  /**
   * @param expected the version that was read; default: any
   *
   * @returns whether an entry was removed
   */
  remove(kind: EntryKind, id: string, expected?: number): Promise<boolean>;
  /** All entries of an owner, ordered by id. */
  listOfOwner(kind: EntryKind, owner: string, now: number): Promise<StoredEntry[]>;
  /** Expired entries that have not been removed, oldest first, so that they can be summarized. */
  listExpired(kind: EntryKind, now: number, limit: number): Promise<StoredEntry[]>;
  /** Removes all entries of a kind. */
  clear(kind: EntryKind): Promise<void>;
  /** Removes expired entries, except those of the kinds in `keep`, which are summarized first. */
  expire(now: number, keep: readonly EntryKind[]): Promise<void>;
}

const VERSIONS = 2 ** 47;

/** A random version, unlike any before. A counter would not do, since removing an entry loses its count. */
export const newVersion = (): number => randomInt(1, VERSIONS);

/**
 * Ends all sessions and sign-ins, after a restore: access that was revoked since the backup was made must not come
 * back.
 */
export const endAllAccess = async (entries: Pick<Entries, 'clear'>): Promise<void> => {
  for (const kind of ACCESS_KINDS) await entries.clear(kind);
};
