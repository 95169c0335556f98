import type { StartRun } from '../../domain/check/run.ts';
import { LEAST_CREDITS } from '../../domain/credits/charges.ts';
import type { Credits } from '../../domain/credits/credits.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Clock } from '../../network/clock.ts';
import { createFollower, type RunInFlight } from './follow.ts';
import type { SchedulerObserver } from './observer.ts';
import { createOffering } from './offer.ts';
import { createSchedule } from './schedule.ts';
import type { CheckSource } from './source.ts';

/** The timer fires at least this often, so a change of the clock is noticed. */
const MAX_SLEEP_MS = 10_000;
/** Pauses before checks that could not be loaded are read again. */
const LOAD_RETRY_MS = 1_000;
/** Runs offered in one go before other work gets its turn. */
const BATCH = 500;

export interface SchedulerDependencies {
  /** the read models `checks` and `check_groups` */
  checks: CheckSource;
  /** the main log */
  log: Pick<EventStore, 'subscribe'>;
  startRun: StartRun;
  /** asked before a check is read, so those of an organization without credits cost nothing */
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
   * Loads the checks and begins to offer runs; resolves once it has begun. While the read model can't
   * be read, as during its first build, it is read again every second until the scheduler is stopped.
   */
  start: () => Promise<void>;
  /** Offers nothing more. */
  stop: () => Promise<void>;
  /** Resolves after `stop`; rejects when the log could not be followed, which stops the scheduler. */
  readonly ended: Promise<void>;
  /** A run ended in one region, with or without a result; after the last one its check may run again. */
  finished: (checkId: string, runId: string) => void;
  /** Whether a scheduled run may begin or, once under way, its result still counts: also for a paused check. */
  wants: (checkId: string, runId: string, underWay: boolean) => boolean;
  size: () => number;
}

/**
 * Offers the runs of each check that is active, as is its group, when they fall due: one heap, one timer, never two
 * runs of one check in flight (design.md: Running checks). A check runs at once when it is created, activated or
 * given another target, otherwise on its grid; after a restart only those run at once that never ran.
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
  // Whoever awaits the end receives the failure; nobody has to.
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
    const paid = runs.filter(({ entry }) => dependencies.credits.canPay(entry.organizationId, LEAST_CREDITS));
    if (paid.length < runs.length) observe.skipped?.('unpaid', runs.length - paid.length);
    if (paid.length > 0) offering.offer(paid);
    arm();
  };

  /** @returns the position that was loaded; null if the scheduler was stopped first */
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
