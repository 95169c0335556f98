import type { RunContext } from '../engine/check-type.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { queryServers } from '../../network/dns/query-servers.ts';
import { NotADomainName } from '../../network/dns/no-answer.ts';
import type { AnsweredQuery, NameServer, UnansweredQuery } from '../../network/dns/query-outcome.ts';
import type { DnsQuestion } from '../../network/dns/message.ts';
import type { QueryFlags } from '../../network/dns/encode-query.ts';

export interface QueryServersOptions extends QueryFlags {
  /** the servers to query; all servers if absent */
  servers?: readonly NameServer[];
}

/**
 * Queries name servers. All calls together share one time limit.
 *
 * When the run is aborted, rejects with the reason of the run's signal.
 */
export type QueryServers = (
  question: DnsQuestion,
  options?: QueryServersOptions,
) => Promise<AnsweredQuery | UnansweredQuery>;

/** Fraction of the time that is reserved for reporting that servers do not respond. */
const KEPT = 0.02;

/** @param seconds time limit for all queries together */
export const createQueryServers = (all: readonly NameServer[], seconds: number, context: RunContext): QueryServers => {
  const until = context.clock.monotonic() + seconds * 1_000 * (1 - KEPT);
  return async (question, { servers = all, ...asking } = {}) => {
    const within = Math.max(0, until - context.clock.monotonic());
    try {
      return await queryServers(question, servers, { ...asking, timeLimit: within }, context);
    } catch (error) {
      throw error instanceof NotADomainName ? new ProbeFailure('failed', 'lookup', error.message) : error;
    }
  };
};
