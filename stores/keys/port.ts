import type { Sealed } from '../../domain/event.ts';

/** What is shown in place of a text whose key was deleted. */
export const FORGOTTEN = '[forgotten]';

/**
 * Keys that seal personal data and secrets (design.md: Events). Names of keys say whose they are:
 * `api_key-{id}`, `check-{id}`, `organization-{id}`.
 */
export interface Keys {
  /** Seals a text under a key, which is made at its first use. */
  seal(key: string, text: string): Promise<Sealed>;
  /** The text, or {@link FORGOTTEN} when the key was deleted. */
  open(sealed: Sealed): Promise<string>;
  /** Deletes a key for good; it is never made again. */
  forget(key: string): Promise<void>;
  /** An HMAC under a key that is never rotated, to compare texts that stand only sealed. */
  fingerprint(kind: string, text: string): Promise<string>;
  close(): Promise<void>;
}
