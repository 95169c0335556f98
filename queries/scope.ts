import type { Instant } from '../domain/time.ts';
import type { Read } from '../projections/readers.ts';
import type { Keys } from '../stores/keys/port.ts';

/**
 * For which organization, and as of when, the read models are read. Every query is a function of it: a route uses the
 * organization of its caller, a visitor's page the organization that the page belongs to, the command line the one
 * that it was given.
 */
export interface Scope {
  read: Read;
  /** what belongs to another organization is not there */
  organizationId: string;
  now: Instant;
  /** the first instant of which results are kept */
  resultsFrom: () => Instant;
  /** open the sealed texts of what is found */
  keys: Pick<Keys, 'open'>;
}

/** What a query needs that reads only documents, independent of time. */
export type Reading = Pick<Scope, 'read' | 'organizationId'>;
