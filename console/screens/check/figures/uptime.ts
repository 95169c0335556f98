import type { Schemas } from '../../../api/openapi.d.ts';

type Bucket = Schemas['StatusBucket'];

/** The number of successful runs, and of all runs. */
export interface Counted {
  ok: number;
  all: number;
}

export const countedOf = (buckets: readonly Bucket[]): Counted => ({
  ok: buckets.reduce((sum, { ok }) => sum + ok, 0),
  all: buckets.reduce((sum, { ok, down, failed }) => sum + ok + down + failed, 0),
});

/** Returns the uptime from 0 to 100, or null if nothing was measured. */
export const percentageOf = ({ ok, all }: Counted): number | null => (all === 0 ? null : (100 * ok) / all);

/** The grade of a bucket. `good`: no run failed; `mixed`: some runs failed; `bad`: all runs failed. */
export type Grade = 'good' | 'mixed' | 'bad';

export const gradeOf = (bucket: Bucket): Grade => {
  const { ok, all } = countedOf([bucket]);
  return ok === all ? 'good' : ok === 0 ? 'bad' : 'mixed';
};
