import { RunAborted, type Outcome } from './check-type.ts';
import type { RunContext } from './check-type.ts';
import { OwnTrouble } from '../../network/own-trouble.ts';
import { ProbeFailure } from './failure.ts';
import { connectionFailure } from './connection-failure.ts';

/** Reason of the signal when the run's own time has run out. */
const TIME_IS_UP = new Error('The run has timed out.');

/** The result of a run that failed. */
export interface WhenFailed {
  /** Its time ran out: the failure to report. */
  timedOut: () => ProbeFailure;
  /** Its outcome, with what was found out before it failed. */
  outcome: (failure: ProbeFailure) => Outcome;
}

/**
 * Makes a run end by its timeout, or when the context's signal says so, and separates troubles of
 * the target from those of the runner.
 *
 * @param timeout seconds, with fractions
 * @param attempt the run itself: it gets the context with a signal that it must follow by rejecting with
 *   its reason, and throws a {@link ProbeFailure} or an error of openConnection for what the target does
 * @throws RunAborted, OwnTrouble
 */
export const withTimeout = async (
  timeout: number,
  context: RunContext,
  attempt: (limited: RunContext) => Promise<Outcome>,
  whenFailed: WhenFailed,
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
    if (error instanceof RunAborted || error instanceof OwnTrouble) throw error;
    throw new OwnTrouble('The run failed for a reason of the runner.', { cause: error });
  } finally {
    cancelTimer();
    context.signal.removeEventListener('abort', onAbort);
  }
};
