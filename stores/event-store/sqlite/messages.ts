import type { RemovalStep } from './removal.ts';
import type { AppendResult, AppendRequest, RemovalResult } from './writer.ts';

/** The start parameters of a log's thread. */
export interface LogThreadData {
  name: string;
  file: string;
}

/**
 * A message to the thread: appends, each with a number that identifies its result; one step of retention, which is done
 * before the next step is sent; or the request to end.
 */
export type ToLogThread = { appends: (AppendRequest & { number: number })[] } | { remove: RemovalStep } | 'close';

/**
 * A message from the thread. The first says whether the thread could open the log. The others contain the results of a
 * commit or of a retention step.
 */
export type FromLogThread = 'ready' | { refused: string } | { removal: RemovalResult } | AppendResults;

export interface AppendResults {
  /**
   * the number, revision and position of each stored append, one after another: a flat list of numbers is the fastest
   * to transfer
   */
  appended: number[];
  others: { number: number; answer: AppendResult }[];
  /** message for `/health` */
  failure: string | null;
}
