import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { clientKey } from '../../domain/client-key.ts';
import { CLIENT_ADDRESS, USER_AGENT } from '../../domain/event.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import { KeyForgotten, type Keys } from '../../stores/keys/port.ts';
import { isVisitor, type Caller } from './caller.ts';

/** The client address and the user agent of a request, encrypted. */
export interface SealedOrigin {
  clientAddress?: Sealed;
  userAgent?: Sealed;
}

export type SealOrigin = (
  caller: Pick<Caller, 'actor' | 'organizationId'>,
  request: Pick<Request, 'ip' | 'headers'>,
  now: Instant,
) => Promise<SealedOrigin>;

const LONGEST_USER_AGENT = 500;
const REMEMBERED = 1_000;

/**
 * Creates a function that encrypts the client address and the user agent of a request, with the key of the organization
 * for the current month (domain/client-key.ts). The result is cached per actor, because a program that sends many
 * requests usually does so from one address.
 *
 * The results for visitors are not cached. Otherwise two visits of the same person would have the same ciphertext and
 * could be linked, and visitors would evict all other entries. If the key of the month was already deleted, nothing is
 * stored.
 */
export const createSealOrigin = (keys: Pick<Keys, 'seal'>): SealOrigin => {
  const remembered = new LRUCache<string, Promise<SealedOrigin>>({ max: REMEMBERED });
  return ({ actor, organizationId }, request, now) => {
    const address = request.ip;
    const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT);
    if (isVisitor(actor)) {
      return sealed(keys, { key: clientKey('visitors', organizationId, now), organizationId }, address, userAgent);
    }
    const under = { key: clientKey('clients', organizationId, now), organizationId };
    const origin = JSON.stringify([under.key, actor.kind, actor.id, address, userAgent]);
    const known = remembered.get(origin);
    if (known) return known;
    const client = sealed(keys, under, address, userAgent);
    remembered.set(origin, client);
    client.catch(() => remembered.delete(origin));
    return client;
  };
};

const sealed = async (
  keys: Pick<Keys, 'seal'>,
  { key, organizationId }: { key: string; organizationId: string },
  address: string | undefined,
  userAgent: string | undefined,
): Promise<SealedOrigin> => {
  const seal = (text: string, field: string) => keys.seal(key, text, { organizationId, field });
  try {
    const [clientAddress, sealedUserAgent] = await Promise.all([
      address === undefined ? undefined : seal(address, CLIENT_ADDRESS),
      userAgent === undefined ? undefined : seal(userAgent, USER_AGENT),
    ]);
    return { ...(clientAddress && { clientAddress }), ...(sealedUserAgent && { userAgent: sealedUserAgent }) };
  } catch (error) {
    if (error instanceof KeyForgotten) return {};
    throw error;
  }
};
