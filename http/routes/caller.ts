import type { Actor } from '../../domain/event.ts';
import { systemActor } from '../../domain/system-event.ts';
import { networkOf } from '../client-address.ts';

/** Behind which credentials a caller stands: never more than one of a session and a key. */
export interface Credentials {
  /** the user who signed in, or who made the key; null: nobody who signs in */
  userId: string | null;
  /** the session that was shown; null: none */
  sessionId: string | null;
  /** the API key that was shown, by its id; null: none */
  keyId: string | null;
}

/** Who shows nothing. */
export const NO_CREDENTIALS: Credentials = { userId: null, sessionId: null, keyId: null };

/** Who calls, however that was proven, or who visits. All further steps rely on this alone. */
export interface Caller extends Credentials {
  /** who acts, as events name it; what it may do follows from its role (api/permissions.ts) */
  actor: Actor;
  /** whose data it works on; empty where a route concerns nobody's */
  organizationId: string;
  /** identifies the caller for the rate limit and the `Idempotency-Key`; unique to it */
  countedAs: string;
}

const ANYBODY = systemActor('public');

/** What the rate limit of callers without a key goes by: their network, whatever they ask for. */
export const addressCountedAs = (address: string | undefined): string => `address ${networkOf(address ?? '')}`;

/**
 * A caller without a key, on a route of an organization.
 *
 * @param organizationId null: the route concerns nobody's data
 */
export const visitor = (organizationId: string | null, address: string | undefined): Caller => ({
  ...NO_CREDENTIALS,
  actor: ANYBODY,
  organizationId: organizationId ?? '',
  countedAs: `${addressCountedAs(address)} at ${organizationId ?? ''}`,
});

/** Whether an actor is somebody who has shown no key. */
export const isVisitor = (actor: Actor): boolean => actor === ANYBODY;
