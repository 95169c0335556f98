import { LRUCache } from 'lru-cache';
import type { Outcome } from '../../probes/engine/check-type.ts';
import type { RunMessage } from '../run-message.ts';

/** Number of checks whose last successful run a worker remembers; results of other checks are batched only briefly. */
const REMEMBERED = 20_000;

/** Distinguishes results that somebody may wait for from those that only confirm that a check is still up. */
export const createNotableResults = () => {
  /** ids of checks whose last run here was ok */
  const ok = new LRUCache<string, true>({ max: REMEMBERED });

  return {
    /**
     * Whether somebody may wait for a result: of a job, of a run in several regions, or one that shows that something
     * is down, has recovered, or was checked for the first time here.
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
