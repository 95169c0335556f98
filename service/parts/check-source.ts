import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { checks } from '../../projections/checks/projection.ts';
import { checksAfter, checksNow } from '../../queries/checks/every.ts';
import type { CheckSource } from '../../runners/scheduler/source.ts';

/** The read model `checks` as the scheduler reads it: checks that were not deleted. */
export const createCheckSource = (readers: Readers, statuses: Statuses): CheckSource => ({
  position: async () => statuses.of(checks.name).position,
  page: (afterId) => checksAfter({ read: readers.for({ appended: new Map() }) }, afterId),
  get: (ids, passed) => checksNow({ read: readers.for({ appended: new Map([['main', passed]]) }) }, ids),
});
