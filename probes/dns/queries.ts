import type { RunContext } from '../engine/check-type.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { ask } from '../../network/dns/query-servers.ts';
import { NotADomainName } from '../../network/dns/no-answer.ts';
import type { Answered, Server, Unanswered } from '../../network/dns/query-outcome.ts';
import type { Question } from '../../network/dns/message.ts';
import type { Asking } from '../../network/dns/encode-query.ts';

export interface AskerOptions extends Asking {
  /** a subset of the servers */
  servers?: readonly Server[];
}

/**
 * Queries servers within a time limit for all questions together.
 *
 * Rejects with the signal's reason when the run is aborted.
 */
export type Asker = (question: Question, options?: AskerOptions) => Promise<Answered | Unanswered>;

/** Fraction of the time reserved for reporting unresponsive servers. */
const KEPT = 0.02;

/** @param seconds time limit for all questions together */
export const createAsker = (all: readonly Server[], seconds: number, context: RunContext): Asker => {
  const until = context.clock.monotonic() + seconds * 1_000 * (1 - KEPT);
  return async (question, { servers = all, ...asking } = {}) => {
    const within = Math.max(0, until - context.clock.monotonic());
    try {
      return await ask(question, servers, { ...asking, within }, context);
    } catch (error) {
      throw error instanceof NotADomainName ? new ProbeFailure('failed', 'lookup', error.message) : error;
    }
  };
};
