import type { Actor } from '../../domain/event.ts';
import { systemActor } from '../../domain/system-event.ts';
import { networkOf } from '../client-address.ts';

/** The credentials of a caller: a session, a key, or neither. */
export interface Credentials {
  /** id of the user who signed in or who created the key; null: none */
  userId: string | null;
  /** id of the session; null: none */
  sessionId: string | null;
  /** id of the API key; null: none */
  keyId: string | null;
}

/** The credentials of a visitor: a visitor has neither a session nor a key. */
export const NO_CREDENTIALS: Credentials = { userId: null, sessionId: null, keyId: null };

/** An authenticated caller or a visitor. After authentication, only this object determines what a request may do. */
export interface Caller extends Credentials {
  /** the actor of events; the role of the actor determines the caller's permissions (api/permissions.ts) */
  actor: Actor;
  /** id of the organization whose data the caller works on; empty if the route belongs to no organization */
  organizationId: string;
  /** key that identifies the caller for rate limits and for `Idempotency-Key` */
  limitKey: string;
}

const ANYBODY = systemActor('public');

/** Returns the rate limit key of callers without an API key. The key contains the caller's network. */
export const addressLimitKey = (address: string | undefined): string => `address ${networkOf(address ?? '')}`;

/**
 * Creates a caller without a key.
 *
 * @param organizationId the organization that the route belongs to; null: none
 */
export const visitor = (organizationId: string | null, address: string | undefined): Caller => ({
  ...NO_CREDENTIALS,
  actor: ANYBODY,
  organizationId: organizationId ?? '',
  limitKey: `${addressLimitKey(address)} at ${organizationId ?? ''}`,
});

/** Returns whether an actor is a caller without a key. */
export const isVisitor = (actor: Actor): boolean => actor === ANYBODY;
