/** A day in the browser's time zone: `2026-11-29`. */
export type Day = string;

/** A month: `2026-11`. */
export type Month = string;

const two = (number: number): string => number.toString().padStart(2, '0');

export const dayOf = (date: Date): Day =>
  `${date.getFullYear().toString().padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

export const monthOf = (day: Day): Month => day.slice(0, 7);

/**
 * Returns noon of a day. Unlike midnight, noon is always on that day, even if a clock change adds or removes an hour.
 */
export const dateOf = (day: Day): Date => new Date(`${day}T12:00`);

/** Returns the day `count` days later. */
export const daysAfter = (day: Day, count: number): Day => {
  const date = dateOf(day);
  date.setDate(date.getDate() + count);
  return dayOf(date);
};

/**
 * Returns the day with the same number in the month that is `count` months later. If that month has no such day,
 * returns the last day of that month.
 */
export const monthsAfter = (day: Day, count: number): Day => {
  const date = dateOf(`${monthOf(day)}-01`);
  date.setMonth(date.getMonth() + count + 1, 0);
  return `${monthOf(dayOf(date))}-${two(Math.min(date.getDate(), Number(day.slice(8))))}`;
};

/** Returns whether a text is a valid month. */
export const isMonth = (text: string): text is Month =>
  /^\d{4}-\d{2}$/.test(text) && monthOf(dayOf(dateOf(`${text}-01`))) === text;

/** Returns the weeks that contain days of a month. Each week is complete and starts on Monday. */
export const weeksOf = (month: Month): Day[][] => {
  const first = `${month}-01`;
  const weekday = (dateOf(first).getDay() + 6) % 7;
  const weeks: Day[][] = [];
  for (let from = daysAfter(first, -weekday); monthOf(from) <= month; from = daysAfter(from, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => daysAfter(from, index)));
  }
  return weeks;
};

/** A period between two API times. */
interface Lasting {
  scheduled_for: string | null;
  scheduled_until: string | null;
}

/** Returns whether a period overlaps a day. */
export const isOn = ({ scheduled_for: from, scheduled_until: until }: Lasting, day: Day): boolean => {
  if (from === null || until === null) return false;
  const last = new Date(new Date(`${until}Z`).getTime() - 1);
  return dayOf(new Date(`${from}Z`)) <= day && day <= dayOf(last);
};
