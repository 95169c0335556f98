import type { Plans } from '../../domain/organization/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { Read } from '../../projections/readers.ts';
import type { Keys } from '../../stores/keys/port.ts';

/**
 * The organization and the time of a query. In routes, the organization is that of the caller; in pages for visitors,
 * it is the organization of the page; on the command line, it is a given one.
 */
export interface Scope {
  read: Read;
  /** Queries find only data of this organization. */
  organizationId: string;
  now: Instant;
  /** Returns the start of the retention period of results. */
  resultsFrom: () => Instant;
  /** the plans with their limits */
  plans: Plans;
  /** decrypts stored texts */
  keys: Pick<Keys, 'open'>;
}

/** The scope of a query that reads only documents and does not depend on the time. */
export type ReadScope = Pick<Scope, 'read' | 'organizationId'>;
