/**
 * Limits a number of seconds.
 *
 * @param note gets the rest of a sentence if the number exceeds the limits: `5 s, but at least 30 s are possible.`
 */
export const bounded = (
  seconds: number,
  [min, max]: readonly [number, number],
  note: (rest: string) => void,
): number => {
  if (seconds < min) note(`${seconds} s, but at least ${min} s are possible; ${min} s are used.`);
  if (seconds > max) note(`${seconds} s, but at most ${max} s are possible; ${max} s are used.`);
  return Math.min(max, Math.max(min, seconds));
};
