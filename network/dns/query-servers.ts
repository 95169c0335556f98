import type { NetworkContext } from '../context.ts';
import { anyAddressPolicy } from '../policy.ts';
import type { AnsweredQuery, NameServerFailure, NameServer, UnansweredQuery } from './query-outcome.ts';
import { queryServer } from './query-server.ts';
import type { QueryWatch } from './exchange.ts';
import type { DnsQuestion } from './message.ts';
import { noAnswerOf, NotADomainName } from './no-answer.ts';
import { encodeQuestion, type QueryFlags } from './encode-query.ts';

export interface QueryOptions extends QueryFlags {
  /** total time limit, in milliseconds */
  timeLimit: number;
}

/**
 * Milliseconds to wait for a silent server before the next server is queried in parallel. The time doubles in each
 * round.
 */
const PATIENCE_MS = 1_000;
/**
 * Maximum number of queries per server. Over `tls` and `https`, TCP retransmits lost segments, so one query is enough.
 */
const ROUNDS = { plain: 5, tls: 1, https: 1 } as const;

/** The progress with one server. */
interface State {
  server: NameServer;
  queriesSent: number;
  failure: NameServerFailure | null;
  /** state of the latest query to the server */
  watch: QueryWatch;
}

/**
 * Queries servers one after another. Proceeds to the next server when one fails or stays silent for a while. Queries
 * silent servers again while there is time. The first response counts, even if it answers an earlier query.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @param servers at least one
 * @throws NotADomainName
 * @throws LocalFailure
 */
export const queryServers = async (
  question: DnsQuestion,
  servers: readonly NameServer[],
  options: QueryOptions,
  context: NetworkContext,
): Promise<AnsweredQuery | UnansweredQuery> => {
  const written = encodeQuestion(question, options);
  if (!written) throw new NotADomainName(question.name);
  const { clock, signal } = context;
  signal.throwIfAborted();
  const states = servers.map((server): State => {
    const watch = { timeoutSentence: () => `${server.text} was not asked: there was no time left.`, sentAt: 0 };
    return { server, queriesSent: 0, failure: null, watch };
  });
  const until = clock.monotonic() + options.timeLimit;
  const ending = new AbortController();

  return new Promise((resolve, reject) => {
    let running = 0;
    let settled = false;
    let cancelPatience = (): void => undefined;

    const settle = (): void => {
      settled = true;
      cancelPatience();
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      ending.abort(OVER);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };
    const unanswered = (): void => {
      const failures = states.map(failureOf);
      settle();
      resolve({ answered: false, failures });
    };
    const next = (): void => {
      cancelPatience();
      const state = nextOf(states);
      if (state) {
        begin(state);
        cancelPatience = clock.after(patience(states, state, until - clock.monotonic()), next);
      } else if (running === 0) unanswered();
    };
    const begin = (state: State): void => {
      const { server } = state;
      const watch = { ...state.watch };
      state.watch = watch;
      const { policy } = context;
      const limited = {
        ...context,
        policy: server.isPolicyApplied ? policy : anyAddressPolicy(policy),
        signal: ending.signal,
        watch,
      };
      running += 1;
      state.queriesSent += 1;
      queryServer(written, server, state.queriesSent - 1, limited).then(
        (answer) => {
          if (settled) return;
          const time = clock.monotonic() - watch.sentAt;
          const failures = states.filter((one) => one !== state && one.queriesSent > 0).map(failureOf);
          settle();
          resolve({ answered: true, ...answer, time, failures });
        },
        (error: unknown) => {
          if (settled) return;
          running -= 1;
          const failure = noAnswerOf(error);
          if (!failure) {
            fail(error as Error);
            return;
          }
          state.failure = { server, reason: failure.reason, sentence: failure.message };
          next();
        },
      );
    };

    const cancelTimer = clock.after(options.timeLimit, unanswered);
    signal.addEventListener('abort', onAbort);
    next();
  });
};

/** Reason for aborting the remaining queries, after a response or at the time limit. */
const OVER = new Error('The question is settled.');

/**
 * Returns the server that was queried least often. Returns undefined if every server has failed or was queried the
 * maximum number of times.
 */
const nextOf = (states: readonly State[]): State | undefined => {
  const left = states.filter(({ server, queriesSent, failure }) => !failure && queriesSent < ROUNDS[server.transport]);
  return left.sort((one, other) => one.queriesSent - other.queriesSent)[0];
};

/**
 * Returns how many milliseconds to wait for the most recently queried server. The wait leaves a share of the remaining
 * time for each server that has not been queried yet.
 */
const patience = (states: readonly State[], { queriesSent }: State, left: number): number => {
  const unasked = states.filter((state) => state.queriesSent === 0).length;
  return Math.min(PATIENCE_MS * 2 ** (queriesSent - 1), unasked === 0 ? Infinity : left / (unasked + 1));
};

const failureOf = ({ server, failure, watch }: State): NameServerFailure =>
  failure ?? { server, reason: 'timeout', sentence: watch.timeoutSentence() };
