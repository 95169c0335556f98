import type { IncidentFact } from '../../domain/incident/facts.ts';
import type { ComponentMap, IncidentFields, ScheduleFields } from '../../domain/incident/fields.ts';
import type { IncidentKind, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** An incident update in the API's representation (docs/reference/incidents.md#fields-of-an-update). */
export interface IncidentUpdateView {
  id: string;
  incident_id: string;
  body: string;
  status: IncidentStatus;
  components: ComponentMap;
  deliver_notifications: boolean;
  /** equal to `created_at`, the time given to the update */
  display_at: Instant;
  created_at: Instant;
  updated_at: Instant;
  /** since when visitors no longer see `body`; null: they see it */
  withheld_at: Instant | null;
}

/** The schedule of a maintenance; times and offsets are null for other incidents. */
export type ScheduleView = {
  [K in keyof ScheduleFields]: ScheduleFields[K] | (ScheduleFields[K] extends boolean ? never : null);
};

/**
 * An incident or a maintenance in the API's representation (docs/reference/incidents.md#fields), but with the ids of its components
 * instead of `components`, which queries join.
 */
export interface IncidentDocument extends IncidentFields, ScheduleView {
  id: string;
  organization_id: string;
  page_id: string;
  kind: IncidentKind;
  status: IncidentStatus;
  /** the components named so far, in the order they were named */
  component_ids: readonly string[];
  /** newest first */
  incident_updates: readonly IncidentUpdateView[];
  monitoring_at: Instant | null;
  resolved_at: Instant | null;
  postmortem_body: string | null;
  postmortem_body_last_updated_at: Instant | null;
  postmortem_published_at: Instant | null;
  scheduled_reminded_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** internal: the facts that status and times are derived from, in log order */
  facts: readonly IncidentFact[];
  /**
   * internal: position of the event that last changed it, because `updated_at` does not advance after a clock was set
   * back
   */
  changed_position: number;
}

/**
 * The postmortem of an incident in the API's representation (docs/reference/postmortems.md#fields), but with its preview key encrypted.
 */
export interface PostmortemDocument {
  /** id of the incident, which has at most one postmortem */
  id: string;
  postmortem_id: string;
  /** the published text */
  body: string | null;
  /** the draft; after its publication it keeps the published text */
  body_draft: string | null;
  body_draft_updated_at: Instant;
  /** null before the first publication */
  body_updated_at: Instant | null;
  notify_subscribers: boolean;
  /** present while there is an unpublished draft; field `preview_key` */
  preview_key: Sealed | null;
  published_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** A component named by an incident, for the list's `component_id` filter. Id: `{incident_id}:{component_id}`. */
export interface IncidentComponentDocument {
  id: string;
  page_id: string;
  component_id: string;
  incident_id: string;
  kind: IncidentKind;
  /** when the incident was created */
  created_at: Instant;
}

/** An incident update, for counting by page and time (`activity_score`). */
export interface CountedUpdateDocument {
  /** id of the update */
  id: string;
  page_id: string;
  incident_id: string;
  created_at: Instant;
}

/**
 * An incident or maintenance that has ended or was deleted: an item of the list of the reactor that ends the
 * subscriptions to it (reactors/subscriptions/ended-incidents.ts). A reopened one is removed from the list.
 */
export interface EndedIncidentDocument {
  /** the incident's */
  id: string;
  organization_id: string;
  /** until when its subscriptions last */
  due_at: Instant;
  changed_position: number;
}

/** A maintenance that was deleted before its end, without its texts; the calendar feed lists it as cancelled. */
export interface CancelledMaintenanceDocument {
  /** the maintenance's */
  id: string;
  page_id: string;
  scheduled_for: Instant;
  scheduled_until: Instant;
  created_at: Instant;
  deleted_at: Instant;
}
