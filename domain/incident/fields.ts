import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema } from '../event.ts';
import { ComponentStatus } from '../page/component-status.ts';
import { IncidentImpact, IncidentStatus } from './statuses.ts';

/**
 * Component statuses by component id. An update with the status `scheduled` names the components of a maintenance, and
 * does not set their statuses.
 */
export const ComponentMap = Type.Record(Type.String(), ComponentStatus);
export type ComponentMap = Static<typeof ComponentMap>;

/** The fields of an incident or a maintenance, except those that are derived from its updates. */
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
  /** the text in the request: `1d, 2h, 30m` */
  reminder_intervals: Type.Union([Type.String(), Type.Null()]),
  scheduled_auto_in_progress: Type.Boolean(),
  scheduled_auto_completed: Type.Boolean(),
  auto_transition_to_maintenance_state: Type.Boolean(),
  auto_transition_to_operational_state: Type.Boolean(),
  auto_transition_deliver_notifications_at_start: Type.Boolean(),
  auto_transition_deliver_notifications_at_end: Type.Boolean(),
});
export type ScheduleFields = Static<typeof ScheduleFields>;

/** The fields of an incident update. */
export const UpdateFields = Type.Object({
  id: Type.String(),
  body: Type.String(),
  /** the status of the incident after this update */
  status: IncidentStatus,
  /** whether the request contained the status; otherwise the status was copied from the incident */
  status_sent: Type.Boolean(),
  /** the component statuses that the update sets; it sets none if its own status is `scheduled` */
  components: ComponentMap,
  deliver_notifications: Type.Boolean(),
  created_at: InstantSchema,
});
export type UpdateFields = Static<typeof UpdateFields>;

/** An update whose messages can be delayed. */
export const HoldableUpdate = Type.Composite([
  UpdateFields,
  /**
   * Time before which no message is sent, so that the update can be removed before anyone is notified. Absent if
   * messages are sent immediately.
   */
  Type.Object({ notify_from: Type.Optional(InstantSchema) }),
]);
export type HoldableUpdate = Static<typeof HoldableUpdate>;
