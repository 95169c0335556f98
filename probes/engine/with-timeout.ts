import { RunAborted, type Outcome } from './check-type.ts';
import type { RunContext } from './check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { ProbeFailure } from './probe-failure.ts';
import { connectionFailure } from './connection-failure.ts';

/** The signal's reason when the run's own timeout has passed. */
const TIME_IS_UP = new Error('The run has timed out.');

/** How to report a failed run. */
export interface FailureReporting {
  /** The failure for a timeout. */
  timedOut: () => ProbeFailure;
  /** The outcome for a failure, with the facts found before it. */
  outcome: (failure: ProbeFailure) => Outcome;
}

/**
 * Limits a run to its timeout, aborts it with the context's signal, and separates failures of the target from problems
 * of the runner.
 *
 * @param timeout seconds, with fractions
 * @param attempt the run: gets a context with a signal that it must observe by rejecting with its reason, and throws a
 * {@link ProbeFailure} or an error of openConnection for failures of the target
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
