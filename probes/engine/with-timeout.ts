import { RunAborted, type Outcome } from './check-type.ts';
import type { RunContext } from './check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { ProbeFailure } from './probe-failure.ts';
import { connectionFailure } from './connection-failure.ts';

/** The abort reason of a run whose timeout has passed. */
const TIME_IS_UP = new Error('The run has timed out.');

/** Functions that describe a failed run. */
export interface FailureReporting {
  /** Returns the failure of a run that has timed out. */
  timedOut: () => ProbeFailure;
  /** Returns the outcome of a failed run, with the facts that were collected before the failure. */
  outcome: (failure: ProbeFailure) => Outcome;
}

/**
 * Calls `attempt`, and aborts it when the timeout has passed or the context's signal aborts. Converts failures of the
 * target to an outcome, and throws problems of the runner.
 *
 * @param timeout in seconds, possibly with a fraction
 * @param attempt receives a context with a signal. When the signal aborts, it must reject with the signal's reason. For
 * a failure of the target, it throws a {@link ProbeFailure} or an error of openConnection.
 * @throws RunAborted, LocalFailure
 */
export const withTimeout = async (
  timeout: number,
  context: RunContext,
  attempt: (limited: RunContext) => Promise<Outcome>,
  whenFailed: FailureReporting,
): Promise<Outcome> => {
  if (context.signal.aborted) throw new RunAborted();
  const ending = new AbortController();
  const onAbort = (): void => {
    ending.abort(new RunAborted());
  };
  context.signal.addEventListener('abort', onAbort);
  const cancelTimer = context.clock.after(Math.round(timeout * 1_000), () => {
    ending.abort(TIME_IS_UP);
  });
  try {
    return await attempt({ ...context, signal: ending.signal });
  } catch (error) {
    if (error === TIME_IS_UP) return whenFailed.outcome(whenFailed.timedOut());
    const failure = error instanceof ProbeFailure ? error : connectionFailure(error);
    if (failure) return whenFailed.outcome(failure);
    if (error instanceof RunAborted || error instanceof LocalFailure) throw error;
    throw new LocalFailure('The run failed because of a problem on the runner.', { cause: error });
  } finally {
    cancelTimer();
    context.signal.removeEventListener('abort', onAbort);
  }
};
