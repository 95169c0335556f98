import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** Events of one unique name, in `reservation-{kind}_{hash of the normalized name}`. */
export const reservationEvents = {
  /**
   * The owner claims the name, or takes it from a claimant that can no longer get it. Each claim has
   * the number after the last one's.
   */
  NameReserved: {
    version: 1,
    data: Type.Object({
      /** what must be unique, such as `subdomain` */
      kind: Type.String(),
      /** in the form in which names of the kind are compared */
      name: Type.String(),
      owner_id: Type.String(),
      organization_id: Type.String(),
      claim: Type.Integer(),
    }),
  },
  /** The owner gave the name back. */
  NameReleased: {
    version: 1,
    data: Type.Object({ kind: Type.String(), name: Type.String(), owner_id: Type.String(), claim: Type.Integer() }),
  },
} as const satisfies EventDefinitions;

export type ReservationEvent = EventsOf<typeof reservationEvents>;
