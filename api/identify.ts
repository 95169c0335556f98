import { LRUCache } from 'lru-cache';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import { isAccessToken } from '../commands/sign-in/session-tokens.ts';
import type { Authenticate } from './authentication.ts';
import { credentialOf } from '../http/authorization.ts';
import { networkOf } from '../http/client-address.ts';
import { HttpError } from '../http/errors.ts';
import type { Caller } from '../http/routes/caller.ts';
import { createRefusalLimit, type RefusalLimit } from '../http/rate-limit.ts';
import { lacks, type Permission } from './permissions.ts';

/** Authenticates the caller of a request. @throws HttpError 401, 403, or 429 for an address with too many 401s */
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

/** Number of cached valid credentials: their owners are not blocked by failures of others at the same address. */
const REMEMBERED = 10_000;
/** Milliseconds in which a repeated refusal of one access token means an expired token in use, not another guess. */
const AGAIN_MS = 60_000;
/** One in this many repeated refusals of an access token counts, so that the limit still applies eventually. */
const COUNTED_ONCE_IN = 10;

/** Limits the 401 responses per address. */
export interface RefusalLimits {
  /** for API keys, and for requests without a credential */
  keys: RefusalLimit;
  /** for access tokens, which expire every few minutes, cannot be guessed and are cheap to check */
  tokens: RefusalLimit;
}

/** Ratio of the limit for access tokens to that for keys. */
const TOKENS_TO_KEYS = 10;

/**
 * @param perMinute 401 responses per address for keys; 0: no limit
 * @param clock milliseconds; only differences count
 */
export const createRefusalLimits = (perMinute: number, clock: () => number): RefusalLimits => ({
  keys: createRefusalLimit(perMinute, clock),
  tokens: createRefusalLimit(perMinute * TOKENS_TO_KEYS, clock),
});

/**
 * Responds 401 to callers without a valid key or access token. After too many 401s, an address cannot try unknown
 * credentials for a while, which slows down guessing; credentials that have worked before still work. Refused access
 * tokens are counted separately (docs/reference/sign-in.md#refused-tokens), so that a forgotten browser window does not block others
 * at its address.
 */
export const createIdentifyCaller = (authenticate: Authenticate, refusals: RefusalLimits): IdentifyCaller => {
  const worked = new LRUCache<string, true>({ max: REMEMBERED });
  const again = new LRUCache<string, number>({ max: REMEMBERED, ttl: AGAIN_MS });

  /** Whether to count this refusal of an access token. */
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
    // The hash of keys and access tokens is the same.
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
