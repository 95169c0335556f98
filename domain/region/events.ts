import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

export const OutageEnd = Type.Union([
  Type.Literal('connected'),
  /** no remote runner is to serve the region any more */
  Type.Literal('not_remote'),
]);
export type OutageEnd = Static<typeof OutageEnd>;

const outage = {
  /** whose administrators are told */
  organization_id: Type.String(),
  /** id of the region */
  region: Type.String(),
  /** since when no remote runner of it was connected */
  since: InstantSchema,
  /** of a private location: what it is called */
  name: Type.Optional(Type.String()),
};

/** Outages of regions that remote runners serve, in `region-{first alias of the region}`. */
export const regionEvents = {
  RegionCutOff: { version: 1, data: Type.Object(outage) },
  RegionReconnected: { version: 1, data: Type.Object({ ...outage, because: OutageEnd }) },
} as const satisfies EventDefinitions;

export type RegionEvent = EventsOf<typeof regionEvents>;
