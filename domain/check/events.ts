import type { EventDefinitions, EventsOf } from '../event.ts';

export const checkEvents = {} as const satisfies EventDefinitions;

export type CheckEvent = EventsOf<typeof checkEvents>;
