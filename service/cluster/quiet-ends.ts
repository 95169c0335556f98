import cron from 'node-cron';
import type { Logger } from 'pino';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { SharedLog } from '../../stores/event-store/eventstoredb/log.ts';
import type { MarkedForeignStretch } from '../../stores/event-store/eventstoredb/foreign-stretch.ts';
import { withTimeout } from '../../stores/eventstoredb/failures.ts';

/**
 * Maximum time for which a stop waits until the information about the ends of the logs is stored, in milliseconds. If
 * it is not stored, the next start has to read a few more events.
 */
const LAST_WORD = 2_000;

const nameOf = ({ name }: Pick<SharedLog, 'name'>): string => `quiet-end:${name}`;

/**
 * Informs a log which events at its end were written by other programs, so that readers of the log can skip these
 * events. Otherwise, the more of these events there are, the longer a reader would need to reach the end.
 */
export const recallQuietEnd = async (log: SharedLog, coordination: Pick<Coordination, 'read'>): Promise<void> => {
  const stored = await readQuietEnd(log, coordination);
  if (stored) await log.skipForeign(stored);
};

/** Returns the stored information about the end of a log; null if there is none. */
export const readQuietEnd = async (
  log: Pick<SharedLog, 'name'>,
  coordination: Pick<Coordination, 'read'>,
): Promise<MarkedForeignStretch | null> => {
  const stored = await coordination.read(nameOf(log));
  return stored === null ? null : quietOf(stored);
};

export interface QuietEndsOptions {
  logs: readonly SharedLog[];
  coordination: Pick<Coordination, 'write'>;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Stores every minute what this process has learned about the ends of the logs. Processes that start later use this
 * information ({@link recallQuietEnd}).
 *
 * @returns a function that ends the periodic storing, and stores the information one last time
 */
export const storeQuietEnds = ({ logs, coordination, logger }: QuietEndsOptions): (() => Promise<void>) => {
  const stored = new Map<string, bigint>();
  const store = async (): Promise<void> => {
    for (const log of logs) {
      const quiet = await log.foreignTail(stored.get(log.name));
      if (!quiet) continue;
      await coordination.write(nameOf(log), textOf(quiet));
      stored.set(log.name, quiet.to);
    }
  };
  const attempt = (): Promise<void> =>
    store().catch((error: unknown) => {
      logger.warn({ err: error }, 'cannot store how much other programs wrote behind the ends of the logs');
    });
  const task = cron.schedule('* * * * *', attempt, { noOverlap: true, name: 'quiet ends of the logs' });
  return async () => {
    await task.destroy();
    await withTimeout(LAST_WORD, store()).catch(() => undefined);
  };
};

const textOf = ({ from, to, id }: MarkedForeignStretch): string =>
  JSON.stringify({ from: from.toString(), to: to.toString(), id });

const quietOf = (text: string): MarkedForeignStretch => {
  const { from, to, id } = JSON.parse(text) as Record<keyof MarkedForeignStretch, string>;
  return { from: BigInt(from), to: BigInt(to), id };
};
