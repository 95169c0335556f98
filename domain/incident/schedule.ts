import type { EventOf } from '../event-types.ts';
import type { ComponentStatus } from '../page/component-status.ts';
import type { ActivePage } from '../page/state.ts';
import { componentsNamedBy } from './facts.ts';
import type { ComponentMap, ScheduleFields } from './fields.ts';
import type { IncidentFieldErrors } from './affected-components.ts';
import type { ExistingIncident, Maintenance } from './state.ts';
import type { IncidentStatus } from './statuses.ts';

/** The schedule fields in a request. A scheduled time can be null, which means that it is not set. */
export type ScheduleInput = {
  [K in keyof ScheduleFields]?: ScheduleFields[K] | (K extends 'scheduled_for' | 'scheduled_until' ? null : never);
};

/** Defaults of a schedule. */
export const SCHEDULE_DEFAULTS: Omit<ScheduleFields, 'scheduled_for' | 'scheduled_until'> = {
  scheduled_remind_prior: false,
  reminder_intervals: null,
  scheduled_auto_in_progress: false,
  scheduled_auto_completed: false,
  auto_transition_to_maintenance_state: false,
  auto_transition_to_operational_state: false,
  auto_transition_deliver_notifications_at_start: false,
  auto_transition_deliver_notifications_at_end: false,
};

const FIELDS = [
  'scheduled_for',
  'scheduled_until',
  ...Object.keys(SCHEDULE_DEFAULTS),
] as readonly (keyof ScheduleFields)[];

const REQUIRED = 'Is required for a maintenance.';

/** Returns the schedule fields that an input contains. */
const sentOf = (input: ScheduleInput): ScheduleInput =>
  Object.fromEntries(FIELDS.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]));

/**
 * Returns the schedule of a maintenance after an input. Adds errors to `broken`. If there are errors, the caller must
 * not use the returned schedule.
 *
 * @param current the current schedule; null for a maintenance that is being created
 */
export const plannedSchedule = (
  broken: IncidentFieldErrors,
  input: ScheduleInput,
  current: ScheduleFields | null,
): ScheduleFields => {
  const { scheduled_for, scheduled_until, ...rest } = { ...SCHEDULE_DEFAULTS, ...current, ...sentOf(input) };
  if (scheduled_for == null) broken['scheduled_for'] = [REQUIRED];
  if (scheduled_until == null) broken['scheduled_until'] = [REQUIRED];
  else if (scheduled_for != null && scheduled_until <= scheduled_for) {
    broken['scheduled_until'] = ['Must be later than scheduled_for.'];
  }
  return { scheduled_for: scheduled_for ?? '', scheduled_until: scheduled_until ?? '', ...rest };
};

/** Adds an error for each scheduled time in a request, because a regular incident has none. */
export const checkUnplanned = (broken: IncidentFieldErrors, input: ScheduleInput, sentence: string): void => {
  for (const field of ['scheduled_for', 'scheduled_until'] as const) {
    if (input[field] != null) broken[field] = [sentence];
  }
};

/**
 * Returns the component status that an `auto_transition_to_*_state` switch sets when a maintenance gets a status. Null
 * if there is no switch for this status, or if the switch is off.
 */
const switchFor = (schedule: ScheduleFields | null, status: IncidentStatus): ComponentStatus | null => {
  if (status === 'in_progress' && schedule?.auto_transition_to_maintenance_state) return 'under_maintenance';
  if (status === 'completed' && schedule?.auto_transition_to_operational_state) return 'operational';
  return null;
};

/**
 * Returns the component statuses that a status change sets: those in the request, and those of the
 * `auto_transition_to_*_state` switch for the new status (docs/reference/maintenance.md#component-statuses).
 */
export const transitionsOf = (
  incident: ExistingIncident,
  schedule: ScheduleFields | null,
  page: ActivePage,
  move: { from: IncidentStatus; to: IncidentStatus; sent: ComponentMap },
): Pick<EventOf<'IncidentStatusChanged'>['data'], 'components' | 'switched'> => {
  const { from, to, sent } = move;
  const status = switchFor(schedule, to);
  if (status === null) return { components: sent };
  const named = from === to ? [] : componentsNamedBy(incident.facts).filter((id) => page.components.has(id));
  return {
    components: { ...Object.fromEntries(named.map((id) => [id, status])), ...sent },
    switched: { status, sent },
  };
};

export const scheduleOf = (incident: ExistingIncident): Maintenance['schedule'] | null =>
  incident.kind === 'maintenance' ? incident.schedule : null;
