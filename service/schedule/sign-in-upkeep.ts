import cron from 'node-cron';
import type { Logger } from 'pino';
import { sumUpSignIns } from '../../commands/sign-in/sign-in-upkeep.ts';
import type { Commands } from '../../commands/index.ts';

export interface SignInUpkeepOptions {
  commands: Commands;
  /** milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'warn'>;
}

/** Rounds of one minute, so that other work gets its turn. */
const MOST_ROUNDS = 50;

/**
 * Records failed sign-ins, and ends of sessions that a process could not record, once a minute. Any number of processes
 * may do so at once.
 *
 * @returns ends it, including what is under way
 */
export const startSignInUpkeep = ({ commands, clock, logger }: SignInUpkeepOptions): (() => Promise<void>) => {
  let ending = false;
  const sumUp = async (): Promise<void> => {
    try {
      for (let round = 0; round < MOST_ROUNDS && !ending; round++) {
        if ((await commands.ask(sumUpSignIns)(clock())) === 0) return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'failed sign-ins could not be recorded; this is tried again');
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
