import cron from 'node-cron';
import type { Logger } from 'pino';
import { sweepSignIns } from '../../commands/sign-in/sign-in-sweep.ts';
import type { Commands } from '../../commands/index.ts';

export interface SignInUpkeepOptions {
  commands: Commands;
  /** milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'warn'>;
}

/** Maximum rounds per minute, so that other work is not starved. */
const MAX_ROUNDS = 50;

/**
 * Records, once a minute, failed sign-ins, and ends of sessions that a process could not record. Any number of
 * processes may do so concurrently.
 *
 * @returns ends it, including work in progress
 */
export const startSignInUpkeep = ({ commands, clock, logger }: SignInUpkeepOptions): (() => Promise<void>) => {
  let ending = false;
  const sumUp = async (): Promise<void> => {
    try {
      for (let round = 0; round < MAX_ROUNDS && !ending; round++) {
        if ((await commands.bind(sweepSignIns)(clock())) === 0) return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'failed sign-ins could not be recorded; retrying');
    }
  };
  let under = Promise.resolve();
  const task = cron.schedule('* * * * *', () => (under = under.then(sumUp)), { noOverlap: true, name: 'sign-ins' });
  return async () => {
    ending = true;
    await task.destroy();
    await under;
  };
};
