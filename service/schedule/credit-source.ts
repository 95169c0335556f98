import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { readCreditsUsed, readEntitlements } from '../../queries/organizations/credits.ts';
import type { CreditSource } from '../../runners/scheduler/credits.ts';

/** The read models of organizations and results, as the credit tally reads them. */
export const createCreditSource = (readers: Readers, statuses: Statuses): CreditSource => {
  const read = readers.for({ appended: new Map() });
  return {
    entitled: async () => {
      // Read before the documents, which may be ahead of it: applying a change twice does no harm. Later changes come
      // from the log.
      const { position } = statuses.of(organizations.name);
      return { position, organizations: await readEntitlements({ read: readers.asFolded }) };
    },
    used: (organizationId, at) => readCreditsUsed({ read, organizationId, now: at }),
  };
};
