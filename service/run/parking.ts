import type { Logger } from 'pino';
import { parkCheck } from '../../commands/checks/checks.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { Handle } from '../../commands/engine/handle.ts';
import { endJob, jobContext } from '../../reactors/job-end.ts';
import { CRASHED_PROBE_PROCESS } from '../../domain/check/parking.ts';
import { failJob } from '../../domain/job/decide.ts';
import { instantOf } from '../../domain/time.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { WorkerDependencies } from '../../runners/worker/worker.ts';

export interface ParkingOptions {
  handle: Handle;
  /** returns milliseconds since 1970 */
  clock: () => number;
  logger: Pick<Logger, 'error'>;
}

/**
 * Returns a function that parks the check of a run that ended its process twice. The check is parked for all runners,
 * and stays parked after restarts. If the run was on demand, its job fails.
 */
export const parking =
  ({ handle, clock, logger }: ParkingOptions): NonNullable<WorkerDependencies['endedProcesses']> =>
  async (run, { id: region }, cause) => {
    const { run_id } = run;
    const { check_id, execution_id, organization_id, definition } = messageOf(run);
    const now = instantOf(clock());
    if (check_id !== null) {
      const context = reactorContext('runner', {
        organizationId: organization_id,
        correlationId: run_id,
        commandId: derivedUuid(`park/${run_id}/${region}`),
        now,
      });
      await parkCheck({ handle })(check_id, { run_id, region, definition, at: now, cause }, context);
      logger.error({ checkId: check_id, region }, `a check is parked until it is changed or released: ${cause}`);
    }
    if (execution_id === null) return;
    const context = jobContext('runner', 'end', { id: execution_id, organization_id }, { now });
    await endJob({ handle }, execution_id, (job) => failJob(job, CRASHED_PROBE_PROCESS), context);
  };
