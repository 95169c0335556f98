import type { AppendAnswer, AppendRequest } from './writer.ts';

/** What the thread of a log is started with. */
export interface LogThreadData {
  name: string;
  file: string;
}

/** To the thread: appends, each with a number by which it is answered, or the wish to end. */
export type ToLogThread = { appends: (AppendRequest & { number: number })[] } | 'close';

/** From the thread: once whether it could open the log, then the answers of each commit. */
export type FromLogThread = 'ready' | { refused: string } | Answers;

export interface Answers {
  /** number, revision and position of each append that was stored, one after another: lists of numbers travel fastest */
  appended: number[];
  others: { number: number; answer: AppendAnswer }[];
  /** what `/health` should say */
  failure: string | null;
}
