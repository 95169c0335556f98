import { LRUCache } from 'lru-cache';
import type { Outcome } from '../../probes/engine/check-type.ts';
import type { RunMessage } from '../run-message.ts';

/** Maximum number of checks that a worker remembers as succeeded. Results of all other checks count as notable. */
const REMEMBERED = 20_000;

/**
 * Distinguishes notable results, which somebody may wait for, from results that only confirm that a check is still up.
 */
export const createNotableResults = () => {
  /** ids of checks whose last run in this process succeeded */
  const ok = new LRUCache<string, true>({ max: REMEMBERED });

  return {
    /**
     * Whether somebody may wait for a result. Always true for jobs and for multi-region runs. Also true if the check is
     * down, has recovered, or was run for the first time in this process.
     */
    is: (
      {
        check_id,
        result_type,
        execution_group_id,
      }: Pick<RunMessage, 'check_id' | 'result_type' | 'execution_group_id'>,
      { status }: Pick<Outcome, 'status'>,
    ): boolean => {
      const confirms = status === 'ok' && check_id !== null && ok.has(check_id);
      if (check_id !== null) {
        if (status === 'ok') ok.set(check_id, true);
        else ok.delete(check_id);
      }
      return !confirms || result_type === 'on_demand' || execution_group_id !== null;
    },
  };
};
