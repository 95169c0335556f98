import type { ReservationEvent } from './events.ts';
import type { Reservation } from './state.ts';

/**
 * A name that is unique among the names of its kind, such as a subdomain. The name is normalised by the rules of the
 * kind.
 */
export interface UniqueName {
  kind: string;
  name: string;
}

export interface Owner {
  id: string;
  organizationId: string;
}

/** Thrown if a name was claimed after the caller had read the reservation of the name. */
export class ReservationChanged extends Error {}

/**
 * Claims a name. If the owner already holds the name, the owner gets a new claim number, so that commands with the
 * previous claim number conflict.
 *
 * @param seen number of the newest claim that the claimant knows. If another owner has this claim, the claimant must
 * first make sure that this owner does not hold the name, and can no longer get the name with this claim
 * @throws ReservationChanged if the name has a newer claim than `seen`
 */
export const reserveName = (
  reservation: Reservation,
  { kind, name }: UniqueName,
  owner: Owner,
  seen: number,
): ReservationEvent => {
  if (reservation.claim !== seen) throw new ReservationChanged(`The ${kind} ${name} was claimed at the same time.`);
  return {
    type: 'NameReserved',
    data: { kind, name, owner_id: owner.id, organization_id: owner.organizationId, claim: seen + 1 },
  };
};

/**
 * Releases a name if its current claim is `claim`. If `claim` is null, releases the name regardless of the claim's
 * number. Returns no event if the owner does not hold the name.
 */
export const releaseName = (
  reservation: Reservation,
  { kind, name }: UniqueName,
  ownerId: string,
  claim: number | null,
): ReservationEvent[] => {
  if (reservation.status !== 'held' || reservation.ownerId !== ownerId) return [];
  if (claim !== null && reservation.claim !== claim) return [];
  return [{ type: 'NameReleased', data: { kind, name, owner_id: ownerId, claim: reservation.claim } }];
};
