import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { checkGroups } from '../../projections/check-groups/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import { findPausedGroups } from '../../queries/checks/check-groups.ts';
import { listChecksAfter, findChecksById, findRunningChecks } from '../../queries/checks/all-checks.ts';
import type { CheckSource } from '../../runners/scheduler/check-source.ts';

/**
 * The read models as the scheduler reads them: checks that were not deleted, and what suspends whole groups of them.
 */
export const createCheckSource = (readers: Readers, statuses: Statuses): CheckSource => {
  // The scheduler follows the log from the read models' position, so they need not be up to date.
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
