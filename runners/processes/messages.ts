import type { TargetRules } from '../../domain/target/policy.ts';
import type { ReservedTargets } from '../../network/policy.ts';
import type { ScriptSettings } from '../../probes/script/settings.ts';
import type { Outcome, Registries, RunnableCheck } from '../../probes/engine/check-type.ts';

/** The first message to a probe process, sent again after changes. */
export interface Settings {
  rules: Pick<TargetRules, 'policy' | 'allow' | 'deny'>;
  reserved: ReservedTargets;
  /** certificates (PEM) to trust in addition to those that Node.js trusts */
  trust: readonly string[];
  registries: Registries;
  /** how scripts run; absent: this process runs no scripts */
  scripts?: ScriptSettings;
  /** the folder of staged files (probes/staging.ts); absent: runs produce no files */
  staging?: string;
}

/** Messages to a probe process, several sent together: sending costs more than the content. */
export type ToProcess =
  { settings: Settings } | { id: number; check: RunnableCheck; fresh: boolean } | { abort: number } | FromMemory;

/** Requests of a probe process to the memory that all processes share (resident-memory.ts). */
export type ToMemory =
  | { recall: string; id: number }
  | { remember: string; value: unknown; seconds: number }
  | { turn: string; pauseMs: number; id: number }
  /** withdraws the request for exclusive access with this id */
  | { leave: number };

/** The response to a request with an id. */
export interface FromMemory {
  answered: number;
  value?: unknown;
}

/** Messages from a probe process, also sent together. `ready`: it accepts runs from now on. */
export type FromProcess =
  | { ready: true }
  | { id: number; outcome: Outcome }
  | { id: number; aborted: true }
  | { id: number; trouble: string }
  | { memory: ToMemory };

/** File descriptor of a probe process that is closed when its parent ends, however that happens. */
export const PARENT_FD = 4;
