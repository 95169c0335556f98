import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { CheckSource } from '../../runners/scheduler/source.ts';

const PAGE = 1_000;

/** The read model `checks` as the scheduler reads it: checks that were not deleted. */
export const createCheckSource = (readers: Readers, statuses: Statuses): CheckSource => ({
  position: async () => statuses.of(checks.name).position,
  page: (afterId) =>
    readers
      .for({ appended: new Map() })(checks)
      .checks.find({
        where: { deleted_at: null, ...(afterId !== null && { id: { $gt: afterId } }) },
        sort: { id: 1 },
        limit: PAGE,
      }),
  get: async (ids, passed) => {
    const documents = await readers
      .for({ appended: new Map([['main', passed]]) })(checks)
      .checks.getMany(ids);
    return documents.filter((check) => check.deleted_at === null);
  },
});
