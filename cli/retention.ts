import cron from 'node-cron';
import type { Logger } from 'pino';
import { retainedFrom } from '../projections/engine/retention.ts';
import { StoreUnavailable } from '../stores/event-store/port.ts';
import type { SqliteEventStore } from '../stores/event-store/sqlite/open.ts';

export interface RetentionOptions {
  results: Pick<SqliteEventStore, 'removeBefore'>;
  /** RESULT_RETENTION_DAYS: whole UTC days */
  retentionDays: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** milliseconds since 1970 */
  clock: () => number;
}

/**
 * Takes the days that are not kept any more out of the results log: at once and every day after midnight UTC. The
 * read models are swept by their engine.
 *
 * @returns ends it, also where it is under way
 */
export const startRetention = ({ results, retentionDays, logger, clock }: RetentionOptions): (() => Promise<void>) => {
  const stop = new AbortController();

  const remove = async (): Promise<void> => {
    const before = retainedFrom(clock(), retentionDays);
    try {
      const count = await results.removeBefore(before, stop.signal);
      if (count > 0) logger.info({ before, count }, 'results past retention were removed');
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.warn({ err: error }, 'results past retention could not be removed; the next try is tomorrow');
    }
  };

  let underWay = remove();
  const daily = async (): Promise<void> => {
    underWay = underWay.then(remove);
    await underWay;
  };
  const task = cron.schedule('7 0 * * *', daily, { timezone: 'Etc/UTC', name: 'retention of results' });
  return async () => {
    stop.abort();
    await task.destroy();
    await underWay;
  };
};
