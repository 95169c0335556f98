import type { RunContext } from '../probe/check-type.ts';
import { ask } from './client/ask.ts';
import type { Answered, Server, Unanswered } from './client/answer.ts';
import type { Question } from './client/message.ts';
import type { Asking } from './client/write-question.ts';

export interface AskerOptions extends Asking {
  /** some of them alone */
  servers?: readonly Server[];
}

/**
 * Asks servers, within the time for all questions together.
 *
 * When the run ends, it rejects with the signal's reason.
 */
export type Asker = (question: Question, options?: AskerOptions) => Promise<Answered | Unanswered>;

/** The part of the time that is reserved for reporting which servers were silent. */
const KEPT = 0.02;

/** @param seconds from now on */
export const createAsker = (all: readonly Server[], seconds: number, context: RunContext): Asker => {
  const until = context.clock.monotonic() + seconds * 1_000 * (1 - KEPT);
  return (question, { servers = all, ...asking } = {}) => {
    const within = Math.max(0, until - context.clock.monotonic());
    return ask(question, servers, { ...asking, within }, context);
  };
};
