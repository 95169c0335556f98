import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import { timeOf } from './event.ts';
import { statusBy, type IncidentFact } from './facts.ts';
import type { ScheduleFields } from './fields.ts';
import { isSameReminder, remindersOf, type Reminder } from './reminders.ts';
import type { IncidentStatus } from './statuses.ts';

/** An automatic status transition of a maintenance. */
export interface PlannedStatusChange {
  to: 'in_progress' | 'completed';
  /** `scheduled_for` or `scheduled_until` */
  scheduled: Instant;
  /**
   * The later of `scheduled` and the change that set it. Null: never, since a person has set the current status after the
   * scheduled time, and the clock does not override a person.
   */
  due_at: Instant | null;
}

/** The automatic actions of a maintenance: its next transition, and its pending and past reminders. */
export interface Agenda {
  move: PlannedStatusChange | null;
  /** pending reminders, earliest first */
  reminders: readonly Reminder[];
  /** reminders that were sent or missed; none is sent twice */
  reminded: readonly Pick<Reminder, 'minutes' | 'scheduled_for'>[];
}

/** The parts of a maintenance that its agenda depends on. */
export interface PlannedAction {
  schedule: ScheduleFields;
  facts: readonly IncidentFact[];
}

export const NO_AGENDA: Agenda = { move: null, reminders: [], reminded: [] };

/** The transition and reminders that a schedule requires in the current status. */
const wanted = (planned: PlannedAction | null) => {
  const status = planned && statusBy(planned.facts);
  return {
    move: planned && status && moveFrom(status, planned.schedule),
    reminders: planned && status === 'scheduled' ? remindersOf(planned.schedule) : [],
  };
};

const moveFrom = (
  status: IncidentStatus,
  schedule: ScheduleFields,
): Pick<PlannedStatusChange, 'to' | 'scheduled'> | null => {
  if (status === 'scheduled' && schedule.scheduled_auto_in_progress) {
    return { to: 'in_progress', scheduled: schedule.scheduled_for };
  }
  if (status === 'in_progress' && schedule.scheduled_auto_completed) {
    return { to: 'completed', scheduled: schedule.scheduled_until };
  }
  return null;
};

/**
 * The agenda after an event of a maintenance. A transition that the event does not affect keeps its due time. A new
 * reminder that is already past is not sent. A pending reminder remains pending until it is sent or no longer wanted.
 *
 * @param before the maintenance before the event; null for its first event
 */
export const agendaAfter = (
  before: (PlannedAction & { agenda: Agenda }) | null,
  event: IncidentEvent,
  after: PlannedAction,
): Agenda => {
  const agenda = before?.agenda ?? NO_AGENDA;
  const [former, now] = [wanted(before), wanted(after)];
  const at = timeOf(event);
  const reminded = [...agenda.reminded, ...remindedBy(event, agenda)];
  const isIn = (list: Agenda['reminded'], one: Reminder): boolean => list.some((other) => isSameReminder(one, other));
  return {
    move: isSameMove(former.move, now.move) ? agenda.move : now.move && planned(now.move, event, at),
    reminders: now.reminders.filter((one) => {
      if (isIn(reminded, one)) return false;
      return isIn(former.reminders, one) ? isIn(agenda.reminders, one) : one.due_at > at;
    }),
    reminded,
  };
};

const isSameMove = (
  a: Pick<PlannedStatusChange, 'to' | 'scheduled'> | null,
  b: Pick<PlannedStatusChange, 'to' | 'scheduled'> | null,
): boolean => a?.to === b?.to && a?.scheduled === b?.scheduled;

const planned = (
  move: Pick<PlannedStatusChange, 'to' | 'scheduled'>,
  event: IncidentEvent,
  at: Instant,
): PlannedStatusChange => ({
  ...move,
  due_at: isStatusByHand(event) && at >= move.scheduled ? null : laterOf(move.scheduled, at),
});

/** Whether the event is a status change by a person. */
const isStatusByHand = (event: IncidentEvent): boolean => {
  switch (event.type) {
    case 'MaintenanceScheduled':
    case 'IncidentChanged':
      return false;
    case 'IncidentStatusChanged':
      return !event.data.automatic;
    default:
      return true;
  }
};

/** The reminders that an event completes: its own, and earlier ones. */
const remindedBy = (event: IncidentEvent, { reminders }: Agenda): Agenda['reminded'] => {
  if (event.type !== 'MaintenanceReminded' && event.type !== 'MaintenanceReminderMissed') return [];
  const { offset, scheduled_for } = event.data;
  const last = reminders.findIndex((one) => one.offset === offset && one.scheduled_for === scheduled_for);
  return reminders.slice(0, last + 1).map(({ minutes, scheduled_for }) => ({ minutes, scheduled_for }));
};

/** When the next automatic action is due; null if there is none. */
export const dueActionAt = ({ move, reminders }: Agenda): Instant | null => {
  const times = [move?.due_at, reminders[0]?.due_at].filter((time) => time != null);
  return times.length === 0 ? null : times.reduce((first, time) => (time < first ? time : first));
};
