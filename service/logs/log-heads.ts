import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { exhaustMap, interval, startWith } from 'rxjs';
import { headText, NO_EVENTS, nextHead, parseHead, type LogHead } from '../../domain/log/head.ts';
import { instantOf, type Day } from '../../domain/time.ts';
import { logIdOf } from '../../projections/engine/feed/log-marks.ts';
import { LOG_HEAD, type Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

export interface LogHeadsOptions {
  /** the log as stored, without upcasting */
  log: EventStore;
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** milliseconds between two pages */
  pause?: number;
}

/** The stored progress of the computation. */
interface Kept {
  log_id: string;
  head: string;
  /** the last event covered by the head */
  position: string;
  event_id: string;
  /** the UTC day on which the head was last logged; null: never */
  told: Day | null;
}

/** Interval at which the start of a new day is checked, milliseconds. */
const EVERY_MS = 600_000;
/** Small enough that concurrent requests wait only some milliseconds. */
const PAGE = 100;
const PAUSE_MS = 10;
/** Number of events after which the progress is stored, because the first head of a large log takes long. */
const KEEP_EVERY = 50_000;

interface Progress {
  head: LogHead;
  position: bigint;
  eventId: string;
}

/**
 * Logs the head of the log `main` once per UTC day (domain/log/head.ts), so that it is in whatever collects the
 * service's log lines. It continues from the stored head. If that head does not belong to the present log, for example
 * after a restore, it starts over. Only `uptrail audit` always reads the log from its beginning.
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
    if (kept && !known)
      logger.warn('The stored head does not belong to the present log; it is computed from the beginning.');
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
      'head of the log main; stored elsewhere, it later proves that the log was not altered',
    );
  };

  const tried = (): Promise<void> =>
    tell().catch((error: unknown) => {
      if (!stop.signal.aborted) logger.warn({ err: error }, 'the head of the log could not be computed');
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

/** The stored progress, if the log still contains its last event; otherwise null. */
const fitting = async (log: EventStore, logId: string, kept: Kept): Promise<Progress | null> => {
  const head = parseHead(kept.head);
  if (!head || kept.log_id !== logId) return null;
  const position = BigInt(kept.position);
  const [last] = await log.readAll({ after: position, inclusive: true, limit: 1 });
  return last?.id === kept.event_id && last.position === position ? { head, position, eventId: last.id } : null;
};
