import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { exhaustMap, interval, startWith } from 'rxjs';
import { headText, NO_EVENTS, nextHead, parseHead, type LogHead } from '../../domain/log/head.ts';
import { instantOf, type Day } from '../../domain/time.ts';
import { logIdOf } from '../../projections/engine/feed/log-marks.ts';
import { LOG_HEAD, type Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

export interface LogHeadsOptions {
  /** as it is stored: nothing is upcast */
  log: EventStore;
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** milliseconds between two pages */
  pause?: number;
}

/** How far the head was computed. */
interface Kept {
  log_id: string;
  head: string;
  /** the last event that is in it */
  position: string;
  event_id: string;
  /** the UTC day on which it was last told; null: never */
  told: Day | null;
}

/** How often it is looked whether a day has begun, milliseconds. */
const EVERY_MS = 600_000;
/** So few that requests in between wait some milliseconds. */
const PAGE = 100;
const PAUSE_MS = 10;
/** Events after which the progress is kept, as the first head of a large log takes long. */
const KEEP_EVERY = 50_000;

interface Progress {
  head: LogHead;
  position: bigint;
  eventId: string;
}

/**
 * Tells the head of a log once a UTC day (domain/log/head.ts), so that it stands in whatever keeps the lines of the
 * service. It goes on from the last one; one that is not of this log as it is now, as after a restore, does not count,
 * and it begins anew. Only `uptrail audit` reads the log from its beginning.
 *
 * @returns ends it
 */
export const startLogHeads = (options: LogHeadsOptions): (() => Promise<void>) => {
  const { log, coordination, clock, logger, pause = PAUSE_MS } = options;
  const stop = new AbortController();

  const keep = ({ head, position, eventId }: Progress, log_id: string, told: Day | null): Promise<void> => {
    const kept: Kept = { log_id, head: headText(head), position: position.toString(), event_id: eventId, told };
    return coordination.write(LOG_HEAD, JSON.stringify(kept));
  };

  const tell = async (): Promise<void> => {
    const today = instantOf(clock()).slice(0, 'yyyy-mm-dd'.length);
    const text = await coordination.read(LOG_HEAD);
    const kept = text === null ? null : (JSON.parse(text) as Kept);
    if (kept?.told === today) return;
    const logId = await logIdOf(log);
    const known = kept && (await fitting(log, logId, kept));
    if (kept && !known) logger.warn('The head that was kept is not of this log as it is now; it is computed anew.');
    let progress: Progress = known ?? { head: NO_EVENTS, position: 0n, eventId: '' };
    for (let keptAt = progress.head.events; ;) {
      const page = await log.readAll({ after: progress.position, limit: PAGE });
      for (const event of page) {
        progress = { head: nextHead(progress.head, event), position: event.position, eventId: event.id };
      }
      if (page.length < PAGE) break;
      if (progress.head.events - keptAt >= KEEP_EVERY) {
        await keep(progress, logId, known ? kept.told : null);
        keptAt = progress.head.events;
      }
      await sleep(pause, undefined, { signal: stop.signal });
    }
    await keep(progress, logId, today);
    logger.info(
      { head: headText(progress.head) },
      'the head of the log main; kept elsewhere, it proves that nothing was changed',
    );
  };

  const tried = (): Promise<void> =>
    tell().catch((error: unknown) => {
      if (!stop.signal.aborted) logger.warn({ err: error }, 'the head of the log could not be told');
    });
  let underWay: Promise<void> = Promise.resolve();
  const turns = interval(EVERY_MS)
    .pipe(
      startWith(0),
      exhaustMap(() => (underWay = tried())),
    )
    .subscribe();
  return async () => {
    stop.abort();
    turns.unsubscribe();
    await underWay;
  };
};

/** What was kept, if the log still has the event that it ended with; else null. */
const fitting = async (log: EventStore, logId: string, kept: Kept): Promise<Progress | null> => {
  const head = parseHead(kept.head);
  if (!head || kept.log_id !== logId) return null;
  const position = BigInt(kept.position);
  const [last] = await log.readAll({ after: position, inclusive: true, limit: 1 });
  return last?.id === kept.event_id && last.position === position ? { head, position, eventId: last.id } : null;
};
