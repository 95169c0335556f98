import type { TimelineFact } from '../../domain/incident/facts.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { ComponentFields } from '../../domain/page/fields.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lane, Moment } from '../../domain/uptime/lane.ts';

/**
 * A component or a component group as the API shows it (spec.md: Component and component group). The
 * `status` of a group is not used: it follows from the group's components, which are found by
 * `group_id` (`worstStatus`).
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
  /** internal: what incidents and people have set last; `status` is the worst of it and of `holds` */
  own_status: ComponentStatus;
  /** internal: what holds it, but for what held it before it was last edited by hand (decisions.md: Alerts) */
  holds: readonly { holder: string; status: ComponentStatus }[];
  /** internal: the lane that set `own_status`, and when */
  status_set: { lane: string; moment: Moment };
}

/** Internal: the components that named a deleted check, and name it again if it is restored. Id: the check's. */
export interface UnlinkedCheckDocument {
  id: string;
  component_ids: readonly string[];
}

/** Internal: what an incident's lanes are derived from. Id: the incident's. */
export interface TimelineDocument {
  id: string;
  /** in the order of the log */
  facts: readonly TimelineFact[];
}

/**
 * The lane of an incident for one component, of something that holds it, or of a status set by hand (decisions.md:
 * Uptime). Id: `{incident_id}:{component_id}`, `{holder}={component_id}`, or `{component_id}@{place in the log}`.
 */
export interface LaneDocument extends Lane {
  id: string;
  component_id: string;
  /** null for what holds it, and for a status set by hand */
  incident_id: string | null;
  /** where the lane begins to apply: the earlier of the first update and its first step */
  begins: Instant;
  /** the incident's first update; when it was held, or set by hand */
  first_update: Instant;
  /** when the incident was resolved, or the component released; {@link NEVER} while it is open */
  resolved: Instant;
  /** where the lane stops changing: the later of `resolved` and its last step */
  settled: Instant;
  /** `settled` if the lane has set a status that can last from then on; otherwise null */
  leaves: Instant | null;
  /** class of the length from `begins` to `settled`, by which the lanes of a period are found */
  span: number;
  /** when it last set a present status; null if it never did */
  last_set: Moment | null;
}

/** The end of a lane that has none yet; later than every instant. */
export const NEVER: Instant = '9999-12-31T23:59:59.999999';
