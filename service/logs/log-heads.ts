import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { exhaustMap, interval, startWith } from 'rxjs';
import { headText, NO_EVENTS, nextHead, parseHead, type LogHead } from '../../domain/log/head.ts';
import { instantOf, type Day } from '../../domain/time.ts';
import { readLogId } from '../../projections/engine/feed/log-marks.ts';
import { LOG_HEAD, type Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

export interface LogHeadsOptions {
  /** the log as it is stored, without upcasting */
  log: EventStore;
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** returns milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** time to wait between two pages of events, in milliseconds */
  pause?: number;
}

/** The stored progress of the computation of the log's head. */
interface StoredProgress {
  log_id: string;
  head: string;
  /** the last event that the head covers */
  position: string;
  event_id: string;
  /** the UTC day on which the head was most recently logged; null: never */
  told: Day | null;
}

/** Interval at which the process checks whether a new UTC day has begun, in milliseconds. */
const EVERY_MS = 600_000;
/** Number of events per page. It is small, so that concurrent requests wait only a few milliseconds. */
const PAGE = 100;
const PAUSE_MS = 10;
/**
 * Number of events after which the progress is stored. Computing the first head of a large log takes long, so an
 * interrupted computation must be able to continue.
 */
const KEEP_EVERY = 50_000;

interface Progress {
  head: LogHead;
  position: bigint;
  eventId: string;
}

/**
 * Logs the head of the log `main` once per UTC day (domain/log/head.ts), so that every system that collects the log
 * lines of the service stores the head too. The computation continues from the stored head. If the stored head does not
 * belong to the present log, for example after a restore, the computation starts over. In contrast, `uptrail audit`
 * always reads the log from its beginning.
 *
 * @returns a function that stops the logging of heads
 */
export const startLogHeads = (options: LogHeadsOptions): (() => Promise<void>) => {
  const { log, coordination, clock, logger, pause = PAUSE_MS } = options;
  const stop = new AbortController();

  const store = ({ head, position, eventId }: Progress, log_id: string, told: Day | null): Promise<void> => {
    const stored: StoredProgress = {
      log_id,
      head: headText(head),
      position: position.toString(),
      event_id: eventId,
      told,
    };
    return coordination.write(LOG_HEAD, JSON.stringify(stored));
  };

  const logHead = async (): Promise<void> => {
    const today = instantOf(clock()).slice(0, 'yyyy-mm-dd'.length);
    const text = await coordination.read(LOG_HEAD);
    const stored = text === null ? null : (JSON.parse(text) as StoredProgress);
    if (stored?.told === today) return;
    const logId = await readLogId(log);
    const known = stored && (await fitting(log, logId, stored));
    if (stored && !known)
      logger.warn('The stored head does not belong to the present log; it is computed from the beginning.');
    let progress: Progress = known ?? { head: NO_EVENTS, position: 0n, eventId: '' };
    for (let storedAt = progress.head.events; ;) {
      const page = await log.readAll({ after: progress.position, limit: PAGE });
      for (const event of page) {
        progress = { head: nextHead(progress.head, event), position: event.position, eventId: event.id };
      }
      if (page.length < PAGE) break;
      if (progress.head.events - storedAt >= KEEP_EVERY) {
        await store(progress, logId, known ? stored.told : null);
        storedAt = progress.head.events;
      }
      await sleep(pause, undefined, { signal: stop.signal });
    }
    await store(progress, logId, today);
    logger.info(
      { head: headText(progress.head) },
      'head of the log main; stored elsewhere, it later proves that the log was not altered',
    );
  };

  const tried = (): Promise<void> =>
    logHead().catch((error: unknown) => {
      if (!stop.signal.aborted) logger.warn({ err: error }, 'the head of the log could not be computed');
    });
  let underWay: Promise<void> = Promise.resolve();
  const rounds = interval(EVERY_MS)
    .pipe(
      startWith(0),
      exhaustMap(() => (underWay = tried())),
    )
    .subscribe();
  return async () => {
    stop.abort();
    rounds.unsubscribe();
    await underWay;
  };
};

/**
 * Returns the stored progress if the log still contains the event up to which the head was computed, and otherwise
 * null.
 */
const fitting = async (log: EventStore, logId: string, stored: StoredProgress): Promise<Progress | null> => {
  const head = parseHead(stored.head);
  if (!head || stored.log_id !== logId) return null;
  const position = BigInt(stored.position);
  const [last] = await log.readAll({ after: position, inclusive: true, limit: 1 });
  return last?.id === stored.event_id && last.position === position ? { head, position, eventId: last.id } : null;
};
