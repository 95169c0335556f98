import type { Logger } from 'pino';
import type { Handle } from '../../commands/engine/handle.ts';
import { jobContext } from '../../reactors/job-end.ts';
import { startJob } from '../../domain/job/decide.ts';
import { jobDecider } from '../../domain/job/state.ts';
import { instantOf } from '../../domain/time.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { findCheckOfAny } from '../../queries/checks/all-checks.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { WorkerDependencies } from '../../runners/worker/worker.ts';
import { sameDefinition } from '../../domain/check/same-definition.ts';

export interface RunsOnDemandOptions {
  handle: Handle;
  readers: Pick<Readers, 'for'>;
  /** returns milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Returns additional steps for runs on demand. Before a run, the worker starts the job of the run. After the run, the
 * worker records on the result whether the check was changed during the run. The run continues even if one of these
 * steps fails.
 */
export const runsOnDemand = ({
  handle,
  readers,
  clock,
  logger,
}: RunsOnDemandOptions): Required<Pick<WorkerDependencies, 'began' | 'outdated'>> => {
  const read = readers.for({ appended: new Map() });

  return {
    began: async (run) => {
      const { execution_id: id, organization_id } = messageOf(run);
      if (id === null) return;
      const context = jobContext('runner', 'start', { id, organization_id }, { now: instantOf(clock()) });
      try {
        await handle(id, jobDecider, startJob, context);
      } catch (error) {
        logger.warn({ err: error, job: id }, 'the start of a job could not be stored');
      }
    },
    outdated: async (run) => {
      const { check_id: id, execution_id, definition } = messageOf(run);
      if (id === null || execution_id === null) return false;
      try {
        const check = await findCheckOfAny({ read }, id);
        return !check || !sameDefinition(check, definition);
      } catch (error) {
        logger.warn({ err: error, check: id }, 'cannot determine whether a check was changed during its run');
        return false;
      }
    },
  };
};
