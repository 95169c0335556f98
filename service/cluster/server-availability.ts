import type { Logger } from 'pino';
import { createConnectionWatch, type ConnectionWatch } from '../../stores/connection-watch.ts';
import type { EventStoreDb } from '../../stores/event-store/eventstoredb/open.ts';
import { RightMissing } from '../../stores/eventstoredb/rights.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { Duty } from '../plan.ts';

/** Logs a message when a server of a cluster has a problem, and another message when the server is available again. */
export const logAvailability = (server: string, logger: Pick<Logger, 'info' | 'warn'>): ConnectionWatch =>
  createConnectionWatch({
    lost: (sentences) => {
      logger.warn(`${server} is not available. ${sentences}`);
    },
    restored: () => {
      logger.info(`${server} is available again`);
    },
    refused: (sentences) => {
      logger.warn(`${server} rejects requests. ${sentences}`);
    },
  });

/**
 * Checks at the start whether the user of EventStoreDB has all rights that this process needs. Without this check, a
 * process that lacks a right would retry forever.
 *
 * @throws RightMissing, StoreUnavailable
 */
export const checkRights = async (
  { checkAccess }: Pick<EventStoreDb, 'checkAccess'>,
  queue: Pick<WorkQueue, 'depths'>,
  duties: ReadonlySet<Duty>,
): Promise<void> => {
  await checkAccess();
  if (!duties.has('run') && !duties.has('schedule')) return;
  try {
    await queue.depths();
  } catch (error) {
    if (error instanceof RightMissing) throw error;
  }
};
