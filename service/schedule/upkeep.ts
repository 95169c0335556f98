import cron from 'node-cron';
import type { Logger } from 'pino';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import { SUMMARIZED_KINDS } from '../../stores/coordination/entries.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

export interface UpkeepOptions {
  coordination: Pick<Coordination, 'expire' | 'entries'>;
  artifacts: Pick<Artifacts, 'sweep'>;
  /** returns milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Runs the upkeep of the stores on a schedule, so that expired and incomplete data does not accumulate.
 *
 * @returns a function that ends the schedule, and waits for work in progress
 */
export const startUpkeep = ({ coordination, artifacts, clock, logger }: UpkeepOptions): (() => Promise<void>) => {
  const expire = async (): Promise<void> => {
    try {
      await coordination.expire(clock());
    } catch (error) {
      logger.warn({ err: error }, 'old idempotency records could not be removed');
    }
    try {
      await coordination.entries.expire(clock(), SUMMARIZED_KINDS);
    } catch (error) {
      logger.warn({ err: error }, 'ended sessions and counters could not be removed');
    }
  };
  const sweep = async (): Promise<void> => {
    try {
      const count = await artifacts.sweep();
      if (count > 0) logger.info({ count }, 'incomplete artifacts were removed');
    } catch (error) {
      logger.warn({ err: error }, 'incomplete artifacts could not be removed');
    }
  };
  let sweeping = sweep();
  const sweepNext = (): Promise<void> => (sweeping = sweeping.then(sweep));
  const tasks = [
    cron.schedule('23 * * * *', expire, { noOverlap: true, name: 'idempotency records' }),
    cron.schedule('41 * * * *', sweepNext, { noOverlap: true, name: 'artifacts' }),
  ];
  return async () => {
    for (const task of tasks) await task.destroy();
    await sweeping;
  };
};
