import type { HeldItem } from '../../stores/coordination/port.ts';
import type { Instant } from '../../domain/time.ts';
import type { Checkpoint } from './checkpoint.ts';

/** What is known while an item is being done. */
export interface ItemContext {
  /** the time at which it is done, not its due time */
  now: Instant;
  /** how often it has failed before */
  tries: number;
  /** Aborts when the reactor stops or has lost its lease: the next holder does what was not done. */
  signal: AbortSignal;
}

/** @param error of a store, which may fail many times in a row */
export type ReactorLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, string | number>,
  error?: unknown,
) => void;

/** The time during which a reactor holds its lease, and what it works with. */
export interface Shift {
  checkpoint: Checkpoint;
  /** failed items, which outlive the shift */
  held: {
    /** all failed items, in pages */
    pages: () => AsyncIterable<readonly HeldItem[]>;
    keep: (items: readonly HeldItem[]) => Promise<void>;
    release: (ids: readonly string[]) => Promise<void>;
  };
  /** milliseconds since 1970 */
  clock: () => number;
  log: ReactorLog;
  /** aborts when the shift is over */
  signal: AbortSignal;
  /** Has the list read again soon. */
  wake: () => void;
}

/** A way to work on a list: `changeWork`, `dueWork`, `elsewhereWork`. */
export interface Work {
  begin: (shift: Shift) => Promise<void>;
  /** The list was written since it was last read. Called at any time; a round follows. */
  written: (everything: boolean) => void;
  /**
   * Begins the work that is due now, without waiting for its end. An item that fails is left for later and does not
   * stop the rest. Reads the list only if it was written since it was last read, or something on it is due.
   *
   * @param now milliseconds since 1970
   */
  round: (now: number) => Promise<Round>;
  /** Resolves when nothing is under way. @returns the checkpoint */
  idle: () => Promise<Checkpoint>;
}

/** What waits on a list according to the stores; works in any process. `now`: milliseconds since 1970. */
export type LookAtWaiting = (progress: Progress, now: number) => Promise<Waiting>;

export interface Round {
  /** when to look again even if the list is not written, milliseconds since 1970; null: only when it is */
  next: number | null;
  checkpoint: Checkpoint;
}

/** The stored progress of a reactor. */
export interface Progress {
  checkpoint: Checkpoint;
  /** how many items it holds */
  held: number;
  /** those of the given items that it holds */
  find: (ids: readonly string[]) => Promise<readonly { id: string }[]>;
}

/** Items that wait to be done for the first time. */
export interface Waiting {
  items: number;
  /** since when the oldest waits, milliseconds since 1970; null if none waits, or it is unknown */
  since: number | null;
}
