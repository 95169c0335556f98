import { millisecondsOf, type Day, type Instant } from './time.ts';

/** Whether the text names a time zone of the IANA database, such as `Europe/Moscow`; offsets are none. */
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
export const dayIn = (instant: Instant, timeZone: string): Day => {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(millisecondsOf(instant));
  const part = (type: 'year' | 'month' | 'day'): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
};
