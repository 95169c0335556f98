import type { ReservationEvent } from './events.ts';
import type { Reservation } from './state.ts';

/** A unique name of a kind, in the form in which names of the kind are compared. */
export interface UniqueName {
  kind: string;
  name: string;
}

export interface Owner {
  id: string;
  organizationId: string;
}

/** The reservation was claimed again since it was read. */
export class ReservationMoved extends Error {}

/**
 * Claims a name with the claim after `seen`, the last one that the claimant knows and has settled
 * with its owner. Claiming a name again that one already has is a new claim as well: whoever was about to
 * take or release it by the old one loses.
 *
 * @throws ReservationMoved there is a newer claim than `seen`
 */
export const reserveName = (
  reservation: Reservation,
  { kind, name }: UniqueName,
  owner: Owner,
  seen: number,
): ReservationEvent => {
  if (reservation.claim !== seen) throw new ReservationMoved(`The ${kind} ${name} was claimed at the same time.`);
  return {
    type: 'NameReserved',
    data: { kind, name, owner_id: owner.id, organization_id: owner.organizationId, claim: seen + 1 },
  };
};

/** Gives a name back if it is still held by that claim; if `claim` is null, by any claim of the owner. */
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
