import type { FailedItem } from '../../stores/coordination/port.ts';
import type { Instant } from '../../domain/time.ts';
import type { Checkpoint } from './checkpoint.ts';

/** The context of an item while it is being done. */
export interface ItemContext {
  /** the time at which it is done, not its due time */
  now: Instant;
  /** number of failed attempts before */
  tries: number;
  /** Aborts when the reactor stops or loses its lease. The next holder of the lease does what was not done. */
  signal: AbortSignal;
}

/** @param error of a store, which may fail many times in a row */
export type ReactorLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, string | number>,
  error?: unknown,
) => void;

/** A period during which a reactor holds its lease, and its dependencies. */
export interface LeaseContext {
  checkpoint: Checkpoint;
  /** the stored failed items, which outlive the lease */
  held: {
    /** all failed items, in pages */
    pages: () => AsyncIterable<readonly FailedItem[]>;
    keep: (items: readonly FailedItem[]) => Promise<void>;
    release: (ids: readonly string[]) => Promise<void>;
  };
  /** Returns milliseconds since 1970. */
  clock: () => number;
  log: ReactorLog;
  /** aborts at the end of the lease */
  signal: AbortSignal;
  /** Requests a new read of the list soon. */
  wake: () => void;
}

/** A way to work off a list: `createChangeWork`, `createDueWork`, `createDueElsewhereWork`. */
export interface Work {
  begin: (shift: LeaseContext) => Promise<void>;
  /** Call when the list was written since the last read. Allowed at any time; a round follows. */
  written: (everything: boolean) => void;
  /**
   * Starts the work that is due now, without waiting for its end. A failed item is postponed and does not stop the
   * rest. Reads the list only if it was written since the last read, or an item is due.
   *
   * @param now milliseconds since 1970
   */
  round: (now: number) => Promise<Round>;
  /** Resolves when nothing is under way. @returns the checkpoint */
  idle: () => Promise<Checkpoint>;
}

/** Counts the items waiting on a list, from the stores; any process can call this. `now`: milliseconds since 1970. */
export type CountWaiting = (progress: ReactorProgress, now: number) => Promise<WaitingItems>;

export interface Round {
  /**
   * when the next round is due even if the list is not written, milliseconds since 1970; null: only when it is written
   */
  next: number | null;
  checkpoint: Checkpoint;
}

/** The stored progress of a reactor. */
export interface ReactorProgress {
  checkpoint: Checkpoint;
  /** number of its failed items */
  held: number;
  /** those of the given items that have failed */
  find: (ids: readonly string[]) => Promise<readonly { id: string }[]>;
}

/** Items that wait for their first attempt. */
export interface WaitingItems {
  items: number;
  /** since when the oldest waits, milliseconds since 1970; null: none waits, or the time is unknown */
  since: number | null;
}
