import type { Instant } from '../time.ts';
import { before } from '../time.ts';
import type { ScheduleFields } from './fields.ts';

/** How many reminders a maintenance can have, and how long before its start the first one can be. */
export const MAX_REMINDERS = 20;
export const LONGEST_REMINDER_DAYS = 365;

const REMINDER_INTERVALS = /^\d+[dhm](,\s*\d+[dhm])*$/;

const MINUTES: Readonly<Record<string, number>> = { d: 1_440, h: 60, m: 1 };
const LONGEST_MINUTES = LONGEST_REMINDER_DAYS * 1_440;

/** Where a maintenance is to be announced without saying when (decisions.md: Incidents, Maintenance). */
const DEFAULT_INTERVALS = '60m';

/** How long before the start of a maintenance subscribers are reminded. */
interface Offset {
  /** as it was written: `2h` */
  text: string;
  minutes: number;
}

const offsetsIn = (intervals: string): Offset[] =>
  intervals
    .split(/,\s*/)
    .map((text) => ({ text, minutes: Number.parseInt(text, 10) * (MINUTES[text.slice(-1)] ?? 0) }));

const isInReach = ({ minutes }: Offset): boolean => minutes > 0 && minutes <= LONGEST_MINUTES;

/** Whether a text is a list of reminder offsets such as `1d, 2h, 30m`, not too many and none too short or too long. */
export const isReminderIntervals = (text: string): boolean => {
  if (!REMINDER_INTERVALS.test(text)) return false;
  const offsets = offsetsIn(text);
  return offsets.length <= MAX_REMINDERS && offsets.every(isInReach);
};

/** A reminder of a maintenance; there is one of each `minutes` and `scheduled_for`. */
export interface Reminder {
  offset: string;
  minutes: number;
  scheduled_for: Instant;
  due_at: Instant;
}

/** All reminders that a schedule asks for, the one due first first. */
export const remindersOf = ({
  scheduled_for,
  scheduled_remind_prior,
  reminder_intervals,
}: ScheduleFields): Reminder[] => {
  if (!scheduled_remind_prior) return [];
  // 60m and 1h are the same offset. Logs can have intervals from before there were bounds.
  const offsets = new Map(
    offsetsIn(reminder_intervals ?? DEFAULT_INTERVALS)
      .filter(isInReach)
      .map((offset) => [offset.minutes, offset.text]),
  );
  return [...offsets]
    .sort(([a], [b]) => b - a)
    .map(([minutes, offset]) => ({ offset, minutes, scheduled_for, due_at: before(scheduled_for, minutes * 60_000) }));
};

/** Whether two reminders are the same one. */
export const isSameReminder = (
  a: Pick<Reminder, 'minutes' | 'scheduled_for'>,
  b: Pick<Reminder, 'minutes' | 'scheduled_for'>,
): boolean => a.minutes === b.minutes && a.scheduled_for === b.scheduled_for;
