import type { Credits } from '../../domain/credits/credits.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { Scheduler } from '../../runners/scheduler/scheduler.ts';
import type { RunStage } from '../../runners/worker/worker.ts';
import type { QueuedRun } from '../../stores/work-queue/port.ts';

/** The functions of a scheduler that a link uses. */
export type LinkedScheduler = Pick<Scheduler, 'wants' | 'finished'>;

/** Passes notifications between the scheduler and the workers, in one process or in several. */
export interface RunLink {
  /**
   * Returns whether a run may begin, or whether its result still counts. Only scheduled runs depend on the present
   * state of the check.
   */
  wanted: (run: QueuedRun, at: RunStage) => boolean | Promise<boolean>;
  /** Called when a worker has finished a run, with a stored result or without a result. */
  finished: (run: QueuedRun, outcome: 'stored' | 'none') => void;
  /** Called when a run in progress is no longer needed. */
  cancel: (runId: string) => void;
  /**
   * Attaches an active scheduler.
   *
   * @returns a function that detaches the scheduler
   */
  attachScheduler: (scheduler: LinkedScheduler) => () => Promise<void>;
  /**
   * Attaches an active worker.
   *
   * @returns a function that detaches the worker
   */
  attachWorker: (worker: { cancel: (runId: string) => void }) => () => void;
}

/** Records metrics of the link. */
export interface LinkObserver {
  /** Called when a result was stored again under the same id. */
  repeated: () => void;
}

/**
 * Returns whether a run has begun. A run that has begun is completed, and its result counts, even if its check is
 * paused in the meantime. A multi-region run has begun in all its regions as soon as its group has begun.
 */
export const isUnderWay = (run: QueuedRun, at: RunStage): boolean =>
  at === 'store' || messageOf(run).execution_group_id !== null;

/** Links the scheduler, the workers and the credit tally within one process. */
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
      // Do not detach the scheduler. After its stop, it still knows which runs were wanted, and this is needed for
      // results that are being stored.
      return async () => undefined;
    },
    attachWorker: (worker) => {
      workers.add(worker);
      return () => workers.delete(worker);
    },
  };
};
