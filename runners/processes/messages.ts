import type { TargetRules } from '../../domain/target/policy.ts';
import type { Outcome, RunnableCheck } from '../probe/check-type.ts';

/** The first message to a probe process, sent once. */
export interface Settings {
  rules: TargetRules;
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust: readonly string[];
}

/** Messages to a probe process, several sent together: sending costs more than the content. */
export type ToProcess = { settings: Settings } | { id: number; check: RunnableCheck } | { abort: number };

/** Messages from it, also sent together. `ready`: it takes runs from now on. */
export type FromProcess =
  { ready: true } | { id: number; outcome: Outcome } | { id: number; aborted: true } | { id: number; trouble: string };

/** File descriptor of a probe process that is closed when its parent is gone, however that ended. */
export const PARENT_FD = 4;
