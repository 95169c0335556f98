import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import { timeOf } from './event.ts';
import { statusBy, type IncidentFact } from './facts.ts';
import type { ScheduleFields } from './fields.ts';
import { isSameReminder, remindersOf, type Reminder } from './reminders.ts';
import type { IncidentStatus } from './statuses.ts';

/** The next automatic status transition of a maintenance. */
export interface PlannedStatusChange {
  to: 'in_progress' | 'completed';
  /** the scheduled time of the transition: `scheduled_for` or `scheduled_until` */
  scheduled: Instant;
  /**
   * The time of the transition: `scheduled`, or the time of the change that set `scheduled`, whichever is later. Null
   * if the transition does not happen, because a user has set the current status after the scheduled time. An automatic
   * transition does not override a user.
   */
  due_at: Instant | null;
}

/** The automatic actions of a maintenance: the next status transition, and the reminders. */
export interface Agenda {
  move: PlannedStatusChange | null;
  /** reminders that are not yet sent, earliest first */
  reminders: readonly Reminder[];
  /** Reminders that were sent or missed. They are stored so that no reminder is sent twice. */
  reminded: readonly Pick<Reminder, 'minutes' | 'scheduled_for'>[];
}

/** The parts of a maintenance that determine its agenda. */
export interface PlannedAction {
  schedule: ScheduleFields;
  facts: readonly IncidentFact[];
}

export const NO_AGENDA: Agenda = { move: null, reminders: [], reminded: [] };

/** Returns the transition and the reminders that a schedule requires in the current status. */
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
 * Returns the agenda after an event of a maintenance. A transition keeps its due time if the event does not affect the
 * transition. If an event adds a reminder whose time is already past, the reminder is not sent. A pending reminder
 * stays pending until it is sent or the schedule no longer contains it.
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

/** Whether an event is a status change by a user. */
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

/** Returns the reminders that an event completes. A reminder event completes its own reminder and all earlier ones. */
const remindedBy = (event: IncidentEvent, { reminders }: Agenda): Agenda['reminded'] => {
  if (event.type !== 'MaintenanceReminded' && event.type !== 'MaintenanceReminderMissed') return [];
  const { offset, scheduled_for } = event.data;
  const last = reminders.findIndex((one) => one.offset === offset && one.scheduled_for === scheduled_for);
  return reminders.slice(0, last + 1).map(({ minutes, scheduled_for }) => ({ minutes, scheduled_for }));
};

/** Returns when the next automatic action is due; null if there is none. */
export const dueActionAt = ({ move, reminders }: Agenda): Instant | null => {
  const times = [move?.due_at, reminders[0]?.due_at].filter((time) => time != null);
  return times.length === 0 ? null : times.reduce((first, time) => (time < first ? time : first));
};
