import cron from 'node-cron';
import type { Logger } from 'pino';
import { markLog } from '../projections/engine/log-marks.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { aborted, underLease } from './under-lease.ts';

export interface MarksOptions {
  logs: readonly EventStore[];
  coordination: Pick<Coordination, 'acquire'>;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Marks the end of each log every minute, in one of all processes: on a server that holds both logs, a read
 * model starts again near the end of its own, however much was appended to the other one.
 *
 * @returns ends it
 */
export const startMarks = ({ logs, coordination, logger }: MarksOptions): (() => Promise<void>) => {
  const stopping = new AbortController();
  const trouble = (error: unknown): void => {
    logger.warn({ err: error }, 'the logs can not be marked at present');
  };
  const mark = async (): Promise<void> => {
    for (const log of logs) await markLog(log, Date.now()).catch(trouble);
  };
  const options = { coordination, name: 'marks', signal: stopping.signal, trouble };
  const marking = underLease(options, async (over) => {
    const task = cron.schedule('* * * * *', mark, { noOverlap: true, name: 'marks of the logs' });
    await aborted(over);
    await task.destroy();
  });
  return async () => {
    stopping.abort();
    await marking;
  };
};
