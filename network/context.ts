import type { TargetPolicy } from '../domain/target/policy.ts';
import type { Clock } from './clock.ts';
import type { Resolve } from './resolve.ts';

/** What code that opens connections depends on. */
export interface NetworkContext {
  clock: Clock;
  resolve: Resolve;
  policy: TargetPolicy;
  /** aborts the operation, which then rejects with the signal's reason */
  signal: AbortSignal;
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust?: readonly string[];
  /** certificates (PEM) that replace the trusted ones */
  ca?: string;
}
