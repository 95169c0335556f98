import { connectionFailure } from '../../engine/connection-failure.ts';
import { ProbeFailure } from '../../engine/probe-failure.ts';
import type { RunContext } from '../../engine/check-type.ts';
import { NoHttpResponse } from '../../../network/no-http-response.ts';
import { LookupFailure } from './look-up-failure.ts';
import { withTimeLimit } from './time-limit.ts';

/** A look-up in progress. */
export interface LookUpInProgress {
  context: RunContext;
  /** deadline of the look-up, in milliseconds of the monotonic clock */
  deadline: number;
  /** whether the look-up has so little time that a timeout, which may not be the server's fault, is not cached */
  isShortOfTime: boolean;
}

/** Minimum interval between two queries of this runner to the same server, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Queries a registry's server. Waits first until the server's rate limit allows the query. Then limits the query to
 * half of the remaining time, so that time is left for another server.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @param server the name of the server in sentences, and the key of its rate limit
 * @throws LookupFailure, LocalFailure
 */
export const queryRegistryServer = async <T>(
  server: string,
  { context, deadline, isShortOfTime }: LookUpInProgress,
  run: (context: RunContext) => Promise<T>,
): Promise<T> => {
  const { memory, clock, signal } = context;
  await memory.waitForSlot(`registry server ${server}`, PAUSE_MS, signal);
  const silent = new LookupFailure(`${server} did not answer in time.`, { passing: isShortOfTime });
  try {
    return await withTimeLimit((deadline - clock.monotonic()) / 2, silent, context, run);
  } catch (error) {
    if (error instanceof NoHttpResponse) throw new LookupFailure(error.message, { cause: error });
    const failure = error instanceof ProbeFailure ? error : connectionFailure(error);
    throw failure ? new LookupFailure(failure.message, { cause: error }) : error;
  }
};
