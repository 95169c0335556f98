import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema } from '../event.ts';
import { ComponentStatus } from '../page/component-status.ts';
import { IncidentImpact, IncidentStatus } from './statuses.ts';

/** Component ids to the status that each got, or, before a maintenance has begun, will be touched by it. */
export const ComponentMap = Type.Record(Type.String(), ComponentStatus);
export type ComponentMap = Static<typeof ComponentMap>;

/** The fields of an incident of either kind, besides what is derived from its updates. */
export const IncidentFields = Type.Object({
  name: Type.String(),
  impact: IncidentImpact,
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
});
export type IncidentFields = Static<typeof IncidentFields>;

/** What makes an incident a maintenance. */
export const ScheduleFields = Type.Object({
  scheduled_for: InstantSchema,
  /** later than `scheduled_for` */
  scheduled_until: InstantSchema,
  scheduled_remind_prior: Type.Boolean(),
  /** as sent: `1d, 2h, 30m` */
  reminder_intervals: Type.Union([Type.String(), Type.Null()]),
  scheduled_auto_in_progress: Type.Boolean(),
  scheduled_auto_completed: Type.Boolean(),
  auto_transition_to_maintenance_state: Type.Boolean(),
  auto_transition_to_operational_state: Type.Boolean(),
  auto_transition_deliver_notifications_at_start: Type.Boolean(),
  auto_transition_deliver_notifications_at_end: Type.Boolean(),
});
export type ScheduleFields = Static<typeof ScheduleFields>;

/** An incident update as it was first recorded. */
export const UpdateFields = Type.Object({
  id: Type.String(),
  body: Type.String(),
  /** the incident's status from this update on */
  status: IncidentStatus,
  /** false: the caller sent no status, and the incident's own was taken over */
  status_sent: Type.Boolean(),
  /** what it sets; it sets nothing while its status is `scheduled` */
  components: ComponentMap,
  deliver_notifications: Type.Boolean(),
  created_at: InstantSchema,
});
export type UpdateFields = Static<typeof UpdateFields>;

/** The same of an update whose messages can be held. */
export const HoldableUpdate = Type.Composite([
  UpdateFields,
  /** when messages may be sent, so that the update can be taken back before; absent: at once */
  Type.Object({ notify_from: Type.Optional(InstantSchema) }),
]);
export type HoldableUpdate = Static<typeof HoldableUpdate>;
