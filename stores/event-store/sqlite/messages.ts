import type { AppendAnswer, AppendRequest } from './writer.ts';

/** What the thread of a log is started with. */
export interface LogThreadData {
  name: string;
  file: string;
}

/** To the thread: appends, each with a number by which it is answered, or the wish to end. */
export type ToLogThread = { appends: (AppendRequest & { number: number })[] } | 'close';

/** From the thread: once whether it could open the log, then answers and what `/health` should say. */
export type FromLogThread =
  'ready' | { refused: string } | { answers: { number: number; answer: AppendAnswer }[]; failure: string | null };
