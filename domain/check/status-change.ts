import type { Instant } from '../time.ts';
import type { CheckEvent } from './events.ts';
import { isLive, type Check } from './state.ts';

/** What a result says about the status of a check. */
export interface CheckResultVerdict {
  good: boolean;
  check_id: string;
  result_id: string;
  run_id: string;
  slot: Instant;
  region: string;
  /** when the result was recorded */
  at: Instant;
  error_message: string | null;
}

/**
 * Decides whether a check came up, went down or recovered. Returns no event if the status does not change, if the
 * verdict is older than the newest status change, or if the check is deleted. If the time of the newest status change
 * is in the future, it comes from a wrong clock, and the verdict counts.
 *
 * @param now the current time
 */
export const changeStatus = (check: Check, verdict: CheckResultVerdict, now: Instant): CheckEvent[] => {
  if (!isLive(check)) return [];
  if (check.decidedAt !== null && check.decidedAt <= now && verdict.at < check.decidedAt) return [];
  const { good, error_message, ...data } = verdict;
  if (good) {
    if (check.status === 'up') return [];
    return [{ type: check.status === 'pending' ? 'CheckCameUp' : 'CheckRecovered', data }];
  }
  return check.status === 'down' ? [] : [{ type: 'CheckWentDown', data: { ...data, error_message } }];
};
