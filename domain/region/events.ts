import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

export const OutageEnd = Type.Union([
  Type.Literal('connected'),
  /** the region is no longer assigned to remote runners */
  Type.Literal('not_remote'),
]);
export type OutageEnd = Static<typeof OutageEnd>;

const outage = {
  /** the organization whose admins are notified */
  organization_id: Type.String(),
  /** id of the region */
  region: Type.String(),
  /** since when no remote runner of the region has been connected */
  since: InstantSchema,
  /** name of the region; only for a private location */
  name: Type.Optional(Type.String()),
};

/** Outages of regions that remote runners serve, in `region-{first alias of the region}`. */
export const regionEvents = {
  RegionCutOff: { version: 1, data: Type.Object(outage) },
  RegionReconnected: { version: 1, data: Type.Object({ ...outage, because: OutageEnd }) },
} as const satisfies EventDefinitions;

export type RegionEvent = EventsOf<typeof regionEvents>;
