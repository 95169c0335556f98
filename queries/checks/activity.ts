import type { Instant } from '../../domain/time.ts';
import { checkActivity } from '../../projections/check-activity/projection.ts';
import type { Scope } from '../engine/scope.ts';

/** Returns the time of the newest run, by check id. Omits checks that never ran. */
export const lastCheckedAt = async (
  { read }: Pick<Scope, 'read'>,
  ids: readonly string[],
): Promise<Map<string, Instant>> => {
  const found = ids.length === 0 ? [] : await read(checkActivity).check_activity.getMany(ids);
  return new Map(
    found.flatMap(({ id, last_checked_at }) => (last_checked_at === null ? [] : [[id, last_checked_at] as const])),
  );
};
