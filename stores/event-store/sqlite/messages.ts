import type { RemovalStep } from './removal.ts';
import type { AppendAnswer, AppendRequest, RemovalAnswer } from './writer.ts';

/** What the thread of a log is started with. */
export interface LogThreadData {
  name: string;
  file: string;
}

/**
 * To the thread: appends, each with a number by which it is answered, a step of retention, which are asked for one
 * after another, or the wish to end.
 */
export type ToLogThread = { appends: (AppendRequest & { number: number })[] } | { remove: RemovalStep } | 'close';

/** From the thread: once whether it could open the log, then the answers of each commit and each step of retention. */
export type FromLogThread = 'ready' | { refused: string } | { removal: RemovalAnswer } | Answers;

export interface Answers {
  /** number, revision and position of each append that was stored, one after another: lists of numbers travel fastest */
  appended: number[];
  others: { number: number; answer: AppendAnswer }[];
  /** what `/health` should say */
  failure: string | null;
}
