import type { IncidentFact } from '../../domain/incident/facts.ts';
import type { ComponentMap, IncidentFields, ScheduleFields } from '../../domain/incident/fields.ts';
import type { IncidentKind, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** An incident update in the form of API responses (docs/reference/incidents.md#fields-of-an-update). */
export interface IncidentUpdateView {
  id: string;
  incident_id: string;
  body: string;
  status: IncidentStatus;
  components: ComponentMap;
  deliver_notifications: boolean;
  /** The same as `created_at`. */
  display_at: Instant;
  created_at: Instant;
  updated_at: Instant;
  /** Time at which `body` was withheld from visitors. Null if it is not withheld. */
  withheld_at: Instant | null;
}

/** The schedule of a maintenance. For other incidents, times and offsets are null. */
export type ScheduleView = {
  [K in keyof ScheduleFields]: ScheduleFields[K] | (ScheduleFields[K] extends boolean ? never : null);
};

/**
 * An incident or a maintenance in the form of API responses (docs/reference/incidents.md#fields). It has the ids of its
 * components, from which queries add `components`.
 */
export interface IncidentDocument extends IncidentFields, ScheduleView {
  id: string;
  organization_id: string;
  page_id: string;
  kind: IncidentKind;
  status: IncidentStatus;
  /** Ids of all components that the incident has named, in the order in which they were first named. */
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
  /** Internal: facts from which status and times are derived, in log order. */
  facts: readonly IncidentFact[];
  /**
   * Internal: position of the newest event that changed the incident. Unlike `updated_at`, it does not depend on
   * clocks.
   */
  changed_position: number;
}

/**
 * The postmortem of an incident in the form of API responses (docs/reference/postmortems.md#fields). The preview key is
 * encrypted.
 */
export interface PostmortemDocument {
  /** id of the incident, which has at most one postmortem */
  id: string;
  postmortem_id: string;
  /** the published text */
  body: string | null;
  /** The draft. After the publication, it is the published text. */
  body_draft: string | null;
  body_draft_updated_at: Instant;
  /** null before the first publication */
  body_updated_at: Instant | null;
  notify_subscribers: boolean;
  /** Encrypted for the field `preview_key`. Null unless there is an unpublished draft. */
  preview_key: Sealed | null;
  published_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** A component that an incident names, for the filter `component_id`. The id is `{incident_id}:{component_id}`. */
export interface IncidentComponentDocument {
  id: string;
  page_id: string;
  component_id: string;
  incident_id: string;
  kind: IncidentKind;
  /** Creation time of the incident. */
  created_at: Instant;
}

/** An incident update. These documents are counted by page and time to compute `activity_score`. */
export interface CountedUpdateDocument {
  /** id of the update */
  id: string;
  page_id: string;
  incident_id: string;
  created_at: Instant;
}

/**
 * An incident or maintenance that has ended or was deleted: an item of the list of the reactor that ends the
 * subscriptions to it (reactors/subscriptions/ended-incidents.ts). A reopened incident is removed from the list.
 */
export interface EndedIncidentDocument {
  /** Id of the incident. */
  id: string;
  organization_id: string;
  /** Time at which the subscriptions to the incident end. */
  due_at: Instant;
  changed_position: number;
}

/** A maintenance that was deleted before its end, without its texts. The calendar feed lists it as cancelled. */
export interface CancelledMaintenanceDocument {
  /** Id of the maintenance. */
  id: string;
  page_id: string;
  scheduled_for: Instant;
  scheduled_until: Instant;
  created_at: Instant;
  deleted_at: Instant;
}
