import { randomInt } from 'node:crypto';

/** What an {@link Entry} is about, each kind for itself. */
export const ENTRY_KINDS = [
  /** a session: hashes of its tokens and its last use */
  'session',
  /** a token of a session, by its hash: names the session */
  'session_token',
  /** failures of signing in, and until when the next one is put off */
  'sign_in',
  /** what a user has begun and not confirmed: a challenge, a second factor to be set up */
  'challenge',
  /** the last code of a second factor that was used: it is taken once */
  'totp_step',
  /** when an API key or a session was last used */
  'last_use',
  /** how often something was asked for within a time */
  'allowance',
  /** up to where in the log `main` it counts in every process what was taken from somebody */
  'given_up',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/**
 * Kinds that must not come back once they were removed, nor fall back to what they were: on SQLite their changes are on
 * the disk when the promise resolves, and a restored backup is without them. After a power cut SQLite may have lost the
 * last changes of the others: counts start a little lower, and a use is a minute older.
 */
export const ACCESS_KINDS: readonly EntryKind[] = ['session', 'session_token', 'challenge', 'totp_step', 'given_up'];

/** Kinds whose ended entries somebody sums up before removing them. */
export const SUMMED_UP_KINDS: readonly EntryKind[] = ['sign_in', 'session'];

/** State that ends by itself, and that the processes of a service share. */
export interface Entry {
  /** unique in its kind; never a secret itself, only its hash */
  id: string;
  /** JSON text; never a secret itself */
  value: string;
  /** whose it is, to find all of them: the id of a user or an organization; null: nobody's */
  owner: string | null;
  /** it is gone from then on, milliseconds since 1970 */
  expires_at: number;
}

/** An entry as it is stored; `version` is another one after every change, also after it was removed and put again. */
export interface StoredEntry extends Entry {
  version: number;
}

/**
 * State that ends by itself, with compare and set, so that two processes that change one entry at once know of it.
 * An entry past its end is absent for all who read or put; it is there for {@link Entries.ended} and
 * {@link Entries.remove}, until another one is put in its place or {@link Entries.expire} removes it. What is written is
 * durable when the promise resolves, but for what {@link ACCESS_KINDS} says.
 */
export interface Entries {
  get(kind: EntryKind, id: string, now: number): Promise<StoredEntry | null>;
  /** In no particular order; absent ones are left out. */
  find(kind: EntryKind, ids: readonly string[], now: number): Promise<StoredEntry[]>;
  /**
   * Puts an entry in place of the version that was read.
   *
   * @param expected its version; null: there must be none
   * @returns the new version; null: somebody else was first, and nothing was changed
   */
  put(kind: EntryKind, entry: Entry, expected: number | null, now: number): Promise<number | null>;
  /** Puts entries whatever is there, where it does not matter who is last. */
  putAll(kind: EntryKind, entries: readonly Entry[]): Promise<void>;
  /**
   * @param expected the version that was read; absent: whatever it is
   * @returns whether there was one that was removed
   */
  remove(kind: EntryKind, id: string, expected?: number): Promise<boolean>;
  /** All entries of an owner, by id. */
  ofOwner(kind: EntryKind, owner: string, now: number): Promise<StoredEntry[]>;
  /** Entries past their end that are still there, the oldest first, so that somebody can sum them up. */
  ended(kind: EntryKind, now: number, limit: number): Promise<StoredEntry[]>;
  /** Removes all entries of a kind. */
  clear(kind: EntryKind): Promise<void>;
  /** Removes entries past their end, but for `keep`: kinds whose ended entries somebody sums up. */
  expire(now: number, keep: readonly EntryKind[]): Promise<void>;
}

const VERSIONS = 2 ** 47;

/** A version that no entry has had: it is not counted on, since who removes an entry forgets its count. */
export const newVersion = (): number => randomInt(1, VERSIONS);

/**
 * Ends every access that somebody has gained by signing in: where data was restored, what was ended since the backup was
 * made must not be there again.
 */
export const endAccess = async (entries: Pick<Entries, 'clear'>): Promise<void> => {
  for (const kind of ACCESS_KINDS) await entries.clear(kind);
};
