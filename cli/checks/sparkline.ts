const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** Represents a run without a response time. */
const NONE = '×';

/** Draws response times as a row of bars. The longest time has the highest bar; null is drawn as a cross. */
export const sparkline = (times: readonly (number | null)[]): string => {
  const largest = Math.max(1, ...times.map((time) => time ?? 0));
  return times
    .map((time) => {
      if (time === null) return NONE;
      return BARS[Math.min(BARS.length - 1, Math.floor((time / largest) * BARS.length))] ?? NONE;
    })
    .join('');
};
