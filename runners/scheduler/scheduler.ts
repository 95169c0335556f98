import type { StartRun } from '../../domain/check/run.ts';
import { MIN_CREDITS } from '../../domain/credits/costs.ts';
import type { Credits } from '../../domain/credits/credits.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Clock } from '../../network/clock.ts';
import { createFollower, type RunInFlight } from './follow-checks.ts';
import type { SchedulerObserver } from './observer.ts';
import { createOffering } from './offer-runs.ts';
import { createSchedule } from './schedule.ts';
import type { CheckSource } from './check-source.ts';

/** Maximum delay of the timer, in milliseconds. The limit ensures that a change of the clock is noticed. */
const MAX_SLEEP_MS = 10_000;
/** Pause before another attempt to load the checks after a failure, in milliseconds. */
const LOAD_RETRY_MS = 1_000;
/** Maximum number of runs that are offered before other tasks of the event loop get a chance. */
const BATCH = 500;

export interface SchedulerDependencies {
  /** the read models `checks` and `check_groups` */
  checks: CheckSource;
  /** the main log */
  log: Pick<EventStore, 'subscribe'>;
  startRun: StartRun;
  /** called before a check is read, so that no checks are read for an organization without credits */
  credits: Pick<Credits, 'canPay'>;
  clock: Clock;
  /** Ends a run in flight whose check was deleted or changed. */
  cancel?: (runId: string) => void;
  /** Cancels the group of a run in flight whose check was deleted or changed. */
  cancelGroup?: (run: RunInFlight & { groupId: string }) => void;
  observe?: SchedulerObserver;
}

export interface Scheduler {
  /**
   * Loads the checks, and then starts to offer runs. Resolves when runs are offered, or when the scheduler is stopped.
   * If the read model cannot be read, for example during its first build, loading is retried every second.
   */
  start: () => Promise<void>;
  /** Stops offering runs. */
  stop: () => Promise<void>;
  /** Resolves after `stop`. Rejects if the log could not be followed, which also stops the scheduler. */
  readonly ended: Promise<void>;
  /**
   * Must be called when a run has ended in one region, with or without a result. After the last region, the check may
   * run again.
   */
  finished: (checkId: string, runId: string) => void;
  /**
   * Whether a scheduled run may start or, if `underWay` is set, whether the result of the started run still counts. The
   * result also counts if the check was paused after the start.
   */
  wants: (checkId: string, runId: string, underWay: boolean) => boolean;
  size: () => number;
}

/**
 * Offers the runs of active checks in active groups when they are due. It uses one heap and one timer, and never has
 * two runs of a check in flight (docs/develop/runners.md#scheduler). A check runs immediately when it is created,
 * activated or given another target; otherwise, it runs at its slots. After a restart, only checks that never ran start
 * immediately.
 */
export const createScheduler = (dependencies: SchedulerDependencies): Scheduler => {
  const { checks, clock, log, observe = {} } = dependencies;
  const schedule = createSchedule();
  const stopping = new AbortController();
  let cancelTimer = (): void => undefined;
  let endPause = (): void => undefined;
  let seen = clock.now();
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => {
      if (error) reject(error);
      else resolve();
    };
  });
  // Prevents an unhandled rejection if no caller awaits `ended`. Callers that await it still get the error.
  ended.catch(() => undefined);

  const arm = (): void => {
    cancelTimer();
    if (stopping.signal.aborted) return;
    const due = schedule.nextDue() ?? Infinity;
    cancelTimer = clock.after(Math.max(0, Math.min(due - clock.now(), MAX_SLEEP_MS)), fire);
  };

  const cancelGroup = dependencies.cancelGroup ?? (() => undefined);
  const cancel = ({ groupId, ...run }: RunInFlight): void => {
    dependencies.cancel?.(run.runId);
    if (groupId !== null) cancelGroup({ ...run, groupId });
  };

  const follower = createFollower({ schedule, clock, cancel });
  const { position: passed } = follower;
  const offering = createOffering({ ...dependencies, schedule, observe, passed, cancelGroup, changed: arm });

  const fire = (): void => {
    const now = clock.now();
    if (now < seen - 1_000) schedule.restart(now);
    seen = now;
    const { runs, inFlight, missed } = schedule.take(now, BATCH);
    if (inFlight > 0) observe.skipped?.('in_flight', inFlight);
    if (missed > 0) observe.skipped?.('missed', missed);
    const paid = runs.filter(({ entry }) => dependencies.credits.canPay(entry.organizationId, MIN_CREDITS));
    if (paid.length < runs.length) observe.skipped?.('unpaid', runs.length - paid.length);
    if (paid.length > 0) offering.offer(paid);
    arm();
  };

  /** Loads all checks. @returns the loaded position; null if the scheduler was stopped meanwhile */
  const load = async (): Promise<bigint | null> => {
    while (!stopping.signal.aborted) {
      try {
        const position = await checks.position();
        await follower.load(checks, position);
        return position;
      } catch (error) {
        observe.trouble?.(error);
        await new Promise<void>((resolve) => {
          endPause = resolve;
          cancelTimer = clock.after(LOAD_RETRY_MS, resolve);
        });
      }
    }
    return null;
  };

  const follow = async (after: bigint): Promise<void> => {
    for await (const events of log.subscribe({
      after,
      categories: ['check', 'check_group'],
      signal: stopping.signal,
    })) {
      follower.apply(events);
      arm();
    }
  };

  const stop = async (): Promise<void> => {
    stopping.abort();
    cancelTimer();
    endPause();
    await offering.idle();
    end();
  };

  return {
    ended,
    start: async () => {
      const position = await load();
      if (position === null) return;
      arm();
      follow(position).then(
        () => {
          end();
        },
        (error: unknown) => {
          end(error as Error);
          void stop();
        },
      );
    },
    stop,
    finished: (checkId, runId) => {
      const entry = schedule.get(checkId);
      if (entry) schedule.finished(entry, runId);
    },
    wants: (checkId, runId, underWay) => {
      const entry = schedule.get(checkId);
      return entry?.runId === runId && (schedule.runs(entry) || underWay);
    },
    size: schedule.size,
  };
};
