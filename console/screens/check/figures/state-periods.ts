import type { Schemas } from '../../../api/openapi.d.ts';
import { momentOf } from '../../../parts/times/since.tsx';
import type { Period } from './ranges.ts';

/** A period in which a check had one state. */
export interface StatePeriod extends Period {
  /** `none`: the check was not measured */
  state: 'up' | 'down' | 'none';
}

/**
 * Returns the states of a check in a period, in order and without gaps.
 *
 * @param history up and down periods in any order; their parts outside the period are cut off
 */
export const statePeriodsOf = (history: readonly Schemas['CheckStatus'][], { from, to }: Period): StatePeriod[] => {
  const known = history
    .map(({ status, started_at, ended_at }) => ({
      state: status,
      from: Math.max(from, momentOf(started_at)),
      to: Math.min(to, ended_at === null ? to : momentOf(ended_at)),
    }))
    .filter((one) => one.from < one.to)
    .sort((one, other) => one.from - other.from);
  const stretches: StatePeriod[] = [];
  let end = from;
  for (const one of known) {
    if (one.from > end) stretches.push({ state: 'none', from: end, to: one.from });
    // Periods may overlap if a clock was adjusted. In this case, shorten the later period.
    if (one.to > end) stretches.push({ ...one, from: Math.max(one.from, end) });
    end = Math.max(end, one.to);
  }
  if (end < to) stretches.push({ state: 'none', from: end, to });
  return stretches;
};

/** Returns the periods in which the check was down. */
export const outagesIn = (stretches: readonly StatePeriod[]): StatePeriod[] =>
  stretches.filter(({ state }) => state === 'down');

/** Returns the total length of periods, in seconds. */
export const secondsOf = (stretches: readonly Period[]): number =>
  stretches.reduce((sum, { from, to }) => sum + to - from, 0) / 1_000;
