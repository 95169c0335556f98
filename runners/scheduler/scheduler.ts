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

/** Maximum timer delay, milliseconds, so that a change of the clock is noticed. */
const MAX_SLEEP_MS = 10_000;
/** Pause before checks that could not be loaded are read again, milliseconds. */
const LOAD_RETRY_MS = 1_000;
/** Maximum runs offered before yielding to other work. */
const BATCH = 500;

export interface SchedulerDependencies {
  /** the read models `checks` and `check_groups` */
  checks: CheckSource;
  /** the main log */
  log: Pick<EventStore, 'subscribe'>;
  startRun: StartRun;
  /** called before a check is read, so that checks of an organization without credits cost nothing */
  credits: Pick<Credits, 'canPay'>;
  clock: Clock;
  /** Ends a run in flight whose check was deleted or changed. */
  cancel?: (runId: string) => void;
  /** Cancels the group of such a run. */
  cancelGroup?: (run: RunInFlight & { groupId: string }) => void;
  observe?: SchedulerObserver;
}

export interface Scheduler {
  /**
   * Loads the checks and starts offering runs; resolves once it has started. While the read model is unreadable, for
   * example during its first build, it is retried every second until the scheduler is stopped.
   */
  start: () => Promise<void>;
  /** Stops offering runs. */
  stop: () => Promise<void>;
  /** Resolves after `stop`; rejects if the log could not be followed, which stops the scheduler. */
  readonly ended: Promise<void>;
  /** A run ended in one region, with or without a result; after the last region its check may run again. */
  finished: (checkId: string, runId: string) => void;
  /**
   * Whether a scheduled run may start or, if it has started, whether its result still counts, even for a paused check.
   */
  wants: (checkId: string, runId: string, underWay: boolean) => boolean;
  size: () => number;
}

/**
 * Offers the runs of active checks in active groups when they are due: one heap, one timer, never two runs of one check
 * in flight (docs/develop/runners.md#scheduler). A check runs immediately when it is created, activated or given another
 * target, otherwise at its slots; after a restart only checks that never ran start immediately.
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
  // The failure reaches callers that await `ended`; without one, it must not be unhandled.
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

  /** @returns the loaded position; null if the scheduler was stopped first */
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
