import { later, SECOND_MS, type Instant } from '../time.ts';
import type { RuleProblems } from './problems.ts';

/** How far the clock of a client may be ahead of the clock of the service, in milliseconds. */
const AHEAD_MS = SECOND_MS;

/**
 * Returns the end of a simulation. The last instant of the current day, which a date without a time means, becomes the
 * current time.
 */
export const simulatedEnd = (to: Instant, now: Instant): Instant =>
  to > now && to === `${now.slice(0, 10)}T23:59:59.999999` ? now : to;

/**
 * Validates the period of a simulation. Absent times are not validated.
 *
 * @param resultsFrom the first instant of the stored results
 */
export const periodProblems = (
  { from, to: sentTo }: { from?: Instant | undefined; to?: Instant | undefined },
  { now, resultsFrom }: { now: Instant; resultsFrom: Instant },
): RuleProblems => {
  const problems: RuleProblems = {};
  const end = later(now, AHEAD_MS);
  const to = sentTo === undefined ? undefined : simulatedEnd(sentTo, now);
  if (from !== undefined && from < resultsFrom) {
    problems['from'] = [`Must not be before ${resultsFrom.slice(0, 19)}Z: earlier results are not stored any more.`];
  }
  if (from !== undefined && from > end) problems['from'] = ['Must not be in the future.'];
  if (to !== undefined && to > end) problems['to'] = ['Must not be in the future.'];
  else if (from !== undefined && to !== undefined && to <= from) problems['to'] = ['Must be later than from.'];
  return problems;
};
