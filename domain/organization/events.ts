import type { EventDefinitions, EventsOf } from '../event.ts';

export const organizationEvents = {} as const satisfies EventDefinitions;

export type OrganizationEvent = EventsOf<typeof organizationEvents>;
