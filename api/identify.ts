import { LRUCache } from 'lru-cache';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import { isAccessToken } from '../commands/sign-in/session-tokens.ts';
import type { Authenticate } from './authentication.ts';
import { keyOf } from '../http/authorization.ts';
import { networkOf } from '../http/client-address.ts';
import { HttpError } from '../http/errors.ts';
import type { Caller } from '../http/routes/caller.ts';
import { createRefusalLimit, type RefusalLimit } from '../http/rate-limit.ts';
import { lacks, type Permission } from './permissions.ts';

/** Finds out who calls, and from where. @throws HttpError 401, 403, or 429 for an address with too many 401s */
export type Identify = (authorization: string | undefined, address: string | undefined) => Promise<Caller>;

/** Lets through only callers with the permission. @throws HttpError 401, 403, 429 */
export const requiring =
  (permission: Permission, identify: Identify): Identify =>
  async (authorization, address) => {
    const caller = await identify(authorization, address);
    const lacking = lacks(permission, caller);
    if (lacking !== null) throw new HttpError(403, lacking);
    return caller;
  };

/** How many credentials that have worked are remembered, so their holders don't suffer from others at their address. */
const REMEMBERED = 10_000;
/** An access token that is refused again within this time is one that nobody has renewed, not another guess. */
const AGAIN_MS = 60_000;
/** Of so many refusals of the same access token one is counted, so that they end all the same. */
const COUNTED_ONCE_IN = 10;

/** Counts the 401s of an address. */
export interface Refusals {
  /** of API keys, and of requests that show nothing */
  keys: RefusalLimit;
  /** of access tokens: they expire every few minutes, can't be guessed, and cost no more than a look */
  tokens: RefusalLimit;
}

/** How many more refusals of access tokens than of keys an address may get. */
const TOKENS_TO_KEYS = 10;

/**
 * @param perMinute answers 401 that an address may get for keys; 0: no limit
 * @param clock milliseconds; only differences count
 */
export const createRefusals = (perMinute: number, clock: () => number): Refusals => ({
  keys: createRefusalLimit(perMinute, clock),
  tokens: createRefusalLimit(perMinute * TOKENS_TO_KEYS, clock),
});

/**
 * Answers 401 to callers without a valid key or access token. After too many 401s an address can't try others for a
 * while, which makes guessing slow; those that have worked before still work from there. Refused access tokens are
 * counted apart (docs/decisions.md: Access), so that a forgotten browser window does not shut out its neighbours.
 */
export const createIdentify = (authenticate: Authenticate, refusals: Refusals): Identify => {
  const worked = new LRUCache<string, true>({ max: REMEMBERED });
  const again = new LRUCache<string, number>({ max: REMEMBERED, ttl: AGAIN_MS });

  /** Whether the refusal of an access token is to be counted. */
  const counts = (network: string, hash: string): boolean => {
    const shown = `${network} ${hash}`;
    const times = again.get(shown) ?? 0;
    again.set(shown, times + 1, { noUpdateTTL: true });
    return times % COUNTED_ONCE_IN === 0;
  };

  return async (authorization, address) => {
    const credential = keyOf(authorization);
    const isToken = credential !== null && isAccessToken(credential);
    const limit = isToken ? refusals.tokens : refusals.keys;
    const network = address === undefined ? '' : networkOf(address);
    // Tokens are hashed as keys are.
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
  if (credential === null) return 'An API key or an access token is needed in the Authorization header.';
  return isToken
    ? 'The access token is unknown or has expired, or its session has ended.'
    : 'The API key is unknown, revoked or expired.';
};
