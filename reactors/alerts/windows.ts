import { LRUCache } from 'lru-cache';
import type { HourSums, RuleInputs } from '../../domain/alert/inputs.ts';
import type { Instant } from '../../domain/time.ts';
import { ruleInputs } from '../../projections/rule-inputs/projection.ts';
import type { Read } from '../../projections/readers.ts';

type Sums = Pick<HourSums, 'ok' | 'all'>;

/** A sum is kept while its hours are the same; a rule more asks the store each time. */
const KEPT = 20_000;

/**
 * Results of the hours of uptime windows but for the newest ones, by check. They are added up once an hour for each
 * window, so that a result of a check with such a rule costs nothing.
 */
export const createWindows = (read: Read) => {
  const kept = new LRUCache<string, Sums>({ max: KEPT });

  /**
   * The sums of a check from an hour on.
   *
   * @param newest the hour that is not counted, since its sums stand with the check
   */
  return async (checkId: string, from: Instant, newest: NonNullable<RuleInputs['hour']>): Promise<Sums> => {
    const key = `${checkId} ${from} ${newest.entered.toString()}`;
    const known = kept.get(key);
    if (known) return known;
    const hours = await read(ruleInputs).rule_hours.pick(['hour', 'ok', 'all'], {
      where: { check_id: checkId, hour: { $gte: from } },
    });
    const sums = { ok: 0, all: 0 };
    for (const { hour, ok, all } of hours) {
      if (hour === newest.hour) continue;
      sums.ok += ok;
      sums.all += all;
    }
    kept.set(key, sums);
    return sums;
  };
};
