import cron from 'node-cron';
import type { Logger } from 'pino';
import type { Coordination } from '../../stores/coordination/port.ts';

/**
 * What is done by the clock so that nothing grows for ever.
 *
 * @param clock milliseconds since 1970
 * @returns ends it
 */
export const startUpkeep = (
  coordination: Pick<Coordination, 'expire'>,
  clock: () => number,
  logger: Logger,
): (() => Promise<void>) => {
  const expire = async (): Promise<void> => {
    try {
      await coordination.expire(clock());
    } catch (error) {
      logger.warn({ err: error }, 'old idempotency records could not be removed');
    }
  };
  const task = cron.schedule('23 * * * *', expire, { noOverlap: true, name: 'idempotency records' });
  return async () => {
    await task.destroy();
  };
};
