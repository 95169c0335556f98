import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { ComponentStatus } from '../page/component-status.ts';
import { Sealed } from '../sealed.ts';
import { ComponentMap, HoldableUpdate, IncidentFields, ScheduleFields, UpdateFields } from './fields.ts';
import { IncidentStatus } from './statuses.ts';

const ids = { incident_id: Type.String(), page_id: Type.String() };

/**
 * Present if the `auto_transition_to_*_state` switch for the new status was on. The switch sets the
 * components that the incident named before. Later edits of updates can change which these are, so
 * `components` only records what was set at the time of the event.
 */
const switched = Type.Optional(
  Type.Object({
    /** the status that the switch sets */
    status: ComponentStatus,
    /** the components in the request itself */
    sent: ComponentMap,
  }),
);

const Changes = Type.Partial(Type.Composite([IncidentFields, ScheduleFields]));
const Moved = Type.Object({ status: IncidentStatus });
const Draft = Type.Object({
  /** Markdown; null: there is none */
  body_draft: Type.Union([Type.String(), Type.Null()]),
  /** whether subscribers are notified of its publication */
  notify_subscribers: Type.Boolean(),
});
const UpdateChanges = Type.Partial(Type.Pick(UpdateFields, ['body', 'components', 'created_at']));

/**
 * Events of an incident or a maintenance with its updates and its postmortem, in `incident-{incident_id}`. A component
 * status applies from the time of its fact: `created_at` of an update, `changed_at` of a status change.
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
  /** An incident that was already over when it was recorded; `updates` from the first to the resolving one. */
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
   * The status changed without an update: manually, or automatically at the scheduled time. `components`: the statuses
   * that it set, by `auto_transition_to_*_state` of a maintenance.
   */
  IncidentStatusChanged: {
    version: 4,
    data: Type.Object({
      ...ids,
      /** for an automatic change: when it was due, which may be long before it was made */
      changed_at: InstantSchema,
      changes: Moved,
      previous: Moved,
      components: ComponentMap,
      switched,
      /** whether it was made automatically, at `scheduled_for` or `scheduled_until` */
      automatic: Type.Boolean(),
      /** whether subscribers are notified: only for the start and the end of a maintenance (statuses.ts) */
      deliver_notifications: Type.Boolean(),
      /** when messages may be sent; absent: immediately */
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
      /** the removed update in its last form */
      update: UpdateFields,
    }),
  },
  /**
   * The current text of an update and its earlier versions are hidden from visitors, but not from readers with an API
   * key. The update may have been removed before. Texts of later edits are shown.
   */
  IncidentUpdateTextWithheld: {
    version: 1,
    data: Type.Object({ ...ids, incident_update_id: Type.String(), withheld_at: InstantSchema }),
  },
  /**
   * Subscribers are reminded of an upcoming maintenance. If several reminders are due, only the last is sent. A reminder
   * is identified by its offset and `scheduled_for`, and sent once.
   */
  MaintenanceReminded: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** the time before the start, as in `reminder_intervals`: `2h` */
      offset: Type.String(),
      scheduled_for: InstantSchema,
      reminded_at: InstantSchema,
    }),
  },
  /** Reminders up to this one were due, but not sent before the start, since the service was down. */
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
      /** null: there was no postmortem */
      previous: Type.Union([Draft, Type.Null()]),
      /** grants access to the draft without an API key, field `preview_key`; null if there is no unpublished draft */
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
  /** The published text is no longer shown. If there is no draft, it becomes the draft. */
  PostmortemUnpublished: {
    version: 1,
    data: Type.Object({
      ...ids,
      postmortem_id: Type.String(),
      unpublished_at: InstantSchema,
      /** as in PostmortemDrafted */
      preview_key: Sealed,
    }),
  },
  IncidentDeleted: { version: 2, data: Type.Object({ ...ids, deleted_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type IncidentEvent = EventsOf<typeof incidentEvents>;
