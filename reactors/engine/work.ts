import type { FailedItem } from '../../stores/coordination/port.ts';
import type { Instant } from '../../domain/time.ts';
import type { Checkpoint } from './checkpoint.ts';

/** The context of an item while it is being done. */
export interface ItemContext {
  /** the present time, not the due time of the item */
  now: Instant;
  /** number of previous failed attempts */
  tries: number;
  /**
   * Aborts when the reactor stops or loses its lease. The next holder of the lease handles the items that are not done.
   */
  signal: AbortSignal;
}

/** Logs a message of a reactor. @param error an error of a store; it can recur in every round */
export type ReactorLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, string | number>,
  error?: unknown,
) => void;

/** The state and the dependencies of a reactor while it holds its lease. */
export interface LeaseContext {
  checkpoint: Checkpoint;
  /** the store of failed items, which remain stored after the lease */
  failed: {
    /** Yields pages of all failed items. */
    pages: () => AsyncIterable<readonly FailedItem[]>;
    keep: (items: readonly FailedItem[]) => Promise<void>;
    release: (ids: readonly string[]) => Promise<void>;
  };
  /** Returns milliseconds since 1970. */
  clock: () => number;
  log: ReactorLog;
  /** aborts when the lease ends */
  signal: AbortSignal;
  /** Requests another round soon. */
  wake: () => void;
}

/** A way to handle the items of a list: `createChangeWork`, `createDueWork`, `createDueElsewhereWork`. */
export interface Work {
  begin: (lease: LeaseContext) => Promise<void>;
  /** Records that the list was written. Can be called at any time. The caller then requests a round. */
  written: (everything: boolean) => void;
  /**
   * Starts the work that is due now, without waiting for its end. An item that fails is postponed, and the other items
   * continue. Reads the list only if it was written since the previous read, or if an item is due.
   *
   * @param now milliseconds since 1970
   */
  round: (now: number) => Promise<Round>;
  /** Resolves when nothing is under way. @returns the checkpoint */
  idle: () => Promise<Checkpoint>;
}

/**
 * Reads the stores, and counts the waiting items of a list. Any process can call it. `now` is in milliseconds since
 * 1970.
 */
export type CountWaiting = (progress: ReactorProgress, now: number) => Promise<WaitingItems>;

export interface Round {
  /**
   * when the next round is due if the list is not written before then, milliseconds since 1970; null if only a write
   * causes the next round
   */
  next: number | null;
  checkpoint: Checkpoint;
}

/** The stored progress of a reactor. */
export interface ReactorProgress {
  checkpoint: Checkpoint;
  /** number of failed items */
  failed: number;
  /** Returns those of the given items that have failed. */
  find: (ids: readonly string[]) => Promise<readonly { id: string }[]>;
}

/** Items that wait for their first attempt. */
export interface WaitingItems {
  items: number;
  /** when the oldest item began to wait, milliseconds since 1970; null if no item waits or the time is unknown */
  since: number | null;
}
