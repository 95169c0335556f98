import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { CLIENT_ADDRESS, USER_AGENT } from '../../domain/event.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { KeyForgotten, type Keys } from '../../stores/keys/port.ts';
import { isVisitor, type Caller } from './caller.ts';

/** Where a request came from, sealed. */
export interface Client {
  clientAddress?: Sealed;
  userAgent?: Sealed;
}

export type SealClient = (
  caller: Pick<Caller, 'actor' | 'sealedUnder' | 'organizationId'>,
  request: Pick<Request, 'ip' | 'headers'>,
) => Promise<Client>;

const LONGEST_USER_AGENT = 500;
const REMEMBERED = 1_000;

/**
 * Seals client address and user agent under the key of the actor, so that forgetting the actor forgets them in every
 * event (design.md: Events, Personal data). A sealed text is used again, since a program that calls often comes from
 * one address. This does not hold for visitors: a second visit must not be recognizable by it, and they would push
 * everybody else out of the cache. Nothing is kept about an actor that is already forgotten.
 */
export const createSealClient = (keys: Pick<Keys, 'seal'>): SealClient => {
  const remembered = new LRUCache<string, Promise<Client>>({ max: REMEMBERED });
  return (caller, request) => {
    const address = request.ip;
    const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT);
    if (isVisitor(caller.actor)) return sealed(keys, caller, address, userAgent);
    const origin = JSON.stringify([caller.sealedUnder, address, userAgent]);
    const known = remembered.get(origin);
    if (known) return known;
    const client = sealed(keys, caller, address, userAgent);
    remembered.set(origin, client);
    client.catch(() => remembered.delete(origin));
    return client;
  };
};

const sealed = async (
  keys: Pick<Keys, 'seal'>,
  { sealedUnder, organizationId }: Pick<Caller, 'sealedUnder' | 'organizationId'>,
  address: string | undefined,
  userAgent: string | undefined,
): Promise<Client> => {
  const seal = (text: string, field: string) => keys.seal(sealedUnder, text, { organizationId, field });
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
