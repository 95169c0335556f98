import type { TargetRules } from '../../domain/target/policy.ts';
import type { Reserved } from '../../network/policy.ts';
import type { ScriptSettings } from '../../probes/script/settings.ts';
import type { Outcome, Registries, RunnableCheck } from '../../probes/engine/check-type.ts';

/** The first message to a probe process, sent again when they change. */
export interface Settings {
  rules: Pick<TargetRules, 'policy' | 'allow' | 'deny'>;
  reserved: Reserved;
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust: readonly string[];
  registries: Registries;
  /** how scripts run; absent: none do */
  scripts?: ScriptSettings;
  /** the folder of staged files (probes/staging.ts); absent: runs leave none */
  staging?: string;
}

/** Messages to a probe process, several sent together: sending costs more than the content. */
export type ToProcess =
  { settings: Settings } | { id: number; check: RunnableCheck; fresh: boolean } | { abort: number } | FromMemory;

/** What a probe process asks of the memory that all share (probe/memory.ts). */
export type ToMemory =
  | { recall: string; id: number }
  | { remember: string; value: unknown; seconds: number }
  | { turn: string; pauseMs: number; id: number }
  /** the turn that this id asked for is no longer wanted */
  | { leave: number };

/** The answer to a request with an id. */
export interface FromMemory {
  answered: number;
  value?: unknown;
}

/** Messages from it, also sent together. `ready`: it takes runs from now on. */
export type FromProcess =
  | { ready: true }
  | { id: number; outcome: Outcome }
  | { id: number; aborted: true }
  | { id: number; trouble: string }
  | { memory: ToMemory };

/** File descriptor of a probe process that is closed when its parent is gone, however that ended. */
export const PARENT_FD = 4;
