import type { EventDefinitions, EventsOf } from '../event.ts';

export const incidentEvents = {} as const satisfies EventDefinitions;

export type IncidentEvent = EventsOf<typeof incidentEvents>;
