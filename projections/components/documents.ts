import type { TimelineFact } from '../../domain/incident/facts.ts';
import type { ComponentFields } from '../../domain/page/fields.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lane, Moment } from '../../domain/uptime/lane.ts';

/**
 * A component or a component group as the API shows it (spec.md: Component and component group). The
 * `status` of a group means nothing: it follows from the group's components, which are found by
 * `group_id` (`worstStatus`).
 */
export interface ComponentDocument extends ComponentFields {
  id: string;
  organization_id: string;
  page_id: string;
  created_at: Instant;
  /** when a field last changed, the status by an incident included */
  updated_at: Instant;
  /** internal: the lane that has set `status`, and when */
  status_set: { lane: string; moment: Moment };
}

/** Internal: what an incident's lanes follow from. Id: the incident's. */
export interface TimelineDocument {
  id: string;
  /** in the order of the log */
  facts: readonly TimelineFact[];
}

/**
 * The lane of an incident for one component, or that of a status set by hand (decisions.md: Uptime).
 * Id: `{incident_id}:{component_id}`, or `{component_id}@{place in the log}`.
 */
export interface LaneDocument extends Lane {
  id: string;
  component_id: string;
  /** null for a status set by hand */
  incident_id: string | null;
  /** from here on the lane says something: the earlier of the first update and its first step */
  begins: Instant;
  /** the incident's first update; for a status set by hand its time */
  first_update: Instant;
  /** when the incident was resolved; {@link NEVER} while it is open */
  resolved: Instant;
  /** from here on the lane says nothing new: the later of `resolved` and its last step */
  settled: Instant;
  /** `settled` where the lane has set a status that can last from then on; null where it has not */
  leaves: Instant | null;
  /** class of the length from `begins` to `settled`, by which lanes of a time are found */
  span: number;
  /** when it last set a present status; null when it never did */
  last_set: Moment | null;
}

/** Where a lane has no end yet; later than every instant. */
export const NEVER: Instant = '9999-12-31T23:59:59.999999';
