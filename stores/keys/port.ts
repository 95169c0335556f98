import type { Sealed } from '../../domain/sealed.ts';

/** What is shown instead of a text whose key was deleted. */
export const FORGOTTEN = '[forgotten]';

/** What is shown instead of a text whose key is missing, as after a restore of the logs alone. */
export const UNREADABLE = '[unreadable]';

/** The place of a sealed text, in events and in every copy of them. It opens nowhere else. */
export interface Place {
  organizationId: string;
  /** `client_address`, `parameters.http_request.password` */
  field: string;
}

/** The outcome of forgetting a key: it existed, it was forgotten before, or it was never made. */
export type Forgetting = 'forgotten' | 'already' | 'unknown';

/**
 * Keys that seal personal data and secrets (design.md: Events). The names of keys say whose they are:
 * `alert_channel-{id}`, `check-{id}`, `email_domain-{page id}`, `job-{id}`, `organization-{id}`,
 * `page_passwords-{page id}`, `report-{id}`, `secret-{id}`, `subscriber-{id}-{number}`, `user-{id}`, and of callers and
 * visitors `clients-{organization id}-{year}-{month}` and `visitors-{organization id}-{year}-{month}`
 * (domain/client-key.ts). `api_key-{id}` sealed where its requests came from before `clients-…` did.
 */
export interface Keys {
  /**
   * Seals a text under a key, which is made durably at its first use.
   *
   * @throws KeyForgotten
   */
  seal(key: string, text: string, place: Place): Promise<Sealed>;
  /**
   * Makes keys durably in one write, skipping those that exist or were forgotten. Call it before sealing under many new
   * keys: `seal` takes one write per new key.
   */
  make(names: readonly string[]): Promise<void>;
  /**
   * The text, or {@link FORGOTTEN} when the key was deleted.
   *
   * @throws UnreadableSeal the key was never made here, or the sealed text is damaged or from another place
   */
  open(sealed: Sealed, place: Place): Promise<string>;
  /** Deletes a key for good: it is never made again. One that was never made stays that way, and can still be made. */
  forget(key: string): Promise<Forgetting>;
  /** Names of keys that are not forgotten and begin with a prefix, in order, after one of them; at most `limit`. */
  names(query: { prefix: string; after: string; limit: number }): Promise<string[]>;
  /** An HMAC under a key that is never rotated, to compare texts that are stored only sealed; 43 characters. */
  fingerprint(kind: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/** A sealed text for people: if it can't be read, what surrounds it is still worth reading. */
export const openText = async (sealed: Sealed, place: Place, keys: Pick<Keys, 'open'>): Promise<string> => {
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
  place: Place,
  keys: Pick<Keys, 'open'>,
): Promise<string | undefined> => {
  const text = await openText(sealed, place, keys);
  return text === FORGOTTEN || text === UNREADABLE ? undefined : text;
};

/** Every key, unwrapped. It is kept only in memory; in files keys are wrapped. */
export interface KeyRing {
  /** the fingerprint key */
  fingerprint: Buffer;
  /** by name; null: forgotten */
  keys: ReadonlyMap<string, Buffer | null>;
}

/** Keys that can be moved to another deployment. */
export interface MovableKeys extends Keys {
  ring: () => Promise<KeyRing>;
  /**
   * Takes over a key ring, in effect whole: if it was cut off, the same ring can be taken over again. A key that is
   * forgotten on either side is forgotten, and one that is missing in the ring stays. Nobody else may use the keys
   * meanwhile.
   *
   * @throws OtherKeys nothing was taken over
   */
  adopt: (ring: KeyRing) => Promise<void>;
}

/**
 * Why the existing keys can't be joined with those of a ring, in a sentence; null when they can. While there are
 * no keys yet, the fingerprint key is replaced too: nothing can have been compared with it.
 */
export const whyNotJoined = (there: KeyRing, ring: KeyRing): string | null => {
  if (there.keys.size > 0 && !there.fingerprint.equals(ring.fingerprint)) {
    return 'There are keys of another service already.';
  }
  for (const [name, key] of ring.keys) {
    const present = there.keys.get(name);
    if (key && present && !present.equals(key)) return `There is another key ${name} already.`;
  }
  return null;
};

/** The keys here were made for another log. */
export class OtherKeys extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OtherKeys';
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
    super(`What was sealed under ${key} can't be read: ${reason}`, options);
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
