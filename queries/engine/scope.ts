import type { Plans } from '../../domain/organization/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { Read } from '../../projections/readers.ts';
import type { Keys } from '../../stores/keys/port.ts';

/**
 * The organization and the time of a query. Every query is a function of it: a route uses the organization of its
 * caller, a visitor's page its own organization, and the command line the one given.
 */
export interface Scope {
  read: Read;
  /** anything of another organization is not found */
  organizationId: string;
  now: Instant;
  /** the first instant of the retained results */
  resultsFrom: () => Instant;
  /** the plans with their limits */
  plans: Plans;
  /** decrypts stored texts */
  keys: Pick<Keys, 'open'>;
}

/** The scope of a query that reads only documents and does not depend on the time. */
export type ReadScope = Pick<Scope, 'read' | 'organizationId'>;
