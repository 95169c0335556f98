import type { RunContext } from '../probe/check-type.ts';
import { ask } from './client/ask.ts';
import type { Answered, Server, Unanswered } from './client/answer.ts';
import type { Question } from './client/message.ts';
import type { Asking } from './client/write-question.ts';

export interface AskerOptions extends Asking {
  /** those of the run if absent */
  servers?: readonly Server[];
  /** milliseconds; what is left of the run's time if absent */
  atMost?: number;
}

/**
 * Asks the servers of a run, in the time that it has.
 *
 * When the run ends, it rejects with the signal's reason.
 */
export type Asker = (question: Question, options?: AskerOptions) => Promise<Answered | Unanswered>;

/** The part of a run's time that is kept for saying which servers were silent. */
const KEPT = 0.02;

/** @param timeout of the run that begins now, seconds */
export const createAsker = (all: readonly Server[], timeout: number, context: RunContext): Asker => {
  const until = context.clock.monotonic() + timeout * 1_000 * (1 - KEPT);
  return (question, { servers = all, atMost = Infinity, ...asking } = {}) => {
    const within = Math.max(0, Math.min(atMost, until - context.clock.monotonic()));
    return ask(question, servers, { ...asking, within }, context);
  };
};
