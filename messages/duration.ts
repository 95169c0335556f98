const LENGTHS = [
  { length: 86_400, word: 'day', short: 'd' },
  { length: 3_600, word: 'hour', short: 'h' },
  { length: 60, word: 'minute', short: 'min' },
  { length: 1, word: 'second', short: 's' },
] as const;

type Unit = (typeof LENGTHS)[number];

/** Formats the two largest units of a duration, without units whose value is zero. */
const largest = (seconds: number, format: (count: number, unit: Unit) => string): string[] => {
  const first = LENGTHS.findIndex(({ length }) => seconds >= length);
  if (first === -1) return [];
  let left = seconds;
  return LENGTHS.slice(first, first + 2).flatMap((unit) => {
    const count = Math.floor(left / unit.length);
    left -= count * unit.length;
    return count === 0 ? [] : [format(count, unit)];
  });
};

/**
 * Returns a duration in its two largest units: `2 h 5 min`, `45 s`.
 *
 * @param seconds a negative value gives a text with a minus sign
 */
export const durationText = (seconds: number): string => {
  const parts = largest(Math.abs(Math.round(seconds)), (count, { short }) => `${count} ${short}`);
  return parts.length === 0 ? '0 s' : (seconds < 0 ? '−' : '') + parts.join(' ');
};

/** Returns a duration in words: `2 hours 5 minutes`, `1 second`. @param seconds a non-negative integer */
export const durationWords = (seconds: number): string => {
  const parts = largest(seconds, (count, { word }) => `${count} ${word}${count === 1 ? '' : 's'}`);
  return parts.length === 0 ? '0 seconds' : parts.join(' ');
};
