import { unreachable, type Decider } from '../decider.ts';
import type { ReservationEvent } from './events.ts';

export interface ClaimedReservation {
  status: 'held';
  ownerId: string;
  /** the owner's organization */
  organizationId: string;
  /** number of the current claim, the highest so far */
  claim: number;
}

export type Reservation =
  /** `claim`: the highest claim number so far */
  { status: 'free'; claim: number } | ClaimedReservation;

const evolve = (reservation: Reservation, event: ReservationEvent): Reservation => {
  switch (event.type) {
    case 'NameReserved': {
      const { owner_id: ownerId, organization_id: organizationId, claim } = event.data;
      return { status: 'held', ownerId, organizationId, claim };
    }
    case 'NameReleased':
      return { status: 'free', claim: reservation.claim };
    default:
      return unreachable(event);
  }
};

/** The state of a name that is unique across the service. */
export const reservationDecider: Decider<Reservation, ReservationEvent> = {
  category: 'reservation',
  initialState: { status: 'free', claim: 0 },
  evolve,
};
