import { LRUCache } from 'lru-cache';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import type { Authenticate } from './authentication.ts';
import { keyOf } from '../http/authorization.ts';
import { networkOf } from '../http/client-address.ts';
import { HttpError } from '../http/errors.ts';
import type { Caller } from '../http/routes/caller.ts';
import type { RefusalLimit } from '../http/rate-limit.ts';
import { lacks, type Permission } from './permissions.ts';

/** Finds out who calls, and from where. @throws HttpError 401, or 429 for an address with too many 401s */
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

/** How many keys that have worked are remembered, so their holders don't suffer from others at their address. */
const REMEMBERED = 10_000;

/**
 * Answers 401 to callers without a valid key. After too many 401s an address can't try other keys for a while, which
 * makes guessing slow; keys that have worked before still work from there.
 *
 * @param refusals counts the 401s of an address
 */
export const createIdentify = (authenticate: Authenticate, refusals: RefusalLimit): Identify => {
  const worked = new LRUCache<string, true>({ max: REMEMBERED });
  return async (authorization, address) => {
    const key = keyOf(authorization);
    const network = address === undefined ? '' : networkOf(address);
    const hash = key === null ? '' : hashOfApiKey(key);
    if (!worked.has(hash)) refusals.check(network);
    const caller = key === null ? null : await authenticate(key);
    if (caller) {
      worked.set(hash, true);
      return caller;
    }
    worked.delete(hash);
    refusals.count(network);
    const message =
      key === null
        ? 'An API key is needed in the Authorization header.'
        : 'The API key is unknown, revoked or expired.';
    throw new HttpError(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  };
};
