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
  /** removes results; null if the log itself expires them */
  results: Pick<SqliteEventStore, 'removeBefore'> | null;
  /** the artifacts of runs, which are removed together with the results */
  artifacts: Pick<Artifacts, 'removeOfRunsBefore'>;
  /** RESULT_RETENTION_DAYS: number of whole UTC days */
  retentionDays: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** returns milliseconds since 1970 */
  clock: () => number;
  /** the time according to the results log (service/logs/log-time.ts) */
  logTime: LogTime;
}

const UNAVAILABLE = [StoreUnavailable, CoordinationUnavailable, ArtifactsUnavailable];

/** Interval between decisions, in milliseconds. */
const EVERY_MS = 60_000;

/** Returns the message for the operator while retention is held back; null if it is not held back. */
export const heldBackMessage = ({ from, wanted }: Retention): string | null =>
  wanted === null
    ? null
    : `Results since ${from.slice(0, 10)} are stored. By the clock they should be stored only since ${wanted.slice(0, 10)}, ` +
      'but the results do not confirm that time. If the clock is right, run uptrail retention confirm.';

/**
 * Decides every minute, for all processes, from which time on results are retained (domain/retention.ts). Removes
 * earlier results from the results log, and the artifacts of their runs. The projection engine removes these results
 * from the read models.
 *
 * Resolves after the first decision.
 *
 * @returns a function that stops retention, even during a removal
 */
export const startRetention = async (options: RetentionOptions): Promise<() => Promise<void>> => {
  const { coordination, results, artifacts, retentionDays, logger, clock, logTime } = options;
  const stop = new AbortController();
  let removed: Instant | null = null;
  let logged: string | null = null;

  const decide = async (): Promise<Retention> => {
    const last = await readRetention(coordination);
    const confirmed = await coordination.read(RETENTION_CONFIRMED);
    const now = clock();
    if (isConfirmed(retainedFrom(now, retentionDays), confirmed)) logTime.trust(now);
    const next = nextRetention(last, { now, logTime: logTime.now(), retentionDays, confirmed });
    if (JSON.stringify(next) !== JSON.stringify(last)) await coordination.write(RETENTION, JSON.stringify(next));
    const sentence = heldBackMessage(next);
    if (sentence !== null && sentence !== logged) logger.warn(sentence);
    logged = sentence;
    return next;
  };

  const remove = async ({ from: before }: Retention): Promise<void> => {
    if (before === removed) return;
    const count = (await results?.removeBefore(before, stop.signal)) ?? 0;
    if (count > 0) logger.info({ before, count }, 'results past retention were removed');
    const files = await artifacts.removeOfRunsBefore(before, stop.signal);
    if (files > 0) logger.info({ before, count: files }, 'artifacts of runs past retention were removed');
    removed = before;
  };

  const trouble = (error: unknown): void => {
    if (stop.signal.aborted) return;
    if (!UNAVAILABLE.some((kind) => error instanceof kind)) throw error;
    logger.warn({ err: error }, 'results past retention could not be removed; retrying in a minute');
  };

  const first = await decide().catch(trouble);
  let underWay: Promise<void> = first ? remove(first).catch(trouble) : Promise.resolve();
  const runNext = (): Promise<void> => {
    underWay = underWay.then(async () => remove(await decide())).catch(trouble);
    return underWay;
  };
  // Use elapsed time for the interval. A timer that follows the clock would stall if the clock were set back.
  const rounds = interval(EVERY_MS).pipe(exhaustMap(runNext)).subscribe();
  return async () => {
    stop.abort();
    rounds.unsubscribe();
    await underWay;
  };
};
