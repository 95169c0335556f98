import { LRUCache } from 'lru-cache';
import type { HourSums, RuleInputs } from '../../domain/alert/evaluation-inputs.ts';
import { sumOtherHours } from '../../domain/alert/rule-state.ts';
import type { Instant } from '../../domain/time.ts';
import { ruleInputs } from '../../projections/rule-inputs/projection.ts';
import type { Read } from '../../projections/readers.ts';

type Sums = Pick<HourSums, 'ok' | 'all'>;

/**
 * Maximum number of cached sums. With more windows than this, some evaluations query the store because their sums were
 * evicted.
 */
const MAX_SUMS = 20_000;

/**
 * Creates a function that sums a check's results over the hours of an uptime window, except the newest hour. The sums
 * are cached until the check's newest hour changes, so only the first evaluation of an hour queries the store.
 */
export const createUptimeWindows = (read: Read) => {
  const cache = new LRUCache<string, Sums>({ max: MAX_SUMS });

  /**
   * Returns the sums of a check's results since the hour `from`.
   *
   * @param newest the newest hour, which is omitted because its sums are in the `rule_inputs` document of the check
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
