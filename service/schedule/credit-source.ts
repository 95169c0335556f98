import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { readCreditsUsed, readEntitlements } from '../../queries/organizations/credits.ts';
import type { CreditSource } from '../../runners/scheduler/credits.ts';

/** Creates the credit tally's source of entitlements and usage, from the read models of organizations and results. */
export const createCreditSource = (readers: Readers, statuses: Statuses): CreditSource => {
  const read = readers.for({ appended: new Map() });
  return {
    entitled: async () => {
      // Read the position before the documents, which may already contain later changes. Changes after the position are
      // also read from the log, and applying a change twice does no harm.
      const { position } = statuses.of(organizations.name);
      return { position, organizations: await readEntitlements({ read: readers.asFolded }) };
    },
    used: (organizationId, at) => readCreditsUsed({ read, organizationId, now: at }),
  };
};
