import type { Logger } from 'pino';
import { exhaustMap, interval } from 'rxjs';
import { isConfirmed, nextRetention, retainedFrom, type Retention } from '../../domain/retention.ts';
import type { Instant } from '../../domain/time.ts';
import { readRetention } from '../../projections/engine/fold/retention.ts';
import { ArtifactsUnavailable, type Artifacts } from '../../stores/artifacts/port.ts';
import {
  CoordinationUnavailable,
  RETENTION,
  RETENTION_CONFIRMED,
  type Coordination,
} from '../../stores/coordination/port.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import type { SqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import type { LogTime } from './log-time.ts';

export interface RetentionOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** removes results; null where the log lets them expire by itself */
  results: Pick<SqliteEventStore, 'removeBefore'> | null;
  /** artifacts of runs go with their results */
  artifacts: Pick<Artifacts, 'removeOfRunsBefore'>;
  /** RESULT_RETENTION_DAYS: whole UTC days */
  retentionDays: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** milliseconds since 1970 */
  clock: () => number;
  /** the time by the results log (service/logs/log-time.ts) */
  logTime: LogTime;
}

const UNAVAILABLE = [StoreUnavailable, CoordinationUnavailable, ArtifactsUnavailable];

/** How often it is decided again, milliseconds. */
const EVERY_MS = 60_000;

/** The message for a person when retention is held back. */
export const heldBack = ({ from, wanted }: Retention): string | null =>
  wanted === null
    ? null
    : `Results since ${from.slice(0, 10)} are kept. By the clock they would be kept since ${wanted.slice(0, 10)}, ` +
      'which is further than results themselves say. If the clock is right: uptrail retention confirm.';

/**
 * Decides every minute how far the retention of results goes (domain/retention.ts), for all processes, and removes
 * what is older from the results log and the artifacts. The read models are swept by their engine.
 *
 * @returns after the first decision: ends it, even if a removal is under way
 */
export const startRetention = async (options: RetentionOptions): Promise<() => Promise<void>> => {
  const { coordination, results, artifacts, retentionDays, logger, clock, logTime } = options;
  const stop = new AbortController();
  let removed: Instant | null = null;
  let told: string | null = null;

  const decide = async (): Promise<Retention> => {
    const last = await readRetention(coordination);
    const confirmed = await coordination.read(RETENTION_CONFIRMED);
    const now = clock();
    if (isConfirmed(retainedFrom(now, retentionDays), confirmed)) logTime.trust(now);
    const next = nextRetention(last, { now, logTime: logTime.now(), retentionDays, confirmed });
    if (JSON.stringify(next) !== JSON.stringify(last)) await coordination.write(RETENTION, JSON.stringify(next));
    const sentence = heldBack(next);
    if (sentence !== null && sentence !== told) logger.warn(sentence);
    told = sentence;
    return next;
  };

  const remove = async ({ from: before }: Retention): Promise<void> => {
    if (before === removed) return;
    const count = (await results?.removeBefore(before, stop.signal)) ?? 0;
    if (count > 0) logger.info({ before, count }, 'results past retention were removed');
    const files = await artifacts.removeOfRunsBefore(before, stop.signal);
    if (files > 0) logger.info({ before, count: files }, 'files of runs past retention were removed');
    removed = before;
  };

  const trouble = (error: unknown): void => {
    if (stop.signal.aborted) return;
    if (!UNAVAILABLE.some((kind) => error instanceof kind)) throw error;
    logger.warn({ err: error }, 'results past retention could not be removed; the next try is in a minute');
  };

  const first = await decide().catch(trouble);
  let underWay: Promise<void> = first ? remove(first).catch(trouble) : Promise.resolve();
  const again = (): Promise<void> => {
    underWay = underWay.then(async () => remove(await decide())).catch(trouble);
    return underWay;
  };
  // By elapsed time: a timer that follows the clock would stand still when the clock is set back.
  const turns = interval(EVERY_MS).pipe(exhaustMap(again)).subscribe();
  return async () => {
    stop.abort();
    turns.unsubscribe();
    await underWay;
  };
};
