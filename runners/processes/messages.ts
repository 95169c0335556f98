import type { TargetRules } from '../../domain/target/policy.ts';
import type { Outcome, RunnableCheck } from '../probe/check-type.ts';

/** What a probe process is told first, and once. */
export interface Settings {
  rules: TargetRules;
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust: readonly string[];
}

/** What a probe process is told, several things a message: each message costs more than what is in it. */
export type ToProcess = { settings: Settings } | { id: number; check: RunnableCheck } | { abort: number };

/** What it says, as many a message. `ready`: it takes runs from now on. */
export type FromProcess =
  { ready: true } | { id: number; outcome: Outcome } | { id: number; aborted: true } | { id: number; trouble: string };

/** File descriptor of a probe process that is closed when its parent is gone, however that ended. */
export const PARENT_FD = 4;
