import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { ComponentStatus } from '../page/component-status.ts';
import { Sealed } from '../sealed.ts';
import { ComponentMap, HoldableUpdate, IncidentFields, ScheduleFields, UpdateFields } from './fields.ts';
import { IncidentStatus } from './statuses.ts';

const ids = { incident_id: Type.String(), page_id: Type.String() };

/**
 * Present if the `auto_transition_to_*_state` switch for the new status was on. Such a switch sets the status of all
 * components that the incident named before this event. The `components` of the event contain the resulting statuses at
 * the time of the event. A later edit of an update can change which components the switch affects.
 */
const switched = Type.Optional(
  Type.Object({
    /** the component status that the switch sets */
    status: ComponentStatus,
    /** the component statuses that the request contained */
    sent: ComponentMap,
  }),
);

const Changes = Type.Partial(Type.Composite([IncidentFields, ScheduleFields]));
const Moved = Type.Object({ status: IncidentStatus });
const Draft = Type.Object({
  /** Markdown; null if there is no draft */
  body_draft: Type.Union([Type.String(), Type.Null()]),
  /** whether subscribers are notified when the draft is published */
  notify_subscribers: Type.Boolean(),
});
const UpdateChanges = Type.Partial(Type.Pick(UpdateFields, ['body', 'components', 'created_at']));

/**
 * Events of an incident or a maintenance, of its updates and of its postmortem, in the stream `incident-{incident_id}`.
 * A component status applies from `created_at` of the update that sets it, or from `changed_at` of the status change
 * that sets it.
 */
export const incidentEvents = {
  IncidentOpened: {
    version: 2,
    data: Type.Object({ ...ids, created_at: InstantSchema, incident: IncidentFields, update: HoldableUpdate }),
  },
  MaintenanceScheduled: {
    version: 2,
    data: Type.Object({
      ...ids,
      created_at: InstantSchema,
      incident: IncidentFields,
      schedule: ScheduleFields,
      update: HoldableUpdate,
    }),
  },
  /**
   * An incident was recorded after its end. `updates` are in chronological order. The final update resolves the
   * incident.
   */
  PastIncidentLogged: {
    version: 1,
    data: Type.Object({
      ...ids,
      logged_at: InstantSchema,
      incident: IncidentFields,
      updates: Type.Array(UpdateFields, { minItems: 1 }),
    }),
  },
  IncidentChanged: {
    version: 1,
    data: Type.Object({ ...ids, changed_at: InstantSchema, changes: Changes, previous: Changes }),
  },
  /**
   * The status changed without an update, manually or automatically at a scheduled time. `components` contains the
   * component statuses that an `auto_transition_to_*_state` switch of the maintenance set.
   */
  IncidentStatusChanged: {
    version: 4,
    data: Type.Object({
      ...ids,
      /**
       * time of the change; for an automatic change, the time at which it was due, possibly long before it was recorded
       */
      changed_at: InstantSchema,
      changes: Moved,
      previous: Moved,
      components: ComponentMap,
      switched,
      /** whether the change was automatic, at `scheduled_for` or `scheduled_until` */
      automatic: Type.Boolean(),
      /** whether subscribers are notified; true only for the start or the end of a maintenance (statuses.ts) */
      deliver_notifications: Type.Boolean(),
      /** time before which no message is sent; absent if messages are sent immediately */
      notify_from: Type.Optional(InstantSchema),
    }),
  },
  IncidentUpdateAppended: { version: 3, data: Type.Object({ ...ids, update: HoldableUpdate, switched }) },
  IncidentUpdateEdited: {
    version: 2,
    data: Type.Object({
      ...ids,
      incident_update_id: Type.String(),
      edited_at: InstantSchema,
      changes: UpdateChanges,
      previous: UpdateChanges,
    }),
  },
  IncidentUpdateRemoved: {
    version: 2,
    data: Type.Object({
      ...ids,
      incident_update_id: Type.String(),
      removed_at: InstantSchema,
      /** the removed update with its newest content */
      update: UpdateFields,
    }),
  },
  /**
   * The current text of an update and its earlier texts are hidden from visitors, but not from clients with an API key.
   * The update might already have been removed. The text of a later edit is not hidden.
   */
  IncidentUpdateTextWithheld: {
    version: 1,
    data: Type.Object({ ...ids, incident_update_id: Type.String(), withheld_at: InstantSchema }),
  },
  /**
   * Subscribers are reminded of an upcoming maintenance. If several reminders are due, only the newest one is sent. A
   * reminder is identified by `offset` and `scheduled_for`, and is sent only one time.
   */
  MaintenanceReminded: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** the time between the reminder and the start, as written in `reminder_intervals`: `2h` */
      offset: Type.String(),
      scheduled_for: InstantSchema,
      reminded_at: InstantSchema,
    }),
  },
  /** This reminder and earlier ones were due, but were not sent before the start, because the service was down. */
  MaintenanceReminderMissed: {
    version: 1,
    data: Type.Object({ ...ids, offset: Type.String(), scheduled_for: InstantSchema, missed_at: InstantSchema }),
  },
  /** The draft of the postmortem was created, changed or discarded. The first draft creates the postmortem. */
  PostmortemDrafted: {
    version: 1,
    data: Type.Object({
      ...ids,
      postmortem_id: Type.String(),
      drafted_at: InstantSchema,
      draft: Draft,
      /** the previous draft; null if there was no postmortem */
      previous: Type.Union([Draft, Type.Null()]),
      /**
       * A key that grants access to the draft without an API key. It is sealed for the field `preview_key`. Null if
       * there is no unpublished draft.
       */
      preview_key: Type.Union([Sealed, Type.Null()]),
    }),
  },
  PostmortemPublished: {
    version: 1,
    data: Type.Object({
      ...ids,
      postmortem_id: Type.String(),
      /** Markdown */
      body: Type.String(),
      notify_subscribers: Type.Boolean(),
      published_at: InstantSchema,
    }),
  },
  /** The published text is no longer shown. If there is no draft, the published text becomes the draft. */
  PostmortemUnpublished: {
    version: 1,
    data: Type.Object({
      ...ids,
      postmortem_id: Type.String(),
      unpublished_at: InstantSchema,
      /** see `PostmortemDrafted` */
      preview_key: Sealed,
    }),
  },
  IncidentDeleted: { version: 2, data: Type.Object({ ...ids, deleted_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type IncidentEvent = EventsOf<typeof incidentEvents>;
