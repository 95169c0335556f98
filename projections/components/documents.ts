import type { TimelineFact } from '../../domain/incident/facts.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { ComponentFields } from '../../domain/page/fields.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lane, LanePosition } from '../../domain/uptime/lane.ts';

/**
 * A component or a component group in the API's representation (docs/reference/components.md#fields). The `status`
 * of a group is not used: it follows from the group's components, which are found by `group_id` (`worstStatus`).
 */
export interface ComponentDocument extends ComponentFields {
  id: string;
  organization_id: string;
  page_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  /** when a field last changed, including a status set by an incident */
  updated_at: Instant;
  /** internal: the status last set by incidents or users; `status` is the worst of it and of `holds` */
  own_status: ComponentStatus;
  /** internal: its holders, except those from before its last manual change (docs/reference/components.md#components-held-by-alerts) */
  holds: readonly { holder: string; status: ComponentStatus }[];
  /** internal: the lane that set `own_status`, and when */
  status_set: { lane: string; moment: LanePosition };
}

/** Internal: the components that named a deleted check, and name it again if it is restored. Id: the check's. */
export interface UnlinkedCheckDocument {
  id: string;
  component_ids: readonly string[];
}

/** Internal: the facts that an incident's lanes are derived from. Id: the incident's. */
export interface TimelineDocument {
  id: string;
  /** in log order */
  facts: readonly TimelineFact[];
}

/**
 * A lane: the timeline of the statuses that one source sets on one component. The source is an incident, a holder, or a
 * manual change (docs/reference/uptime.md#timelines). Id: `{incident_id}:{component_id}`, `{holder}={component_id}`, or
 * `{component_id}@{place in the log}`.
 */
export interface LaneDocument extends Lane {
  id: string;
  component_id: string;
  /** null for a holder and for a manual change */
  incident_id: string | null;
  /** start of the lane: the earlier of the first update and its first step */
  begins: Instant;
  /** time of the incident's first update, of the hold, or of the manual change */
  first_update: Instant;
  /** when the incident was resolved, or the component released; {@link NEVER} while it is open */
  resolved: Instant;
  /** end of the lane's changes: the later of `resolved` and its last step */
  settled: Instant;
  /** `settled` if the lane has set a status that can last beyond it; otherwise null */
  leaves: Instant | null;
  /** class of the length from `begins` to `settled`, which finds the lanes of a period */
  span: number;
  /** when it last set a present status; null: never */
  last_set: LanePosition | null;
}

/** The end of a lane that has not ended; later than every instant. */
export const NEVER: Instant = '9999-12-31T23:59:59.999999';
