import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** Events of a unique name, in `reservation-{kind}_{hash of the normalised name}`. */
export const reservationEvents = {
  /**
   * The owner claims the name, or takes it over from a claimant whose claim was closed. The claims of a name are
   * numbered consecutively.
   */
  NameReserved: {
    version: 1,
    data: Type.Object({
      /** what must be unique, such as `subdomain` */
      kind: Type.String(),
      /** the normalised name */
      name: Type.String(),
      owner_id: Type.String(),
      organization_id: Type.String(),
      claim: Type.Integer(),
    }),
  },
  /** The owner released the name. */
  NameReleased: {
    version: 1,
    data: Type.Object({ kind: Type.String(), name: Type.String(), owner_id: Type.String(), claim: Type.Integer() }),
  },
} as const satisfies EventDefinitions;

export type ReservationEvent = EventsOf<typeof reservationEvents>;
