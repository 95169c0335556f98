import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { areGroupsActive } from './check-groups.ts';
import type { Scope } from '../engine/scope.ts';

// Queries for the scheduler, workers and the operator. They find the checks of all organizations, except deleted ones.

/** Number of checks per query. */
const PAGE = 1_000;

/** Returns the next thousand checks after an id, in the order of ids. */
export const listChecksAfter = (
  { read }: Pick<Scope, 'read'>,
  afterId: string | null,
  where: Where = {},
): Promise<CheckDocument[]> =>
  read(checks).checks.find({
    where: { ...where, deleted_at: null, ...(afterId !== null && { id: { $gt: afterId } }) },
    sort: { id: 1 },
    limit: PAGE,
  });

/** Reads all checks, in pages of a thousand. */
export async function* readAllChecks(
  scope: Pick<Scope, 'read'>,
  where: Where = {},
): AsyncGenerator<readonly CheckDocument[], void> {
  for (let last: string | null = null; ;) {
    const page = await listChecksAfter(scope, last, where);
    if (page.length > 0) yield page;
    last = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}

/** Returns the checks with these ids, in the order of `ids`. */
export const findChecksById = async ({ read }: Pick<Scope, 'read'>, ids: readonly string[]): Promise<CheckDocument[]> =>
  (await read(checks).checks.getMany(ids)).filter(({ deleted_at }) => deleted_at === null);

/** Returns a check of any organization, or null if it was deleted. */
export const findCheckOfAny = async ({ read }: Pick<Scope, 'read'>, id: string): Promise<CheckDocument | null> => {
  const check = await read(checks).checks.get(id);
  return check?.deleted_at === null ? check : null;
};

/** Returns the ids of those checks that run on schedule: active, not parked, and not in a paused group. */
export const findRunningChecks = async (
  scope: Pick<Scope, 'read'>,
  found: readonly CheckDocument[],
): Promise<CheckDocument[]> => {
  const mayRun = await areGroupsActive(scope, found);
  return found.filter((check) => check.active && check.parked_at === null && mayRun(check));
};
