import type { ReservationEvent } from './events.ts';
import type { Reservation } from './state.ts';

/** A unique name of a kind, in the normalised form of the kind. */
export interface UniqueName {
  kind: string;
  name: string;
}

export interface Owner {
  id: string;
  organizationId: string;
}

/** The name was claimed again since its reservation was read. */
export class ReservationChanged extends Error {}

/**
 * Claims a name. The claim's number follows `seen`, the last claim that the claimant has settled with
 * its owner. Claiming an already held name again is a new claim, so that commands with the old claim
 * number conflict.
 *
 * @throws ReservationChanged there is a newer claim than `seen`
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

/** Releases a name if this claim still holds it; if `claim` is null, if any claim of the owner holds it. */
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
