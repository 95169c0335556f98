import { Failure } from '../../api/failure.ts';
import type { RequestOf } from '../../api/request.ts';
import { call } from '../../session/call.ts';
import type { Rows } from './source.ts';

/** A change that can be applied to several checks in one request. */
export type BulkChange = NonNullable<NonNullable<RequestOf<'POST /v1/checks/bulk'>['body']>['change']>;

/** Maximum number of checks per request. */
export const MOST_AT_ONCE = 1_000;

export interface Outcome {
  /** ids of the checks that were changed */
  done: readonly string[];
  /** the first error; null: all checks were changed */
  failure: Failure | null;
}

/** Changes checks, with requests for at most a thousand checks each. @throws Failure the first request was rejected */
export const changeMany = async (ids: readonly string[], change: BulkChange): Promise<Outcome> => {
  const done: string[] = [];
  let failure: Failure | null = null;
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    try {
      const body = { ids: ids.slice(from, from + MOST_AT_ONCE), change };
      const { results } = await call('POST /v1/checks/bulk', { body });
      for (const { id, status, error } of results) {
        if (id !== null && status < 300) done.push(id);
        else failure ??= new Failure(status, error?.message ?? '', {});
      }
    } catch (error) {
      if (done.length === 0) throw error;
      return { done, failure: error as Failure };
    }
  }
  return { done, failure };
};

/** Returns the rows after a change, for display until the stream confirms the change. */
export const changedRows = (rows: Rows, ids: readonly string[], change: BulkChange): Rows => {
  const changed = new Map(rows);
  for (const id of ids) {
    const row = rows.get(id);
    if (!row) continue;
    if (change.delete) {
      changed.delete(id);
      continue;
    }
    const { active = row.active, group_id = row.group_id } = change;
    const removed = new Set(change.remove_tags);
    // The service stores tags sorted and without duplicates.
    const tags = [...new Set([...row.tags, ...(change.add_tags ?? [])])].filter((tag) => !removed.has(tag)).sort();
    const status = active === row.active ? row.status : active ? 'pending' : 'paused';
    changed.set(id, { ...row, active, group_id, tags, status });
  }
  return changed;
};
