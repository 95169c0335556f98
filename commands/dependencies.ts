import type { LiveRunners } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import type { Keys } from '../stores/keys/port.ts';
import type { Handle } from './handle.ts';

/** What commands need; each command is a function of these. */
export interface CommandDependencies {
  handle: Handle;
  keys: Keys;
  /** what can be run where */
  runners: LiveRunners;
  /** what organizations may still spend */
  credits: Pick<Credits, 'canPay'>;
}
