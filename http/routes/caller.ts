import type { Actor } from '../../domain/event.ts';
import { systemActor } from '../../domain/system-event.ts';
import { networkOf } from '../client-address.ts';

/** The credentials of a caller: a session, a key, or none. */
export interface Credentials {
  /** the user who signed in or who created the key; null: none */
  userId: string | null;
  /** null: no session */
  sessionId: string | null;
  /** the id of the API key; null: no key */
  keyId: string | null;
}

/** The credentials of a visitor. */
export const NO_CREDENTIALS: Credentials = { userId: null, sessionId: null, keyId: null };

/** An authenticated caller or a visitor. All further processing relies on this alone. */
export interface Caller extends Credentials {
  /** the actor in events; its role determines its permissions (api/permissions.ts) */
  actor: Actor;
  /** the organization whose data the caller works on; empty if the route concerns none */
  organizationId: string;
  /** unique key of the caller for rate limits and the `Idempotency-Key` */
  limitKey: string;
}

const ANYBODY = systemActor('public');

/** The rate limit key of callers without an API key: their network. */
export const addressLimitKey = (address: string | undefined): string => `address ${networkOf(address ?? '')}`;

/**
 * A caller without a key.
 *
 * @param organizationId the organization that the route belongs to; null: none
 */
export const visitor = (organizationId: string | null, address: string | undefined): Caller => ({
  ...NO_CREDENTIALS,
  actor: ANYBODY,
  organizationId: organizationId ?? '',
  limitKey: `${addressLimitKey(address)} at ${organizationId ?? ''}`,
});

/** Whether an actor is a caller without a key. */
export const isVisitor = (actor: Actor): boolean => actor === ANYBODY;
