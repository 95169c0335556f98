import type { Sealed } from '../../domain/event.ts';

/** What is shown in place of a text whose key was deleted. */
export const FORGOTTEN = '[forgotten]';

/**
 * Keys that seal personal data and secrets (design.md: Events). Names of keys say whose they are:
 * `api_key-{id}`, `check-{id}`, `organization-{id}`.
 */
export interface Keys {
  /**
   * Seals a text under a key, which is made durably at its first use.
   *
   * @throws KeyForgotten
   */
  seal(key: string, text: string): Promise<Sealed>;
  /**
   * The text, or {@link FORGOTTEN} when the key was deleted.
   *
   * @throws UnreadableSeal the key was never made here, or the sealed text is damaged
   */
  open(sealed: Sealed): Promise<string>;
  /** Deletes a key for good, whether it was used or not; it is never made again. */
  forget(key: string): Promise<void>;
  /** An HMAC under a key that is never rotated, to compare texts that stand only sealed; 43 characters. */
  fingerprint(kind: string, text: string): Promise<string>;
  close(): Promise<void>;
}

export class KeyForgotten extends Error {
  constructor(key: string) {
    super(`The key ${key} was deleted; nothing can be sealed under it any more.`);
    this.name = 'KeyForgotten';
  }
}

/** What was sealed can't be read: a fault of the stored data, unlike a key that was deleted. */
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
