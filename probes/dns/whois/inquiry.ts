import { connectionFailure } from '../../engine/connection-failure.ts';
import { ProbeFailure } from '../../engine/failure.ts';
import type { RunContext } from '../../engine/check-type.ts';
import { NoHttpAnswer } from '../../../network/no-http-answer.ts';
import { LookupFailure } from './failure.ts';
import { limitedTo } from './limited.ts';

/** A look-up under way. */
export interface Inquiry {
  context: RunContext;
  /** when it must be over, milliseconds by the monotonic clock */
  until: number;
  /** there is so little time that silence says nothing about a server */
  hurried: boolean;
}

/** Between two questions of this runner to a server, milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Asks a server of a registry when the turn comes, and gives it half of the time that is left, so there is time to ask
 * another server.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @param server its name in sentences, and the key for its turns
 * @throws LookupFailure, OwnTrouble
 */
export const askServer = async <T>(
  server: string,
  { context, until, hurried }: Inquiry,
  run: (context: RunContext) => Promise<T>,
): Promise<T> => {
  const { memory, clock, signal } = context;
  await memory.turn(`registry server ${server}`, PAUSE_MS, signal);
  const silent = new LookupFailure(`${server} did not answer in time.`, { passing: hurried });
  try {
    return await limitedTo((until - clock.monotonic()) / 2, silent, context, run);
  } catch (error) {
    if (error instanceof NoHttpAnswer) throw new LookupFailure(error.message, { cause: error });
    const failure = error instanceof ProbeFailure ? error : connectionFailure(error);
    throw failure ? new LookupFailure(failure.message, { cause: error }) : error;
  }
};
