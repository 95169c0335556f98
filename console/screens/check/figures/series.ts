import type { Schemas } from '../../../api/openapi.d.ts';
import { momentOf } from '../../../parts/times/since.tsx';

type Times = Schemas['ResponseTimes'];

/** The content of a chart. `all`: all regions combined; `each`: the average of each region; `region`: one region. */
export type View = { kind: 'all' } | { kind: 'each' } | { kind: 'region'; region: string };

export interface Line {
  kind: 'average' | 'p95';
  /** null: all regions */
  region: string | null;
  /** values in milliseconds, one for each time in `Series.at`; null: not measured */
  values: readonly (number | null)[];
}

/** Lines over time. */
export interface Series {
  /** seconds since 1970, ascending */
  at: readonly number[];
  lines: readonly Line[];
}

/** Returns the regions that occur in statistics, sorted. */
export const regionsIn = (figures: readonly { region: string }[]): string[] =>
  [...new Set(figures.map(({ region }) => region))].sort((one, other) => one.localeCompare(other));

/**
 * Combines the statistics of all regions in a bucket. The average is weighted by the number of runs. The p95 is that of
 * the slowest region, which is an upper bound for the combined p95.
 */
export const combinedFigures = (figures: readonly Times[]): Omit<Times, 'region' | 'timestamp'> => {
  const count = figures.reduce((sum, one) => sum + one.count, 0);
  return {
    count,
    average: count === 0 ? 0 : Math.round(figures.reduce((sum, one) => sum + one.average * one.count, 0) / count),
    p95: Math.max(...figures.map(({ p95 }) => p95)),
    p99: Math.max(...figures.map(({ p99 }) => p99)),
  };
};

/** Groups statistics by bucket, in order of time. `at` is the start of the bucket in seconds since 1970. */
export const bucketsOf = (figures: readonly Times[]): [at: number, figures: Times[]][] => {
  const buckets = new Map<number, Times[]>();
  for (const one of figures) {
    const at = momentOf(one.timestamp) / 1_000;
    const bucket = buckets.get(at);
    if (bucket) bucket.push(one);
    else buckets.set(at, [one]);
  }
  return [...buckets].sort(([one], [other]) => one - other);
};

/**
 * Returns the lines of a chart. A line is interrupted where there is no measurement for longer than one bucket plus one
 * interval.
 *
 * @param bucket length of a bucket in seconds
 * @param interval interval of the check in seconds
 */
export const seriesOf = (figures: readonly Times[], view: View, bucket: number, interval: number): Series => {
  const shown = view.kind === 'region' ? figures.filter(({ region }) => region === view.region) : figures;
  const longest = Math.max(bucket * 1.5, interval * 2.5);
  const at: number[] = [];
  const buckets: (Times[] | null)[] = [];
  for (const [second, some] of bucketsOf(shown)) {
    const last = at.at(-1);
    if (last !== undefined && second - last > longest) {
      at.push(last + bucket);
      buckets.push(null);
    }
    at.push(second);
    buckets.push(some);
  }
  const line = (kind: Line['kind'], region: string | null, valueOf: (some: Times[]) => number | null): Line => ({
    kind,
    region,
    values: buckets.map((some) => (some === null ? null : valueOf(some))),
  });
  if (view.kind === 'each') {
    return {
      at,
      lines: regionsIn(figures).map((region) =>
        line('average', region, (some) => some.find((one) => one.region === region)?.average ?? null),
      ),
    };
  }
  const region = view.kind === 'region' ? view.region : null;
  return {
    at,
    lines: [
      line('average', region, (some) => combinedFigures(some).average),
      line('p95', region, (some) => combinedFigures(some).p95),
    ],
  };
};
