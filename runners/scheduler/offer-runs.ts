import type { StartRun } from '../../domain/check/run.ts';
import { CreditLimitExceeded } from '../../domain/credits/credits.ts';
import { QueueFull } from '../../stores/work-queue/port.ts';
import type { Clock } from '../../network/clock.ts';
import { expiresAt, maxDurationOf } from '../run-message.ts';
import type { RunInFlight } from './follow-checks.ts';
import { runIdOf } from './slots.ts';
import type { DueRun, Schedule } from './schedule.ts';
import type { SchedulerObserver } from './observer.ts';
import type { CheckSource, ScheduledCheck } from './check-source.ts';

/** Pause before another attempt to offer runs whose definitions could not be read, in milliseconds. */
const RETRY_MS = 1_000;

export interface OfferingDependencies {
  schedule: Schedule;
  checks: Pick<CheckSource, 'get'>;
  startRun: StartRun;
  clock: Pick<Clock, 'now'>;
  observe: SchedulerObserver;
  /** returns the position up to which the schedule has followed the log */
  passed: () => bigint;
  /** Cancels the group of a cancelled run. */
  cancelGroup: (run: RunInFlight & { groupId: string }) => void;
  /** Called after runs were put back into the schedule. */
  changed: () => void;
}

/** Returns why a run is skipped after an error. Returns null if the run must be offered again. */
const reasonOf = (error: unknown): 'refused' | 'unpaid' | null => {
  if (error instanceof QueueFull) return 'refused';
  return error instanceof CreditLimitExceeded ? 'unpaid' : null;
};

/** Creates the functions that offer due runs. */
export const createOffering = (dependencies: OfferingDependencies) => {
  const { schedule, checks, startRun, clock, observe } = dependencies;
  const underWay = new Set<Promise<void>>();
  /**
   * by check id, the id of the run whose most recent offer failed; the queue may contain this run despite the failure
   */
  const failed = new Map<string, string>();

  /** Puts a run that could not be offered back into the schedule, so that it is offered again soon. */
  const giveBack = (run: DueRun, runId: string, error: unknown): void => {
    observe.trouble?.(error);
    failed.set(run.entry.id, runId);
    if (run.entry.runId !== runId) return;
    run.entry.runId = null;
    schedule.putBack(run, clock.now() + RETRY_MS);
    dependencies.changed();
  };

  const offerOne = async (run: DueRun, runId: string, check: ScheduledCheck): Promise<void> => {
    const { entry, slot } = run;
    const { type, url, host, port, timeout, parameters } = check;
    const definition = { type, url, host, port, timeout, parameters };
    const lateness = clock.now() - slot;
    const again = failed.get(entry.id) === runId;
    failed.delete(entry.id);
    try {
      const {
        offered,
        not_after,
        execution_group_id: groupId,
      } = await startRun({
        run_id: runId,
        check_id: check.id,
        organization_id: check.organization_id,
        definition,
        interval: entry.interval,
        slot,
        trigger: { type: 'scheduled' },
        ...(again && { again }),
      });
      // The run may have been cancelled while it was being offered, before its group was known.
      if (entry.runId !== runId && groupId !== null)
        dependencies.cancelGroup({ runId, checkId: entry.id, organizationId: entry.organizationId, groupId });
      const end = { freeAt: expiresAt(not_after, definition), takes: maxDurationOf(definition) };
      schedule.offered(entry, runId, { groupId, regions: offered, ...end }, clock.now());
      observe.offered?.(lateness);
    } catch (error) {
      const reason = reasonOf(error);
      if (!reason) {
        giveBack(run, runId, error);
        return;
      }
      if (entry.runId === runId) entry.runId = null;
      observe.skipped?.(reason, 1);
    }
  };

  const offer = async (runs: readonly DueRun[]): Promise<void> => {
    const claimed = runs.map((run) => {
      const runId = runIdOf(run.entry.id, run.slot);
      schedule.claim(run.entry, runId);
      return { run, runId };
    });
    const ids = runs.map(({ entry }) => entry.id);
    let found: Map<string, ScheduledCheck>;
    try {
      found = new Map((await checks.get(ids, dependencies.passed())).map((check) => [check.id, check]));
    } catch (error) {
      for (const { run, runId } of claimed) giveBack(run, runId, error);
      return;
    }
    await Promise.all(
      claimed.map(async ({ run, runId }) => {
        const check = found.get(run.entry.id);
        // An event may have cancelled this run meanwhile.
        if (run.entry.runId !== runId) return;
        if (check) await offerOne(run, runId, check);
        else run.entry.runId = null;
      }),
    );
  };

  return {
    offer: (runs: readonly DueRun[]): void => {
      const offered: Promise<void> = offer(runs).finally(() => underWay.delete(offered));
      underWay.add(offered);
    },
    /** Resolves when no run is being offered. */
    idle: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
};
