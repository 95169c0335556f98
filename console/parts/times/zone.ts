import { momentOf } from './since.tsx';

/** Returns the zone of the browser: `Europe/Berlin`. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached time format of a zone. @throws RangeError the browser does not know the zone */
const formatIn = (zone: string, locale: string): Intl.DateTimeFormat => {
  const key = `${locale} ${zone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  formats.set(key, made);
  return made;
};

/**
 * Returns an API time, or a period of two API times, as text in a time zone. Returns null if the browser does not know
 * the zone.
 */
export const timeInZone = (instant: string, zone: string, locale: string, until?: string): string | null => {
  try {
    const format = formatIn(zone, locale);
    const moment = momentOf(instant);
    return until === undefined ? format.format(moment) : format.formatRange(moment, momentOf(until));
  } catch {
    return null;
  }
};

/** Returns whether two zones have the same local time at an instant. */
export const agreeAt = (instant: string, zone: string, other: string): boolean =>
  timeInZone(instant, zone, 'en') === timeInZone(instant, other, 'en');
