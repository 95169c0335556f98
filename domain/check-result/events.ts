import type { EventDefinitions, EventsOf } from '../event.ts';

export const checkResultEvents = {} as const satisfies EventDefinitions;

export type CheckResultEvent = EventsOf<typeof checkResultEvents>;
