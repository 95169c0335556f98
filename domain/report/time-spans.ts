/** Disjoint time spans in ascending order: `[start, end, start, end, …]`, milliseconds since 1970. */
export type TimeSpans = readonly number[];

export const NO_TIME_SPANS: TimeSpans = [];

/**
 * Merges two lists of time spans. Overlapping spans are combined.
 *
 * @param more sorted by start; its spans may overlap
 */
export const mergeSpans = (spans: TimeSpans, more: readonly number[]): TimeSpans => {
  if (more.length === 0) return spans;
  const all: number[] = [];
  const add = (start: number, end: number): void => {
    const last = all.at(-1);
    if (last !== undefined && start <= last) all[all.length - 1] = Math.max(last, end);
    else all.push(start, end);
  };
  for (let [one, other] = [0, 0]; one < spans.length || other < more.length;) {
    const [start = Infinity, end = Infinity] = [spans[one], spans[one + 1]];
    const [otherStart = Infinity, otherEnd = Infinity] = [more[other], more[other + 1]];
    if (start <= otherStart) {
      add(start, end);
      one += 2;
    } else {
      add(otherStart, otherEnd);
      other += 2;
    }
  }
  return all;
};

/** Returns the total length of time spans in seconds. */
export const secondsOf = (spans: TimeSpans): number =>
  spans.reduce((sum, at, index) => (index % 2 === 0 ? sum - at : sum + at), 0) / 1_000;
