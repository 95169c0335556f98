const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

const formats = new Map<string, Intl.DateTimeFormat>();
const formatted = (milliseconds: number, locale: string, options: Intl.DateTimeFormatOptions): string => {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format.format(milliseconds);
};

/** Returns an instant as text, with the weekday. @param timeZone default: the browser's */
export const momentText = (milliseconds: number, locale: string, timeZone?: string): string =>
  formatted(milliseconds, locale, { ...DAY, ...CLOCK, ...(timeZone !== undefined && { timeZone }) });

/** Returns the time of day of an instant in the browser's zone, with the weekday. */
export const clockText = (milliseconds: number, locale: string): string =>
  formatted(milliseconds, locale, { ...CLOCK, weekday: 'short' });

/** Returns the day of an instant in a time zone. */
export const dayText = (milliseconds: number, locale: string, timeZone: string): string =>
  formatted(milliseconds, locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone });

/** Returns the time zone of the browser. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the time zones to choose from, including `chosen` even if the browser does not list it. */
export const timeZones = (chosen: string): readonly string[] => {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', ...known, chosen])].sort();
};
