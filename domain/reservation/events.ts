import type { EventDefinitions, EventsOf } from '../event.ts';

export const reservationEvents = {} as const satisfies EventDefinitions;

export type ReservationEvent = EventsOf<typeof reservationEvents>;
