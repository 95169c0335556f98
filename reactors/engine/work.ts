import type { HeldItem } from '../../stores/coordination/port.ts';
import type { Instant } from '../../domain/time.ts';
import type { Checkpoint } from './checkpoint.ts';

/** What is known when an item is done. */
export interface ItemContext {
  /** the time at which it is done, not the one at which it was due */
  now: Instant;
  /** how often it was tried before and failed */
  tries: number;
  /** Aborts when the reactor stops or has lost its lease: the next holder does what is not done by then. */
  signal: AbortSignal;
}

/** @param error of a store, which can fail many times */
export type ReactorLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, string | number>,
  error?: unknown,
) => void;

/** The time for which a reactor holds its lease, and what it works with. */
export interface Shift {
  checkpoint: Checkpoint;
  /** failed items, which outlive it */
  held: {
    /** everything that is kept, in pages */
    pages: () => AsyncIterable<readonly HeldItem[]>;
    keep: (items: readonly HeldItem[]) => Promise<void>;
    release: (ids: readonly string[]) => Promise<void>;
  };
  /** milliseconds since 1970 */
  clock: () => number;
  log: ReactorLog;
  /** aborts when it is over */
  signal: AbortSignal;
  /** Lets the list be looked at again soon. */
  wake: () => void;
}

/** A way to work on a list: `changeWork`, `dueWork`, `dueElsewhere`. */
export interface Work {
  begin: (shift: Shift) => Promise<void>;
  /**
   * Begins the work that is due now, and does not wait for its end. An item that fails is left for later and does not
   * stop the rest.
   *
   * @param now milliseconds since 1970
   */
  round: (now: number) => Promise<Round>;
  /** Resolves when nothing is under way any more. @returns the checkpoint */
  idle: () => Promise<Checkpoint>;
  /** What waits on the list, according to the stores; in any process. */
  waiting: (progress: Progress, now: number) => Promise<Waiting>;
}

export interface Round {
  /** when to look again even if the list has not changed, milliseconds since 1970; null: only then */
  next: number | null;
  checkpoint: Checkpoint;
}

/** The stored progress of a reactor. */
export interface Progress {
  checkpoint: Checkpoint;
  /** how many items it holds */
  held: number;
  /** those of these items that it holds */
  find: (ids: readonly string[]) => Promise<readonly { id: string }[]>;
}

/** What waits to be done for the first time. */
export interface Waiting {
  items: number;
  /** since when the oldest waits, milliseconds since 1970; null where none does, or it is unknown */
  since: number | null;
}
