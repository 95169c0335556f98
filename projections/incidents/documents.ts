import type { Fact } from '../../domain/incident/facts.ts';
import type { ComponentMap, IncidentFields, ScheduleFields } from '../../domain/incident/fields.ts';
import type { IncidentKind, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** An incident update as the API shows it (spec.md: Incident update). */
export interface IncidentUpdateView {
  id: string;
  incident_id: string;
  body: string;
  status: IncidentStatus;
  components: ComponentMap;
  deliver_notifications: boolean;
  /** an update is displayed at the time it is about, its `created_at` */
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
 * An incident or a maintenance as the API shows it (spec.md: Incident), but with the ids of its
 * components instead of `components`: queries join them.
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
  /** internal: what status and times are derived from, in the order of the log */
  facts: readonly Fact[];
  /** internal: position of the event that last changed it, since `updated_at` stays where a clock was set back */
  changed_position: number;
}

/** The postmortem of an incident as the API shows it (spec.md: Postmortem), but with its preview key sealed. */
export interface PostmortemDocument {
  /** id of the incident: it has one postmortem at most */
  id: string;
  postmortem_id: string;
  /** the published text */
  body: string | null;
  /** the draft; after its publication it stays as it was published */
  body_draft: string | null;
  body_draft_updated_at: Instant;
  /** null before the first publication */
  body_updated_at: Instant | null;
  notify_subscribers: boolean;
  /** present while there is a draft that is not published; field `preview_key` */
  preview_key: Sealed | null;
  published_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** An incident names a component, for the list's `component_id` filter. Id: `{incident_id}:{component_id}`. */
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
 * An incident or maintenance that has ended, or was deleted: an item of the list of the reactor that ends the
 * subscriptions to it (reactors/subscriptions/ended-incidents.ts). One that is opened again is taken off.
 */
export interface EndedIncidentDocument {
  /** the incident's */
  id: string;
  organization_id: string;
  /** until when it is followed */
  due_at: Instant;
  changed_position: number;
}

/** A maintenance that was deleted before its end, without its texts: the calendar feed lists it as cancelled. */
export interface CancelledMaintenanceDocument {
  /** the maintenance's */
  id: string;
  page_id: string;
  scheduled_for: Instant;
  scheduled_until: Instant;
  created_at: Instant;
  deleted_at: Instant;
}
