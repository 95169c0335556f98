import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema } from '../event.ts';
import { ComponentStatus } from '../page/component-status.ts';
import { IncidentImpact, IncidentStatus } from './statuses.ts';

/** Statuses by component id. Before its start, a maintenance lists its components without setting their statuses. */
export const ComponentMap = Type.Record(Type.String(), ComponentStatus);
export type ComponentMap = Static<typeof ComponentMap>;

/** The fields of an incident or a maintenance, without those derived from its updates. */
export const IncidentFields = Type.Object({
  name: Type.String(),
  impact: IncidentImpact,
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
});
export type IncidentFields = Static<typeof IncidentFields>;

/** The schedule of a maintenance. */
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
  /** false: the caller sent no status, so the incident's status was copied */
  status_sent: Type.Boolean(),
  /** the statuses that it sets; none while its own status is `scheduled` */
  components: ComponentMap,
  deliver_notifications: Type.Boolean(),
  created_at: InstantSchema,
});
export type UpdateFields = Static<typeof UpdateFields>;

/** An update with an optional delay of its messages. */
export const HoldableUpdate = Type.Composite([
  UpdateFields,
  /** when messages may be sent, so that the update can be removed before; absent: immediately */
  Type.Object({ notify_from: Type.Optional(InstantSchema) }),
]);
export type HoldableUpdate = Static<typeof HoldableUpdate>;
