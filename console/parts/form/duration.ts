/** Units of duration fields in seconds, largest first. */
export const DURATION_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export type DurationUnit = (typeof DURATION_UNITS)[number][0];

export const secondsIn = (unit: DurationUnit): number => DURATION_UNITS.find(([name]) => name === unit)?.[1] ?? 1;

/** Returns the largest unit that divides a duration. For example, 5,400 s are shown as 90 minutes. */
export const unitOf = (seconds: number): DurationUnit =>
  seconds === 0 ? 'second' : (DURATION_UNITS.find(([, size]) => seconds % size === 0)?.[0] ?? 'second');
