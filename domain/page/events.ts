import type { EventDefinitions, EventsOf } from '../event.ts';

export const pageEvents = {} as const satisfies EventDefinitions;

export type PageEvent = EventsOf<typeof pageEvents>;
