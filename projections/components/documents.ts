import type { TimelineFact } from '../../domain/incident/facts.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { ComponentFields } from '../../domain/page/fields.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lane, LanePosition } from '../../domain/uptime/lane.ts';

/**
 * A component or a component group in the form of API responses (docs/reference/components.md#fields). The `status` of
 * a group is not used. Queries compute it from the components with this `group_id` (`worstStatus`).
 */
export interface ComponentDocument extends ComponentFields {
  id: string;
  organization_id: string;
  page_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  /** Time of the most recent change of a field, including a status set by an incident. */
  updated_at: Instant;
  /** Internal: status that incidents and users have set. `status` is the worst of this and the statuses in `holds`. */
  own_status: ComponentStatus;
  /**
   * Internal: the alerts that hold the component. A manual change of the status removes earlier holds
   * (docs/reference/components.md#components-held-by-alerts).
   */
  holds: readonly { holder: string; status: ComponentStatus }[];
  /** Internal: the lane that has set `own_status`, and the time at which it has set this status. */
  status_set: { lane: string; moment: LanePosition };
}

/**
 * Internal: the components that were linked to a deleted check. If the check is restored, the components are linked to
 * it again. The document has the id of the check.
 */
export interface UnlinkedCheckDocument {
  id: string;
  component_ids: readonly string[];
}

/** Internal: the facts from which the lanes of an incident are derived. The document has the id of the incident. */
export interface TimelineDocument {
  id: string;
  /** Facts in log order. */
  facts: readonly TimelineFact[];
}

/**
 * A lane: the timeline of the statuses that one source sets on one component. The source is an incident, an alert that
 * holds the component (holder), or a manual change (docs/reference/uptime.md#timelines). The id is
 * `{incident_id}:{component_id}`, `{holder}={component_id}`, or `{component_id}@{position in the log}`.
 */
export interface LaneDocument extends Lane {
  id: string;
  component_id: string;
  /** Null if the source is a holder or a manual change. */
  incident_id: string | null;
  /** Start of the lane: the time of the first update or of the first step, whichever is earlier. */
  begins: Instant;
  /** time of the incident's first update, of the hold, or of the manual change */
  first_update: Instant;
  /** Time at which the incident was resolved or the component released. {@link NEVER} if this has not happened. */
  resolved: Instant;
  /** End of the lane's changes: `resolved` or the time of the final step, whichever is later. */
  settled: Instant;
  /** `settled` if the lane has set a status that can last beyond the end of the lane. Otherwise null. */
  leaves: Instant | null;
  /**
   * Class of the lane by its length from `begins` to `settled`. Lanes in a period are found by their class (spans.ts).
   */
  span: number;
  /** Most recent time at which the lane set the status of the component. Null if it never did. */
  last_set: LanePosition | null;
}

/** The end of a lane that has not ended. It is later than every instant. */
export const NEVER: Instant = '9999-12-31T23:59:59.999999';
