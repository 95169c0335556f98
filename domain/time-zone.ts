import type { Day, Instant } from './time.ts';
import { calendarOf } from './uptime/days.ts';

/** Whether the text names a time zone of the IANA database, such as `Europe/Moscow`; offsets do not count. */
export const isTimeZone = (text: string): boolean => {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
};

/** The calendar day of a moment in a time zone. */
export const dayIn = (instant: Instant, timeZone: string): Day => calendarOf(timeZone).dayOf(instant);
