import { randomInt } from 'node:crypto';

/** Kinds of {@link Entry}; each has its own ids. */
export const ENTRY_KINDS = [
  /** a session: hashes of its tokens, and when it was last used */
  'session',
  /** a session token: its id is the hash of the token, its value names the session */
  'session_token',
  /** the number of failed sign-ins, and the time until which further attempts are refused */
  'sign_in',
  /** something a user has begun and not confirmed: a sign-in challenge, or the setup of a second factor */
  'challenge',
  /** the time step of the last code accepted for a second factor, so that no code is accepted twice */
  'totp_step',
  /** when an API key or a session was last used */
  'last_use',
  /** how often an operation was requested within a period (rate limits) */
  'allowance',
  /** the highest position of the log `main` up to which every process must have applied all revocations */
  'given_up',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/**
 * Kinds whose entries must never reappear after they were removed, nor return to an earlier value. On SQLite, changes
 * of these kinds are on the disk when the promise resolves, and restoring a backup removes these entries. For other
 * kinds, SQLite may lose the newest changes in a power cut. The effect is small: a count starts a little lower, or a
 * last use is a minute older.
 */
export const ACCESS_KINDS: readonly EntryKind[] = ['session', 'session_token', 'challenge', 'totp_step', 'given_up'];

/** Kinds whose expired entries are summarized before they are removed. */
export const SUMMARIZED_KINDS: readonly EntryKind[] = ['sign_in', 'session'];

/** A small value with an expiry that the processes of a service share. */
export interface Entry {
  /** unique within its kind; a secret is stored as its hash only */
  id: string;
  /** JSON text; secrets are stored as hashes only */
  value: string;
  /** id of the user or organization that the entry belongs to, for lookups by owner; null if it belongs to none */
  owner: string | null;
  /** expiry, milliseconds since 1970 */
  expires_at: number;
}

/**
 * A stored entry. `version` changes with every write. An entry that is removed and created again has a new version too.
 */
export interface StoredEntry extends Entry {
  version: number;
}

/**
 * The store of entries. `put` is a compare-and-set: if two processes change an entry concurrently, one of them fails.
 * Only {@link Entries.listExpired} and {@link Entries.remove} see expired entries; all other operations treat them as
 * absent. Writes are durable when the promise resolves, with the exception that {@link ACCESS_KINDS} describes.
 */
export interface Entries {
  get(kind: EntryKind, id: string, now: number): Promise<StoredEntry | null>;
  /** Returns the entries with these ids, in no particular order. Ids without an entry are left out. */
  find(kind: EntryKind, ids: readonly string[], now: number): Promise<StoredEntry[]>;
  /**
   * Writes an entry, provided that the stored version is the expected one.
   *
   * @param expected the version that was read; null: the entry must not exist
   * @returns the new version; null if another writer was first, in which case nothing was changed
   */
  put(kind: EntryKind, entry: Entry, expected: number | null, now: number): Promise<number | null>;
  /**
   * Writes entries unconditionally. Use this only for kinds for which overwriting another process's change does no
   * harm.
   */
  putAll(kind: EntryKind, entries: readonly Entry[]): Promise<void>;
  /**
   * Removes an entry.
   *
   * @param expected the version that was read; default: any version
   * @returns whether an entry was removed
   */
  remove(kind: EntryKind, id: string, expected?: number): Promise<boolean>;
  /** Lists all entries of an owner, ordered by id. */
  listOfOwner(kind: EntryKind, owner: string, now: number): Promise<StoredEntry[]>;
  /** Lists expired entries that have not been removed yet, oldest first, so that they can be summarized. */
  listExpired(kind: EntryKind, now: number, limit: number): Promise<StoredEntry[]>;
  /** Removes all entries of a kind. */
  clear(kind: EntryKind): Promise<void>;
  /** Removes expired entries, except those of the kinds in `keep`, which are summarized first. */
  expire(now: number, keep: readonly EntryKind[]): Promise<void>;
}

const VERSIONS = 2 ** 47;

/**
 * Returns a random version. With a counter, an entry that is removed and created again would repeat earlier versions.
 */
export const newVersion = (): number => randomInt(1, VERSIONS);

/**
 * Ends all sessions and sign-ins. Call after a restore: the backup may contain sessions that were revoked after it was
 * made.
 */
export const endAllAccess = async (entries: Pick<Entries, 'clear'>): Promise<void> => {
  for (const kind of ACCESS_KINDS) await entries.clear(kind);
};
