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
