const PARTS = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?$/;

/** Returns an API time with all digits, so that times can be compared as texts: `2026-11-20T15:01:00.000000`. */
const fullTime = (at: string): string => {
  const [, day = at, minute = '00:00', second = '00', fraction = ''] = PARTS.exec(at) ?? [];
  return `${day}T${minute}:${second}.${fraction.padEnd(6, '0')}`;
};

/** Returns how many of the moments are not later than `at`. @param moments API times with all digits */
export const countUntil = (moments: readonly string[], at: string): number => {
  const end = fullTime(at);
  return moments.filter((moment) => moment <= end).length;
};

/** Returns whether an API time is later than another API time, which has all digits. */
export const isLater = (at: string, other: string | undefined): boolean => other !== undefined && fullTime(at) > other;
