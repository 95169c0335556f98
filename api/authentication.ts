import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashOfToken, isAccessToken, type FoundSession } from '../commands/sign-in/session-tokens.ts';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import { isWithin } from '../domain/target/address-range.ts';
import type { Instant } from '../domain/time.ts';
import { credentialOf } from '../http/authorization.ts';
import { networkOf } from '../http/client-address.ts';
import { HttpError } from '../http/errors.ts';
import { createRefusalLimit, type RefusalLimit } from '../http/rate-limit.ts';
import type { Caller } from '../http/routes/caller.ts';
import { cacheForTime, cacheWhileUnchanged } from './lookup-cache.ts';
import { lacks, type Permission } from './permissions.ts';

/** Authenticates the credential in the header `Authorization`. */
export interface Authenticate {
  /**
   * @param credential an API key, or an access token of a session
   * @param address IP address of the client
   * @param hash SHA-256 of the credential in hexadecimal, if already computed
   * @returns null if the credential is unknown, revoked or expired, its session has ended, or its user is inactive
   * @throws HttpError 403 if the key must not be used from this address
   */
  (credential: string, address?: string, hash?: string): Promise<Caller | null>;
  /** Clears the cache, so that all credentials that have been revoked are refused immediately. */
  forget: () => void;
}

/** An API key that is not revoked and whose creator is active. */
export interface KnownKey {
  /** SHA-256 of the key in hexadecimal */
  hash: string;
  keyId: string;
  organizationId: string;
  /** the current role; a role unknown to this release has no permissions */
  role: string;
  /** Id of the user who created the key. Null if no user created it. */
  createdBy: string | null;
  /** Addresses and CIDR ranges that are allowed to use the key. Empty if all addresses are allowed. */
  allowedIps: readonly string[];
  /** null: the key does not expire */
  expiresAt: Instant | null;
}

/** An active user. */
export interface KnownUser {
  userId: string;
  organizationId: string;
  /** the current role; a role unknown to this release has no permissions */
  role: string;
}

export interface AuthenticationDependencies {
  /** Looks up a valid key by its SHA-256 in hexadecimal. Returns null if there is none. */
  find: (hash: string) => Promise<KnownKey | null>;
  /** Looks up an active user. Returns null if there is none. */
  user: (organizationId: string, userId: string) => Promise<KnownUser | null>;
  /** Looks up a session by the SHA-256 of its access token in hexadecimal. Returns null if there is none. */
  session: (hash: string) => Promise<FoundSession | null>;
  /**
   * Returns a number that changes whenever a key or user might have changed. Callers are cached while the number stays
   * the same. If the function returns null or is absent, every request looks up its key.
   */
  version?: () => bigint | null;
  now: () => Instant;
  /** Returns milliseconds from any origin, such as `performance.now()`. */
  clock?: () => number;
}

/** How long a process caches a session, in milliseconds (docs/reference/sign-in.md#effect-of-changes). */
const SESSION_REMEMBERED_MS = 1_000;

/**
 * Looks up API keys and access tokens by hash, and compares keys in constant time
 * (docs/reference/api-keys.md#storage-of-keys). A revoked key is refused as soon as this process knows of the
 * revocation, and an access token at most a second after its session ended. The permissions of a key or token follow
 * the current role of its user.
 */
export const createAuthenticate = (dependencies: AuthenticationDependencies): Authenticate => {
  const { find, user, session, version = () => null, now, clock = () => performance.now() } = dependencies;

  const keys = cacheWhileUnchanged(version, async (wanted) => {
    const known = await find(wanted);
    if (!known || !sameText(known.hash, wanted)) return null;
    return { caller: callerByKey(known), expiresAt: known.expiresAt, allows: allowing(known.allowedIps) };
  });
  const users = cacheWhileUnchanged(version, (name) => {
    const [organizationId, userId] = JSON.parse(name) as [string, string];
    return user(organizationId, userId);
  });
  const sessions = cacheForTime(SESSION_REMEMBERED_MS, session, clock);

  const bySession = async (hash: string): Promise<Caller | null> => {
    const known = await sessions.get(hash);
    const who = known && (await users.get(JSON.stringify([known.organizationId, known.userId])));
    return who && callerBySession(known, who);
  };

  const byKey = async (hash: string, address: string | undefined): Promise<Caller | null> => {
    const known = await keys.get(hash);
    if (!known || (known.expiresAt !== null && known.expiresAt <= now())) return null;
    if (!known.allows(address ?? null)) throw new HttpError(403, 'This API key must not be used from this address.');
    return known.caller;
  };

  const authenticate = (credential: string, address?: string, hash?: string): Promise<Caller | null> =>
    isAccessToken(credential)
      ? bySession(hash ?? hashOfToken(credential))
      : byKey(hash ?? hashOfApiKey(credential), address);
  return Object.assign(authenticate, {
    forget: () => {
      for (const { forget } of [keys, users, sessions]) forget();
    },
  });
};

const callerByKey = ({ keyId, organizationId, role, createdBy }: KnownKey): Caller => ({
  actor: { kind: 'api_key', id: keyId, role },
  organizationId,
  limitKey: keyId,
  userId: createdBy,
  sessionId: null,
  keyId,
});

/**
 * Returns the caller of an access token. Limits count the user, not the token: tokens are replaced every few minutes,
 * but their requests are from the same caller.
 */
const callerBySession = ({ sessionId }: FoundSession, { userId, organizationId, role }: KnownUser): Caller => ({
  actor: { kind: 'user', id: userId, role },
  organizationId,
  limitKey: `user ${userId}`,
  userId,
  sessionId,
  keyId: null,
});

/** Returns a function that tests whether an address is in one of the ranges. An unparsable range matches no address. */
const allowing = (ranges: readonly string[]): ((address: string | null) => boolean) => {
  if (ranges.length === 0) return () => true;
  return (address) =>
    ranges.some((range) => {
      try {
        return isWithin(range, address);
      } catch {
        return false;
      }
    });
};

const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Authenticates the caller of a request.
 *
 * @throws HttpError 401, 403, or 429 if the address got too many 401 responses
 */
export type IdentifyCaller = (authorization: string | undefined, address: string | undefined) => Promise<Caller>;

/** Accepts only callers with the permission. @throws HttpError 401, 403, 429 */
export const requirePermission =
  (permission: Permission, identify: IdentifyCaller): IdentifyCaller =>
  async (authorization, address) => {
    const caller = await identify(authorization, address);
    const lacking = lacks(permission, caller);
    if (lacking !== null) throw new HttpError(403, lacking);
    return caller;
  };

/** Number of valid credentials to remember. A remembered credential works even while its address is blocked. */
const REMEMBERED = 10_000;
/**
 * A client that presents the same refused access token again within this time, in milliseconds, is assumed to use an
 * expired token, not to guess tokens.
 */
const AGAIN_MS = 60_000;
/** Only every tenth repeated refusal of the same access token counts towards the limit. */
const COUNTED_ONCE_IN = 10;

/** Limits of the 401 responses to each client address. */
export interface RefusalLimits {
  /** Counts refused API keys, and requests without a credential. */
  keys: RefusalLimit;
  /** Counts refused access tokens. This limit is higher, because clients often send a token that has just expired. */
  tokens: RefusalLimit;
}

/** Ratio of the limit for access tokens to that for keys. */
const TOKENS_TO_KEYS = 10;

/**
 * @param perMinute maximum number of 401 responses per address and minute for refused keys; 0 for no limit
 * @param clock returns milliseconds from any origin, such as `performance.now()`
 */
export const createRefusalLimits = (perMinute: number, clock: () => number): RefusalLimits => ({
  keys: createRefusalLimit(perMinute, clock),
  tokens: createRefusalLimit(perMinute * TOKENS_TO_KEYS, clock),
});

/**
 * Responds 401 to callers without a valid key or access token. To slow down guessing, an address with too many 401
 * responses is blocked for a while, except for credentials that have worked before. Refused access tokens have a
 * separate limit (docs/reference/sign-in.md#refused-tokens), so a browser window that was left open with an expired
 * token does not block API keys at the same address.
 */
export const createIdentifyCaller = (authenticate: Authenticate, refusals: RefusalLimits): IdentifyCaller => {
  const worked = new LRUCache<string, true>({ max: REMEMBERED });
  const again = new LRUCache<string, number>({ max: REMEMBERED, ttl: AGAIN_MS });

  /** Decides whether a refusal of an access token counts towards the limit. */
  const counts = (network: string, hash: string): boolean => {
    const shown = `${network} ${hash}`;
    const times = again.get(shown) ?? 0;
    again.set(shown, times + 1, { noUpdateTTL: true });
    return times % COUNTED_ONCE_IN === 0;
  };

  return async (authorization, address) => {
    const credential = credentialOf(authorization);
    const isToken = credential !== null && isAccessToken(credential);
    const limit = isToken ? refusals.tokens : refusals.keys;
    const network = address === undefined ? '' : networkOf(address);
    // Access tokens are hashed by the same function as API keys.
    const hash = credential === null ? '' : hashOfApiKey(credential);
    if (!worked.has(hash)) limit.check(network);
    const caller = credential === null ? null : await authenticate(credential, address, hash);
    if (caller) {
      worked.set(hash, true);
      return caller;
    }
    worked.delete(hash);
    if (!isToken || counts(network, hash)) limit.count(network);
    throw new HttpError(401, refusal(credential, isToken), { headers: { 'WWW-Authenticate': 'Bearer' } });
  };
};

const refusal = (credential: string | null, isToken: boolean): string => {
  if (credential === null) return 'The Authorization header must contain an API key or an access token.';
  return isToken
    ? 'The access token is unknown or has expired, or its session has ended.'
    : 'The API key is unknown, revoked or expired.';
};
