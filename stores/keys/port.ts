import type { Sealed } from '../../domain/sealed.ts';

/** Placeholder for a text whose key was forgotten. */
export const FORGOTTEN = '[forgotten]';

/** Placeholder for a text whose key is missing, for example after only the logs were restored from a backup. */
export const UNREADABLE = '[unreadable]';

/**
 * The location of a sealed text. It is the same in an event and in all documents derived from it. A text sealed for one
 * location can't be opened for another.
 */
export interface SealLocation {
  organizationId: string;
  /** path of the field, such as `parameters.http_request.password` */
  field: string;
}

/** The outcome of forgetting a key. `already`: the key was forgotten before; `unknown`: it was never created. */
export type ForgetOutcome = 'forgotten' | 'already' | 'unknown';

/**
 * Keys that seal personal data and secrets (docs/develop/security.md#names-of-keys). The name of a key says which
 * object the key belongs to: `alert_channel-{id}`, `check-{id}`, `email_domain-{page id}`, `job-{id}`,
 * `organization-{id}`, `page_passwords-{page id}`, `report-{id}`, `secret-{id}`, `subscriber-{id}-{number}`,
 * `user-{id}`. The keys for addresses of API clients and visitors are `clients-{organization id}-{year}-{month}` and
 * `visitors-{organization id}-{year}-{month}` (domain/client-key.ts). Earlier releases sealed API clients' addresses
 * under `api_key-{id}`.
 */
export interface Keys {
  /**
   * Seals a text under a key. Creates the key durably on first use.
   *
   * @throws KeyForgotten
   */
  seal(key: string, text: string, place: SealLocation): Promise<Sealed>;
  /**
   * Creates keys durably in one write, except those that exist or were forgotten. Call before sealing texts under many
   * new keys, because `seal` needs one write per new key.
   */
  create(names: readonly string[]): Promise<void>;
  /**
   * Returns the text, or {@link FORGOTTEN} if the key was forgotten.
   *
   * @throws UnreadableSeal the key was never created here, or the sealed text is damaged or from another location
   */
  open(sealed: Sealed, place: SealLocation): Promise<string>;
  /**
   * Deletes a key permanently, so that a key with this name is never created again. Does nothing if the key was never
   * created. In this case, the key can still be created later.
   */
  forget(key: string): Promise<ForgetOutcome>;
  /**
   * Returns the names of keys that begin with a prefix and are not forgotten, in order: at most `limit` names after
   * `after`.
   */
  names(query: { prefix: string; after: string; limit: number }): Promise<string[]>;
  /**
   * Returns an HMAC of 43 characters, under a key that is never rotated. Use it to compare texts that are stored only
   * in sealed form.
   */
  fingerprint(kind: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens a sealed text for display. If the text can't be read, returns a placeholder, so that the rest of the page can
 * be shown.
 */
export const openText = async (sealed: Sealed, place: SealLocation, keys: Pick<Keys, 'open'>): Promise<string> => {
  try {
    return await keys.open(sealed, place);
  } catch (error) {
    if (error instanceof UnreadableSeal) return UNREADABLE;
    throw error;
  }
};

/** Opens a sealed text for processing. Returns undefined if its key was forgotten or is missing. */
export const readableText = async (
  sealed: Sealed,
  place: SealLocation,
  keys: Pick<Keys, 'open'>,
): Promise<string | undefined> => {
  const text = await openText(sealed, place, keys);
  return text === FORGOTTEN || text === UNREADABLE ? undefined : text;
};

/** All keys, unwrapped. A key ring exists in memory only: in files, keys are wrapped. */
export interface KeyRing {
  /** the fingerprint key */
  fingerprint: Buffer;
  /** keys by name; null: the key was forgotten */
  keys: ReadonlyMap<string, Buffer | null>;
}

/** Keys that can be moved to another deployment. */
export interface MovableKeys extends Keys {
  exportRing: () => Promise<KeyRing>;
  /**
   * Imports a key ring. If the import is interrupted, the same ring can be imported again. A key that was forgotten in
   * the ring or here is forgotten afterwards. A key that is not in the ring stays. No other process may use the keys
   * during the import.
   *
   * @throws KeysOfAnotherLog nothing was imported
   */
  importRing: (ring: KeyRing) => Promise<void>;
}

/**
 * Returns a sentence that says why the existing keys can't be merged with the keys of a ring; null if they can be
 * merged. If there are no keys yet, the fingerprint key may differ, and is replaced.
 */
export const whyNotMergeable = (there: KeyRing, ring: KeyRing): string | null => {
  if (there.keys.size > 0 && !there.fingerprint.equals(ring.fingerprint)) {
    return 'Keys of another service exist already.';
  }
  for (const [name, key] of ring.keys) {
    const present = there.keys.get(name);
    if (key && present && !present.equals(key)) return `A different key named ${name} exists already.`;
  }
  return null;
};

/** The stored keys belong to another log. */
export class KeysOfAnotherLog extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeysOfAnotherLog';
  }
}

export class KeyForgotten extends Error {
  constructor(key: string) {
    super(`The key ${key} was deleted; nothing can be sealed under it any more.`);
    this.name = 'KeyForgotten';
  }
}

/** A sealed text can't be read because the stored data is wrong. Not thrown if the key was forgotten. */
export class UnreadableSeal extends Error {
  constructor(key: string, reason: string, options?: ErrorOptions) {
    super(`A text sealed under ${key} can't be read: ${reason}`, options);
    this.name = 'UnreadableSeal';
  }
}

/** The keys can't be read or written at the moment (disk full, connection lost). */
export class KeysUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeysUnavailable';
  }
}
