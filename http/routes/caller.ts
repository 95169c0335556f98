import type { Actor } from '../../domain/event.ts';
import { systemActor } from '../../domain/system-event.ts';
import type { Instant } from '../../domain/time.ts';
import { networkOf } from '../client-address.ts';

/** Who calls, however that was proven, or who visits. All further steps rely on this alone. */
export interface Caller {
  /** who acts, as events name it; what it may do follows from its role (api/permissions.ts) */
  actor: Actor;
  /** whose data it works on; empty where a route concerns nobody's */
  organizationId: string;
  /** name of the key that seals data about the actor, such as where it calls from */
  sealedUnder: string;
  /** identifies the caller for the rate limit and the `Idempotency-Key`; unique to it */
  countedAs: string;
}

const ANYBODY = systemActor('public');

/** What the rate limit of callers without a key goes by: their network, whatever they ask for. */
export const addressCountedAs = (address: string | undefined): string => `address ${networkOf(address ?? '')}`;

/**
 * A caller without a key, on a route of an organization. Data about visitors is sealed under a key of that organization
 * and of the month (docs/decisions.md: Visitors), so that each month can be forgotten by itself.
 *
 * @param organizationId null: the route concerns nobody's data
 */
export const visitor = (organizationId: string | null, address: string | undefined, now: Instant): Caller => ({
  actor: ANYBODY,
  organizationId: organizationId ?? '',
  sealedUnder: `visitors-${organizationId ?? ''}-${now.slice(0, 'yyyy-mm'.length)}`,
  countedAs: `${addressCountedAs(address)} at ${organizationId ?? ''}`,
});

/** Whether an actor is somebody who has shown no key. */
export const isVisitor = (actor: Actor): boolean => actor === ANYBODY;
