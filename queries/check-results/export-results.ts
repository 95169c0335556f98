import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { RevealOptions } from '../checks/secrets.ts';
import type { Scope } from '../engine/scope.ts';
import { createdWithin } from '../engine/filters.ts';
import { filterConditions, later, type ResultFilters } from './filters.ts';
import { createServerJoin, type JoinedResult } from './results.ts';

/** Number of results that are read together. */
export const RESULT_BATCH_SIZE = 500;

const OLDEST_FIRST = { created_at: 1 } as const;

/**
 * Reads all results of a check in pages, oldest first, each result once. Does not return results that are stored after
 * the start. A page is read when the caller asks for it.
 */
export const exportResults = async function* (
  scope: Pick<Scope, 'read' | 'now' | 'resultsFrom'>,
  { id: check_id, created_at: check_created_at }: CheckDocument,
  filters: ResultFilters,
  revealing: RevealOptions,
): AsyncGenerator<JoinedResult[]> {
  const { check_results } = scope.read(checkResults);
  const { start_date = '', end_date = scope.now } = filters;
  const to = end_date < scope.now ? end_date : scope.now;
  let from = later(start_date, scope.resultsFrom());
  /** Number of results at `from` that were already returned. */
  let skip = 0;
  for (;;) {
    const where = { check_id, ...createdWithin(from, to), ...filterConditions(filters) };
    const page = await check_results.find({ where, sort: OLDEST_FIRST, skip, limit: RESULT_BATCH_SIZE });
    const last = page.at(-1)?.created_at;
    if (last === undefined) return;
    const withServer = await createServerJoin(scope, page, revealing);
    const alike = page.filter(({ created_at }) => created_at === last).length;
    skip = last === from ? skip + alike : alike;
    from = last;
    yield page.map((result) => ({ ...withServer(result), check_created_at }));
    if (page.length < RESULT_BATCH_SIZE) return;
  }
};
