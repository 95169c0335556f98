import { DAY_MINUTES, MINUTE_MS, type Instant } from '../time.ts';
import { before } from '../time.ts';
import type { ScheduleFields } from './fields.ts';

/** Maximum number of reminders of a maintenance, and maximum time between a reminder and the start in days. */
export const MAX_REMINDERS = 20;
export const MAX_REMINDER_DAYS = 365;

const REMINDER_INTERVALS = /^\d+[dhm](,\s*\d+[dhm])*$/;

const MINUTES: Readonly<Record<string, number>> = { d: DAY_MINUTES, h: 60, m: 1 };
const LONGEST_MINUTES = MAX_REMINDER_DAYS * DAY_MINUTES;
/** The default if reminders are enabled without intervals (docs/reference/maintenance.md#reminders). */
const DEFAULT_INTERVALS = '60m';

/** The time between a reminder and the start of a maintenance. */
interface Offset {
  /** the text in the request, such as `2h` */
  text: string;
  minutes: number;
}

const offsetsIn = (intervals: string): Offset[] =>
  intervals
    .split(/,\s*/)
    .map((text) => ({ text, minutes: Number.parseInt(text, 10) * (MINUTES[text.slice(-1)] ?? 0) }));

const isInReach = ({ minutes }: Offset): boolean => minutes > 0 && minutes <= LONGEST_MINUTES;

/** Whether a text is a valid list of reminder offsets such as `1d, 2h, 30m`. */
export const isReminderIntervals = (text: string): boolean => {
  if (!REMINDER_INTERVALS.test(text)) return false;
  const offsets = offsetsIn(text);
  return offsets.length <= MAX_REMINDERS && offsets.every(isInReach);
};

/** A reminder of a maintenance, identified by `minutes` and `scheduled_for`. */
export interface Reminder {
  offset: string;
  minutes: number;
  scheduled_for: Instant;
  due_at: Instant;
}

/** Returns all reminders of a schedule, earliest first. */
export const remindersOf = ({
  scheduled_for,
  scheduled_remind_prior,
  reminder_intervals,
}: ScheduleFields): Reminder[] => {
  if (!scheduled_remind_prior) return [];
  // The map removes duplicates such as `60m` and `1h`. Old events might contain offsets beyond the current limits.
  // These offsets are dropped.
  const offsets = new Map(
    offsetsIn(reminder_intervals ?? DEFAULT_INTERVALS)
      .filter(isInReach)
      .map((offset) => [offset.minutes, offset.text]),
  );
  return [...offsets]
    .sort(([a], [b]) => b - a)
    .map(([minutes, offset]) => ({
      offset,
      minutes,
      scheduled_for,
      due_at: before(scheduled_for, minutes * MINUTE_MS),
    }));
};

export const isSameReminder = (
  a: Pick<Reminder, 'minutes' | 'scheduled_for'>,
  b: Pick<Reminder, 'minutes' | 'scheduled_for'>,
): boolean => a.minutes === b.minutes && a.scheduled_for === b.scheduled_for;
