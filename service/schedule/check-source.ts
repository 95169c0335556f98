import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { checkGroups } from '../../projections/check-groups/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import { findPausedGroups } from '../../queries/checks/check-groups.ts';
import { listChecksAfter, findChecksById, findRunningChecks } from '../../queries/checks/all-checks.ts';
import type { CheckSource } from '../../runners/scheduler/check-source.ts';

/**
 * Creates the source from which the scheduler reads checks. The source contains the checks that were not deleted, and
 * the groups whose checks are paused. It reads from the read models.
 */
export const createCheckSource = (readers: Readers, statuses: Statuses): CheckSource => {
  // The scheduler follows the log from the position of the read models, so the read models need not be up to date.
  const now = { read: readers.asFolded };
  return {
    position: async () =>
      [checks, checkGroups]
        .map(({ name }) => statuses.of(name).position)
        .reduce((one, other) => (one < other ? one : other)),
    pausedGroups: () => findPausedGroups(now),
    page: (afterId) => listChecksAfter(now, afterId),
    get: async (ids, passed) => {
      const then = { read: readers.for({ appended: new Map([['main', passed]]) }) };
      return findRunningChecks(then, await findChecksById(then, ids));
    },
  };
};
