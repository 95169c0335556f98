import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import { timeOf } from './event.ts';
import { statusBy, type Fact } from './facts.ts';
import type { ScheduleFields } from './fields.ts';
import { isSameReminder, remindersOf, type Reminder } from './reminders.ts';
import type { IncidentStatus } from './statuses.ts';

/** A move of a maintenance that the clock makes. */
export interface PlannedMove {
  to: 'in_progress' | 'completed';
  /** `scheduled_for` or `scheduled_until` */
  scheduled: Instant;
  /**
   * The later of `scheduled` and of the change that set it. Null: never, since a person has put the maintenance into
   * its status after that time, and the clock does not overrule them.
   */
  due_at: Instant | null;
}

/** What the clock will do with a maintenance, and which reminders it has sent. */
export interface Agenda {
  move: PlannedMove | null;
  /** those to be sent, the one due first first */
  reminders: readonly Reminder[];
  /** those that had their time: none is sent twice */
  reminded: readonly Pick<Reminder, 'minutes' | 'scheduled_for'>[];
}

/** A maintenance, as far as its agenda depends on it. */
export interface Planned {
  schedule: ScheduleFields;
  facts: readonly Fact[];
}

export const NO_AGENDA: Agenda = { move: null, reminders: [], reminded: [] };

/** What a schedule asks for in a status. */
const wanted = (planned: Planned | null) => {
  const status = planned && statusBy(planned.facts);
  return {
    move: planned && status && moveFrom(status, planned.schedule),
    reminders: planned && status === 'scheduled' ? remindersOf(planned.schedule) : [],
  };
};

const moveFrom = (status: IncidentStatus, schedule: ScheduleFields): Pick<PlannedMove, 'to' | 'scheduled'> | null => {
  if (status === 'scheduled' && schedule.scheduled_auto_in_progress) {
    return { to: 'in_progress', scheduled: schedule.scheduled_for };
  }
  if (status === 'in_progress' && schedule.scheduled_auto_completed) {
    return { to: 'completed', scheduled: schedule.scheduled_until };
  }
  return null;
};

/**
 * The agenda after an event of a maintenance. A move that the event does not concern stays due when it was. A reminder
 * that is new and past is not sent; one that was to be sent stays so until it is, or until it is no longer wanted.
 *
 * @param before the maintenance before the event; null when the event is its first
 */
export const agendaAfter = (
  before: (Planned & { agenda: Agenda }) | null,
  event: IncidentEvent,
  after: Planned,
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
  a: Pick<PlannedMove, 'to' | 'scheduled'> | null,
  b: Pick<PlannedMove, 'to' | 'scheduled'> | null,
): boolean => a?.to === b?.to && a?.scheduled === b?.scheduled;

const planned = (move: Pick<PlannedMove, 'to' | 'scheduled'>, event: IncidentEvent, at: Instant): PlannedMove => ({
  ...move,
  due_at: isStatusByHand(event) && at >= move.scheduled ? null : laterOf(move.scheduled, at),
});

/** Whether the event can change the status in the name of a person. */
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

/** The reminders that an event stands for: its own, and those that were due before. */
const remindedBy = (event: IncidentEvent, { reminders }: Agenda): Agenda['reminded'] => {
  if (event.type !== 'MaintenanceReminded' && event.type !== 'MaintenanceReminderMissed') return [];
  const { offset, scheduled_for } = event.data;
  const last = reminders.findIndex((one) => one.offset === offset && one.scheduled_for === scheduled_for);
  return reminders.slice(0, last + 1).map(({ minutes, scheduled_for }) => ({ minutes, scheduled_for }));
};

/** When the clock has to do something next; null: nothing. */
export const dueAt = ({ move, reminders }: Agenda): Instant | null => {
  const times = [move?.due_at, reminders[0]?.due_at].filter((time) => time != null);
  return times.length === 0 ? null : times.reduce((first, time) => (time < first ? time : first));
};
