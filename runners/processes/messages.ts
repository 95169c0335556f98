import type { TargetRules } from '../../domain/target/policy.ts';
import type { ReservedTargets } from '../../network/policy.ts';
import type { ScriptSettings } from '../../probes/script/settings.ts';
import type { Outcome, Registries, RunnableCheck } from '../../probes/engine/check-type.ts';

/** The settings of a probe process. They are its first message, and are sent again after each change. */
export interface Settings {
  rules: Pick<TargetRules, 'policy' | 'allow' | 'deny'>;
  reserved: ReservedTargets;
  /** certificates (PEM) that are trusted in addition to those that Node.js trusts */
  trust: readonly string[];
  registries: Registries;
  /** how scripts are run; absent if this process runs no scripts */
  scripts?: ScriptSettings;
  /** the folder of staged files (probes/staging.ts); absent if runs produce no files */
  staging?: string;
}

/**
 * Messages to a probe process. Several are sent together, because the overhead per message is larger than its content.
 */
export type ToProcess =
  { settings: Settings } | { id: number; check: RunnableCheck; fresh: boolean } | { abort: number } | FromMemory;

/** Requests of a probe process to the cache that all processes share (serve-memory.ts). */
export type ToMemory =
  | { recall: string; id: number }
  | { remember: string; value: unknown; seconds: number }
  | { turn: string; pauseMs: number; id: number }
  /** withdraws the request with this id for exclusive access */
  | { leave: number };

/** The response to the request whose id is `answered`. */
export interface FromMemory {
  answered: number;
  value?: unknown;
}

/** Messages from a probe process. Several are sent together. `ready`: from now on, the process accepts runs. */
export type FromProcess =
  | { ready: true }
  | { id: number; outcome: Outcome }
  | { id: number; aborted: true }
  | { id: number; trouble: string }
  | { memory: ToMemory };

/**
 * File descriptor of a pipe between a probe process and its parent. It is closed when the parent ends, for whatever
 * reason.
 */
export const PARENT_FD = 4;
