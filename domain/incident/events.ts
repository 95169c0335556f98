import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { ComponentStatus } from '../page/component-status.ts';
import { Sealed } from '../sealed.ts';
import { ComponentMap, HoldableUpdate, IncidentFields, ScheduleFields, UpdateFields } from './fields.ts';
import { IncidentStatus } from './statuses.ts';

const ids = { incident_id: Type.String(), page_id: Type.String() };

/**
 * Present if the `auto_transition_to_*_state` switch for the new status was on. It sets the
 * components that the incident named before. Which these are depends on the final form of the updates,
 * so `components` beside it only says what was set then.
 */
const switched = Type.Optional(
  Type.Object({
    /** what the switch sets */
    status: ComponentStatus,
    /** what the request itself said of components */
    sent: ComponentMap,
  }),
);

const Changes = Type.Partial(Type.Composite([IncidentFields, ScheduleFields]));
const Moved = Type.Object({ status: IncidentStatus });
const Draft = Type.Object({
  /** Markdown; null: there is none */
  body_draft: Type.Union([Type.String(), Type.Null()]),
  /** whether its publication is told to subscribers */
  notify_subscribers: Type.Boolean(),
});
const UpdateChanges = Type.Partial(Type.Pick(UpdateFields, ['body', 'components', 'created_at']));

/**
 * Events of an incident or a maintenance with its updates and its postmortem, in `incident-{incident_id}`. They contain the statuses of
 * components by the time of the fact: `created_at` of an update, `changed_at` of a
 * change of status.
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
  /** An incident that was over when it was recorded; `updates` from the first to the resolving one. */
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
   * The status changed without an update: by hand, or because its time had come. `components` got a status by it:
   * those of a maintenance whose `auto_transition_to_*_state` says so.
   */
  IncidentStatusChanged: {
    version: 4,
    data: Type.Object({
      ...ids,
      /** by the clock: when it was due, which can be long before it was done */
      changed_at: InstantSchema,
      changes: Moved,
      previous: Moved,
      components: ComponentMap,
      switched,
      /** made by the clock, at `scheduled_for` or `scheduled_until` */
      automatic: Type.Boolean(),
      /** whether subscribers are told: never for anything but the start or the end of a maintenance (statuses.ts) */
      deliver_notifications: Type.Boolean(),
      /** when messages may be sent; absent: at once */
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
      /** what was removed, in its last form */
      update: UpdateFields,
    }),
  },
  /**
   * Visitors no longer see the text that an update had at this moment, nor what it said before its edits; readers with a
   * key do. The update may have been removed before. A text that a later edit gives it is shown.
   */
  IncidentUpdateTextWithheld: {
    version: 1,
    data: Type.Object({ ...ids, incident_update_id: Type.String(), withheld_at: InstantSchema }),
  },
  /**
   * Subscribers are reminded of a maintenance that is still ahead. One reminder stands for all that were due by then;
   * each is sent once by offset and `scheduled_for`.
   */
  MaintenanceReminded: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** how long before the start it was due, as in `reminder_intervals`: `2h` */
      offset: Type.String(),
      scheduled_for: InstantSchema,
      reminded_at: InstantSchema,
    }),
  },
  /** Reminders up to this one were due, but not sent before the start: the service was down. */
  MaintenanceReminderMissed: {
    version: 1,
    data: Type.Object({ ...ids, offset: Type.String(), scheduled_for: InstantSchema, missed_at: InstantSchema }),
  },
  /** The draft of the postmortem was written, changed or discarded; the first one makes the postmortem. */
  PostmortemDrafted: {
    version: 1,
    data: Type.Object({
      ...ids,
      postmortem_id: Type.String(),
      drafted_at: InstantSchema,
      draft: Draft,
      /** null: there was no postmortem */
      previous: Type.Union([Draft, Type.Null()]),
      /** what lets people without an API key read the draft, field `preview_key`; null: nothing waits to be published */
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
  /** What was published is no longer shown; the draft stays, or what was published becomes it. */
  PostmortemUnpublished: {
    version: 1,
    data: Type.Object({
      ...ids,
      postmortem_id: Type.String(),
      unpublished_at: InstantSchema,
      /** as in PostmortemDrafted: the draft waits to be published again */
      preview_key: Sealed,
    }),
  },
  IncidentDeleted: { version: 2, data: Type.Object({ ...ids, deleted_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type IncidentEvent = EventsOf<typeof incidentEvents>;
