import cron from 'node-cron';
import type { Logger } from 'pino';
import { sweepSignIns } from '../../commands/sign-in/sign-in-sweep.ts';
import type { Commands } from '../../commands/index.ts';

export interface SignInUpkeepOptions {
  commands: Commands;
  /** returns milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Maximum number of batches of failed sign-ins that are recorded per minute. The remaining failed sign-ins are recorded
 * in the next minute, so that other work can run in between.
 */
const MAX_ROUNDS = 50;

/**
 * Once a minute, records failed sign-ins, and the ends of sessions that another process could not record. Several
 * processes may record them at the same time.
 *
 * @returns a function that ends the periodic recording, and waits for a recording in progress
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
