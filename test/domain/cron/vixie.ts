/**
 * A model of Debian's cron (cron.c and entry.c of cron 3.0pl1), as a reference for our implementation. Like the loop of
 * cron, it steps from minute to minute. Times are minutes since 1970.
 */
interface Entry {
  fields: readonly ReadonlySet<number>[];
  /** whether the field begins with `*` */
  stars: readonly boolean[];
}

const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const read = (schedule: string): Entry => {
  const sources = schedule.split(' ');
  const fields = sources.map((source, index) => {
    const [low, high] = RANGES[index] ?? [0, 0];
    const values = new Set<number>();
    for (const part of source.split(',')) {
      const [range = '', step = '1'] = part.split('/');
      const [from, to = from] = range === '*' ? [low, high] : range.split('-').map(Number);
      for (let value = low; value <= high; value++) {
        if (value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0)
          values.add(value);
      }
    }
    return values;
  });
  return { fields, stars: sources.map((source) => source.startsWith('*')) };
};

const fits = ({ fields, stars }: Entry, wall: number): boolean => {
  const [minutes, hours, days, months, weekdays] = fields;
  if (!minutes?.has(((wall % 60) + 60) % 60)) return false;
  const date = new Date(wall * 60_000);
  if (!hours?.has(date.getUTCHours()) || !months?.has(date.getUTCMonth() + 1)) return false;
  const day = days?.has(date.getUTCDate()) ?? false;
  const weekday = weekdays?.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays?.has(7)) || false;
  return stars[2] || stars[4] ? day && weekday : day || weekday;
};

const offsets = new Map<string, Map<number, number>>();
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the local time of a zone, as if it were UTC, in minutes since 1970. The Swedish locale formats it as
 * `2026-11-20 15:04:05`.
 */
const shownAt = (zone: string, minute: number): number => {
  const known = formats.get(zone);
  const format = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return Date.parse(`${format.format(minute * 60_000)}Z`) / 60_000;
};

/**
 * Returns the UTC offset of a zone in minutes. It is computed once per hour, unless the clock changes within that hour.
 */
const offsetAt = (zone: string, minute: number): number => {
  const hour = Math.floor(minute / 60) * 60;
  if (last.zone === zone && last.hour === hour) return last.offset;
  const offset = exactOffset(zone, hour);
  if (offset !== exactOffset(zone, hour + 60)) return exactOffset(zone, minute);
  last = { zone, hour, offset };
  return offset;
};

let last = { zone: '', hour: 0, offset: 0 };

const exactOffset = (zone: string, minute: number): number => {
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  const offset = known.get(minute) ?? shownAt(zone, minute) - minute;
  known.set(minute, offset);
  return offset;
};

/**
 * Returns the first run of a job after an instant.
 *
 * @param after milliseconds since 1970
 * @param minutes the length of the searched period
 * @returns milliseconds since 1970; null if the job has no run in this period
 */
export const firstRun = (schedule: string, zone: string, after: number, minutes: number): number | null => {
  const entry = read(schedule);
  const isWild = entry.stars[0] === true || entry.stars[1] === true;
  const start = Math.floor(after / 60_000);
  let minute = start - 30 * 60;
  let virtualTime = minute + offsetAt(zone, minute);
  while (minute < start + minutes) {
    minute += 1;
    const timeRunning = minute + offsetAt(zone, minute);
    const timeDiff = timeRunning - virtualTime;
    let runs = false;
    if (timeDiff > 0 && timeDiff <= 5) {
      while (virtualTime < timeRunning) {
        virtualTime += 1;
        runs ||= fits(entry, virtualTime);
      }
    } else if (timeDiff > 5 && timeDiff <= 180) {
      if (isWild) runs = fits(entry, timeRunning);
      while (virtualTime < timeRunning) {
        virtualTime += 1;
        runs ||= !isWild && fits(entry, virtualTime);
      }
    } else if (timeDiff > -180 && timeDiff <= 0) {
      runs = isWild && fits(entry, timeRunning);
    } else {
      virtualTime = timeRunning;
      runs = fits(entry, timeRunning);
    }
    if (runs && minute > start) return minute * 60_000;
  }
  return null;
};

/** Returns the clock changes of a zone between two years, in milliseconds since 1970, accurate to the hour. */
export const changesOf = (zone: string, from: number, to: number): number[] => {
  const found: number[] = [];
  const week = 7 * 24 * 60;
  for (let at = Date.UTC(from) / 60_000; at < Date.UTC(to) / 60_000; at += week) {
    let [low, high] = [at, at + week];
    if (offsetAt(zone, low) === offsetAt(zone, high)) continue;
    while (high - low > 60) {
      const middle = Math.floor((low + high) / 120) * 60;
      if (middle <= low || offsetAt(zone, middle) === offsetAt(zone, at)) low = Math.max(middle, low + 60);
      else high = middle;
    }
    found.push(low * 60_000);
  }
  return found;
};
