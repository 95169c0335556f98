import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import type { Instant } from '../domain/time.ts';
import type { Caller } from '../http/routes/caller.ts';

/** Who holds an API key; null when it is unknown, revoked or expired. */
export type Authenticate = (key: string) => Promise<Caller | null>;

/** An API key that is not revoked. */
export interface KnownKey {
  /** SHA-256 of the key in hexadecimal */
  hash: string;
  keyId: string;
  organizationId: string;
  /** a role that this release does not know may do nothing */
  role: string;
  /** from this moment on it is refused; null: never */
  expiresAt: Instant | null;
}

export interface AuthenticationDependencies {
  /** looks a key up by its SHA-256 in hexadecimal; null when there is none or it was revoked */
  find: (hash: string) => Promise<KnownKey | null>;
  /**
   * A number that changes whenever a key may have been created or revoked. While it stays the same, callers are
   * remembered; while it is null or absent, every request looks its key up.
   */
  version?: () => bigint | null;
  now: () => Instant;
}

const REMEMBERED = 1_000;

/**
 * Looks API keys up by hash and compares in constant time (decisions.md: HTTP rules, API key). A
 * revoked key is refused as soon as its revocation is found, an expired one from the instant it expires.
 */
export const createAuthenticate = ({ find, version, now }: AuthenticationDependencies): Authenticate => {
  const remembered = new LRUCache<string, { caller: Caller; expiresAt: Instant | null }>({ max: REMEMBERED });
  let rememberedAt: bigint | null = null;

  const lookUp = async (wanted: string) => {
    const known = await find(wanted);
    if (!known || !sameText(known.hash, wanted)) return null;
    return { caller: callerOf(known), expiresAt: known.expiresAt };
  };

  return async (key) => {
    const hash = hashOfApiKey(key);
    const current = version?.() ?? null;
    if (current === null || current !== rememberedAt) {
      remembered.clear();
      rememberedAt = current;
    }
    let known = remembered.get(hash) ?? null;
    if (!known) {
      known = await lookUp(hash);
      // Remember only what was found and is still true: a key may have been revoked while it was looked up.
      if (known && current !== null && version?.() === current) remembered.set(hash, known);
    }
    if (!known || (known.expiresAt !== null && known.expiresAt <= now())) return null;
    return known.caller;
  };
};

const callerOf = ({ keyId, organizationId, role }: KnownKey): Caller => ({
  actor: { kind: 'api_key', id: keyId, role },
  organizationId,
  sealedUnder: `api_key-${keyId}`,
  countedAs: keyId,
});

const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
