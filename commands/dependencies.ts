import type { LiveRunners } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import type { Keys } from '../stores/keys/port.ts';
import type { Handle } from './handle.ts';
import type { PageNames } from './page-names.ts';

/** What commands need; each command is a function of these. */
export interface CommandDependencies {
  handle: Handle;
  keys: Keys;
  /** what can be run where */
  runners: LiveRunners;
  /** what organizations may still spend */
  credits: Pick<Credits, 'canPay'>;
  /** the unique names of pages; shared by all commands of a process, so that rivals for a name take turns */
  pageNames: PageNames;
}
