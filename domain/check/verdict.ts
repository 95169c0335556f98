import type { Instant } from '../time.ts';
import type { CheckEvent } from './events.ts';
import { isLive, type Check } from './state.ts';

/** What a run says about a check as a whole. */
export interface Verdict {
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
 * Whether a check came up, went down or recovered. A verdict that changes nothing, one that was recorded
 * before the one that last decided the status, and one about a deleted check give no event. If the last decision
 * has a time in the future, its clock was wrong, and it keeps no verdict from counting.
 *
 * @param now the time by the clock, which may have been set back since the last decision
 */
export const judgeCheck = (check: Check, verdict: Verdict, now: Instant): CheckEvent[] => {
  if (!isLive(check)) return [];
  if (check.decidedAt !== null && check.decidedAt <= now && verdict.at < check.decidedAt) return [];
  const { good, error_message, ...data } = verdict;
  if (good) {
    if (check.status === 'up') return [];
    return [{ type: check.status === 'pending' ? 'CheckCameUp' : 'CheckRecovered', data }];
  }
  return check.status === 'down' ? [] : [{ type: 'CheckWentDown', data: { ...data, error_message } }];
};
