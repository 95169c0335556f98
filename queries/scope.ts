import type { Instant } from '../domain/time.ts';
import type { Read } from '../projections/readers.ts';
import type { Keys } from '../stores/keys/port.ts';

/**
 * For whom, and as of when, the read models are asked. Every query is a function of it: a route asks for the
 * organization of its caller, a visitor's page for the organization that the page belongs to, the command line for
 * the one that it was given.
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

/** What a query needs that looks at documents alone, whatever the time. */
export type Reading = Pick<Scope, 'read' | 'organizationId'>;
