import type { Plans } from '../../domain/organization/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { Read } from '../../projections/readers.ts';
import type { Keys } from '../../stores/keys/port.ts';

/**
 * The organization and the time that the read models are read for. Every query is a function of it: a route uses the
 * organization of its caller, a visitor's page the one that the page belongs to, the command line the one that it was
 * given.
 */
export interface Scope {
  read: Read;
  /** what belongs to another organization is not found */
  organizationId: string;
  now: Instant;
  /** the first instant of which results are kept */
  resultsFrom: () => Instant;
  /** what organizations may have */
  plans: Plans;
  /** open sealed texts */
  keys: Pick<Keys, 'open'>;
}

/** What a query needs that reads only documents, and does not depend on the time. */
export type Reading = Pick<Scope, 'read' | 'organizationId'>;
