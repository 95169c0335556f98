import type { Sealed } from '../../domain/sealed.ts';

/** Placeholder for a text whose key was deleted. */
export const FORGOTTEN = '[forgotten]';

/** Placeholder for a text whose key is missing, for example after a restore of the logs alone. */
export const UNREADABLE = '[unreadable]';

/**
 * The location of a sealed text, the same in events and in every copy of them. The text can't be opened for another.
 */
export interface SealLocation {
  organizationId: string;
  /** `client_address`, `parameters.http_request.password` */
  field: string;
}

/** The outcome of forgetting a key: it existed, it was forgotten before, or it was never created. */
export type ForgetOutcome = 'forgotten' | 'already' | 'unknown';

/**
 * Keys that seal personal data and secrets (docs/develop/security.md#names-of-keys). A key's name says what owns it: `alert_channel-{id}`,
 * `check-{id}`, `email_domain-{page id}`, `job-{id}`, `organization-{id}`, `page_passwords-{page id}`, `report-{id}`,
 * `secret-{id}`, `subscriber-{id}-{number}`, `user-{id}`, and for addresses of API clients and visitors
 * `clients-{organization id}-{year}-{month}` and `visitors-{organization id}-{year}-{month}` (domain/client-key.ts).
 * Earlier releases sealed API clients' addresses under `api_key-{id}`.
 */
export interface Keys {
  /**
   * Seals a text under a key, which is created durably on first use.
   *
   * @throws KeyForgotten
   */
  seal(key: string, text: string, place: SealLocation): Promise<Sealed>;
  /**
   * Creates keys durably in one write, skipping those that exist or were forgotten. Call it before sealing under many
   * new keys: `seal` takes one write per new key.
   */
  create(names: readonly string[]): Promise<void>;
  /**
   * The text, or {@link FORGOTTEN} when the key was deleted.
   *
   * @throws UnreadableSeal the key was never created here, or the sealed text is damaged or from another location
   */
  open(sealed: Sealed, place: SealLocation): Promise<string>;
  /**
   * Deletes a key permanently: it is never created again. A key that was never created stays so, and can still be
   * created.
   */
  forget(key: string): Promise<ForgetOutcome>;
  /** At most `limit` names of keys that are not forgotten and begin with a prefix, ordered, after a given one. */
  names(query: { prefix: string; after: string; limit: number }): Promise<string[]>;
  /** An HMAC under a key that is never rotated, to compare texts that are stored only sealed; 43 characters. */
  fingerprint(kind: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * A sealed text for display. If it can't be read, returns a placeholder, so that the rest of the page is still shown.
 */
export const openText = async (sealed: Sealed, place: SealLocation, keys: Pick<Keys, 'open'>): Promise<string> => {
  try {
    return await keys.open(sealed, place);
  } catch (error) {
    if (error instanceof UnreadableSeal) return UNREADABLE;
    throw error;
  }
};

/** A sealed text for programs; undefined if its key was deleted or is missing. */
export const readableText = async (
  sealed: Sealed,
  place: SealLocation,
  keys: Pick<Keys, 'open'>,
): Promise<string | undefined> => {
  const text = await openText(sealed, place, keys);
  return text === FORGOTTEN || text === UNREADABLE ? undefined : text;
};

/** All keys, unwrapped. Exists only in memory; keys in files are wrapped. */
export interface KeyRing {
  /** the fingerprint key */
  fingerprint: Buffer;
  /** by name; null: forgotten */
  keys: ReadonlyMap<string, Buffer | null>;
}

/** Keys that can be moved to another deployment. */
export interface MovableKeys extends Keys {
  exportRing: () => Promise<KeyRing>;
  /**
   * Imports a key ring, atomically in effect: after an interruption, the same ring can be imported again. A key that is
   * forgotten on either side is forgotten; a key that the ring lacks stays. No other process may use the keys
   * meanwhile.
   *
   * @throws KeysOfAnotherLog nothing was imported
   */
  importRing: (ring: KeyRing) => Promise<void>;
}

/**
 * Why the existing keys can't be merged with those of a ring, in a sentence; null when they can. While there are no
 * keys yet, the fingerprint key is replaced too, since no text was compared by it.
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

/** The keys here belong to another log. */
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

/** Sealed text can't be read: a fault of the stored data, unlike a deleted key. */
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
