import type { Credits } from '../../domain/credits/credits.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { Scheduler } from '../../runners/scheduler/scheduler.ts';
import type { RunStage } from '../../runners/worker/worker.ts';
import type { QueuedRun } from '../../stores/work-queue/port.ts';

/** What others need from a scheduler. */
export type LinkedScheduler = Pick<Scheduler, 'wants' | 'finished'>;

/** Notifications between the scheduler and the workers, in one process or in several. */
export interface RunLink {
  /**
   * Whether a run may begin, or its result still counts: only scheduled runs depend on the present state of the check.
   */
  wanted: (run: QueuedRun, at: RunStage) => boolean | Promise<boolean>;
  /** A worker is done with a run: its result is stored, or it has none. */
  finished: (run: QueuedRun, outcome: 'stored' | 'none') => void;
  /** A run in flight is no longer needed. */
  cancel: (runId: string) => void;
  /** Attaches an active scheduler. @returns detaches it */
  attachScheduler: (scheduler: LinkedScheduler) => () => Promise<void>;
  /** Attaches an active worker. @returns detaches it */
  attachWorker: (worker: { cancel: (runId: string) => void }) => () => void;
}

/** Metrics of the link. */
export interface LinkObserver {
  /** A result was stored again under the same id. */
  repeated: () => void;
}

/**
 * Whether a run has begun: it then completes and counts even if its check is paused meanwhile. A multi-region run is
 * under way in all its regions from the beginning of its group.
 */
export const isUnderWay = (run: QueuedRun, at: RunStage): boolean =>
  at === 'store' || messageOf(run).execution_group_id !== null;

/** Links the scheduler, the workers and the credit tally of one process. */
export const createLocalLink = (credits: Pick<Credits, 'settle'>): RunLink => {
  let scheduler: LinkedScheduler | null = null;
  const workers = new Set<{ cancel: (runId: string) => void }>();
  return {
    wanted: (run, at) => {
      const { check_id, result_type } = messageOf(run);
      if (check_id === null || result_type === 'on_demand') return true;
      return scheduler?.wants(check_id, run.run_id, isUnderWay(run, at)) ?? false;
    },
    finished: (run, outcome) => {
      credits.settle(run.run_id, run.region, outcome);
      const { check_id } = messageOf(run);
      if (check_id !== null) scheduler?.finished(check_id, run.run_id);
    },
    cancel: (runId) => {
      for (const worker of workers) worker.cancel(runId);
    },
    attachScheduler: (attached) => {
      scheduler = attached;
      // A stopped scheduler still knows which runs were wanted, for results that are being stored.
      return async () => undefined;
    },
    attachWorker: (worker) => {
      workers.add(worker);
      return () => workers.delete(worker);
    },
  };
};
