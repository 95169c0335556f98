import type { RemovalStep } from './removal.ts';
import type { AppendResult, AppendRequest, RemovalResult } from './writer.ts';

/** The start parameters of a log's thread. */
export interface LogThreadData {
  name: string;
  file: string;
}

/**
 * To the thread: appends, each with a number for its result; one step of retention, the next only after it is done; or
 * the request to end.
 */
export type ToLogThread = { appends: (AppendRequest & { number: number })[] } | { remove: RemovalStep } | 'close';

/** From the thread: once whether it could open the log, then the results of each commit and each retention step. */
export type FromLogThread = 'ready' | { refused: string } | { removal: RemovalResult } | AppendResults;

export interface AppendResults {
  /**
   * number, revision and position of each stored append in sequence: flat lists of numbers are the fastest to transfer
   */
  appended: number[];
  others: { number: number; answer: AppendResult }[];
  /** message for `/health` */
  failure: string | null;
}
