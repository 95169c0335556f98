import { LRUCache } from 'lru-cache';
import type { HourSums, RuleInputs } from '../../domain/alert/evaluation-inputs.ts';
import { sumOtherHours } from '../../domain/alert/rule-state.ts';
import type { Instant } from '../../domain/time.ts';
import { ruleInputs } from '../../projections/rule-inputs/projection.ts';
import type { Read } from '../../projections/readers.ts';

type Sums = Pick<HourSums, 'ok' | 'all'>;

/**
 * Maximum number of cached sums. A sum is valid while its hours are the same; rules beyond the maximum query the store
 * each time.
 */
const MAX_SUMS = 20_000;

/**
 * Sums of results over the hours of uptime windows except the newest one, by check. Each window is summed once an hour,
 * so a result of a check with such a rule costs no query.
 */
export const createUptimeWindows = (read: Read) => {
  const cache = new LRUCache<string, Sums>({ max: MAX_SUMS });

  /**
   * The sums of a check from an hour on.
   *
   * @param newest the hour that is left out, because its sums are part of the check's document
   */
  return async (checkId: string, from: Instant, newest: NonNullable<RuleInputs['hour']>): Promise<Sums> => {
    const key = `${checkId} ${from} ${newest.entered}`;
    const known = cache.get(key);
    if (known) return known;
    const hours = await read(ruleInputs).rule_hours.pick(['hour', 'ok', 'all'], {
      where: { check_id: checkId, hour: { $gte: from } },
    });
    const sums = sumOtherHours(hours, newest);
    cache.set(key, sums);
    return sums;
  };
};
