import { QueueFull, type WorkQueue } from '../../stores/work-queue/port.ts';
import type { Clock } from '../clock.ts';
import { START_GRACE_MS, type RunMessage } from '../run-message.ts';
import { regionOfSlot, runIdOf } from './grid.ts';
import type { DueRun, Schedule } from './schedule.ts';
import type { SchedulerObserver } from './scheduler.ts';
import type { CheckSource, ScheduledCheck } from './source.ts';

/** When runs whose definitions could not be read are tried again. */
const RETRY_MS = 1_000;

export interface OfferingDependencies {
  schedule: Schedule;
  checks: Pick<CheckSource, 'get'>;
  queue: Pick<WorkQueue, 'offer'>;
  clock: Pick<Clock, 'now'>;
  observe: SchedulerObserver;
  /** the position up to which the schedule has followed the log */
  passed: () => bigint;
  /** Called when runs were put back. */
  changed: () => void;
}

/** When a run that is never heard of again stops counting as in flight: it may be repeated once. */
const freeAtOf = (notAfter: number, timeout: number): number => notAfter + 2 * timeout * 1_000 + 1_000;

/** Offers runs that have fallen due to the queues of their regions. */
export const createOffering = (dependencies: OfferingDependencies) => {
  const { schedule, checks, queue, clock, observe } = dependencies;
  const underWay = new Set<Promise<void>>();

  /** What could not be offered is tried again soon. */
  const giveBack = (run: DueRun, runId: string, error: unknown): void => {
    observe.trouble?.(error);
    if (run.entry.runId !== runId) return;
    run.entry.runId = null;
    schedule.putBack(run, clock.now() + RETRY_MS);
    dependencies.changed();
  };

  const offerOne = async (run: DueRun, runId: string, check: ScheduledCheck): Promise<void> => {
    const { entry, slot } = run;
    const { type, url, host, port, timeout, parameters } = check;
    const payload: RunMessage = {
      check_id: check.id,
      organization_id: check.organization_id,
      slot,
      result_type: 'regular',
      execution_id: null,
      execution_group_id: null,
      answer_by: null,
      definition: { type, url, host, port, timeout, parameters },
    };
    const notAfter = slot + timeout * 1_000 + START_GRACE_MS;
    entry.freeAt = freeAtOf(notAfter, timeout);
    const region = regionOfSlot(entry.regions, entry.interval, slot);
    const lateness = clock.now() - slot;
    try {
      await queue.offer({ run_id: runId, region, not_after: notAfter, payload });
      observe.offered?.(lateness);
    } catch (error) {
      if (!(error instanceof QueueFull)) {
        giveBack(run, runId, error);
        return;
      }
      if (entry.runId === runId) entry.runId = null;
      observe.skipped?.('refused', 1);
    }
  };

  const offer = async (runs: readonly DueRun[]): Promise<void> => {
    const claimed = runs.map((run) => {
      const runId = runIdOf(run.entry.id, run.slot);
      run.entry.runId = runId;
      run.entry.freeAt = Infinity;
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
        // Meanwhile the log may have said that this run is not wanted any more.
        if (run.entry.runId !== runId) return;
        if (check?.active) await offerOne(run, runId, check);
        else run.entry.runId = null;
      }),
    );
  };

  return {
    offer: (runs: readonly DueRun[]): void => {
      const offered: Promise<void> = offer(runs).finally(() => underWay.delete(offered));
      underWay.add(offered);
    },
    /** Resolves when nothing is being offered. */
    idle: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
};
