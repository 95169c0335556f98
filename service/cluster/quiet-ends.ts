import cron from 'node-cron';
import type { Logger } from 'pino';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { SharedLog } from '../../stores/event-store/eventstoredb/log.ts';
import type { MarkedQuiet } from '../../stores/event-store/eventstoredb/quiet.ts';
import { within } from '../../stores/eventstoredb/failures.ts';

/** Milliseconds that a stop waits for what is known to be kept: without it the next start reads a little more. */
const LAST_WORD = 2_000;

const nameOf = ({ name }: Pick<SharedLog, 'name'>): string => `quiet-end:${name}`;

/**
 * Lets the readers of a log pass over what others are known to have written behind its end, so that it takes no
 * longer to come to the present the more they write.
 */
export const recallQuietEnd = async (log: SharedLog, coordination: Pick<Coordination, 'read'>): Promise<void> => {
  const kept = await keptQuietEnd(log, coordination);
  if (kept) await log.passOver(kept);
};

/** What was kept of the end of a log; null: nothing was. */
export const keptQuietEnd = async (
  log: Pick<SharedLog, 'name'>,
  coordination: Pick<Coordination, 'read'>,
): Promise<MarkedQuiet | null> => {
  const kept = await coordination.read(nameOf(log));
  return kept === null ? null : quietOf(kept);
};

export interface QuietEndsOptions {
  logs: readonly SharedLog[];
  coordination: Pick<Coordination, 'write'>;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Keeps every minute what this process has learned of the ends of the logs, if it has learned anything, for those
 * that start later.
 *
 * @returns ends it
 */
export const keepQuietEnds = ({ logs, coordination, logger }: QuietEndsOptions): (() => Promise<void>) => {
  const kept = new Map<string, bigint>();
  const keep = async (): Promise<void> => {
    for (const log of logs) {
      const quiet = await log.quiet(kept.get(log.name));
      if (!quiet) continue;
      await coordination.write(nameOf(log), textOf(quiet));
      kept.set(log.name, quiet.to);
    }
  };
  const attempt = (): Promise<void> =>
    keep().catch((error: unknown) => {
      logger.warn({ err: error }, 'how far others have written behind the ends of the logs can not be kept at present');
    });
  const task = cron.schedule('* * * * *', attempt, { noOverlap: true, name: 'quiet ends of the logs' });
  return async () => {
    await task.destroy();
    await within(LAST_WORD, keep()).catch(() => undefined);
  };
};

const textOf = ({ from, to, id }: MarkedQuiet): string =>
  JSON.stringify({ from: from.toString(), to: to.toString(), id });

const quietOf = (text: string): MarkedQuiet => {
  const { from, to, id } = JSON.parse(text) as Record<keyof MarkedQuiet, string>;
  return { from: BigInt(from), to: BigInt(to), id };
};
