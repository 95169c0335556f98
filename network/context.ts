import type { TargetPolicy } from '../domain/target/policy.ts';
import type { Clock } from './clock.ts';
import type { Resolve } from './resolve.ts';

/** Dependencies of code that opens connections. */
export interface NetworkContext {
  clock: Clock;
  resolve: Resolve;
  policy: TargetPolicy;
  /** aborts the operation, which then rejects with the signal's reason */
  signal: AbortSignal;
  /** certificates (PEM) that are trusted in addition to those that Node.js trusts */
  trust?: readonly string[];
  /** PEM text with the only trusted certificates; replaces `trust` and those of Node.js */
  ca?: string;
}
