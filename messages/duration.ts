const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units: `2 h 5 min`, `45 s`. @param seconds whole, negative ones with a minus */
export const durationText = (seconds: number): string => {
  const whole = Math.abs(Math.round(seconds));
  const largest = UNITS.findIndex(([, length]) => whole >= length);
  if (largest === -1) return '0 s';
  let left = whole;
  const parts = UNITS.slice(largest, largest + 2).flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count.toString()} ${unit}`];
  });
  return (seconds < 0 ? '−' : '') + parts.join(' ');
};
