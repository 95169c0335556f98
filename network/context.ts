import type { TargetPolicy } from '../domain/target/policy.ts';
import type { Clock } from './clock.ts';
import type { Resolve } from './resolve.ts';

/** What code needs to open connections. */
export interface NetworkContext {
  clock: Clock;
  resolve: Resolve;
  policy: TargetPolicy;
  /** ends what is under way; it then rejects with the signal's reason */
  signal: AbortSignal;
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust?: readonly string[];
  /** certificates (PEM) that are trusted instead */
  ca?: string;
}
