import type { StartedGroup } from '../domain/check/run.ts';
import { groupIdOf } from '../domain/execution-group/events.ts';
import type { JobResult } from '../domain/job/result.ts';
import { runIdOf } from '../domain/job/run.ts';
import { millisecondsOf } from '../domain/time.ts';
import { markLog } from '../projections/engine/feed/log-marks.ts';
import type { Readers } from '../projections/engine/readers.ts';
import { jobOutcomes, type JobOutcomeDocument } from '../projections/job-outcomes/projection.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/** The state of the run of a job, according to the results log. `silent`: the log contains nothing about the run. */
export type JobRunProgress =
  | { status: 'silent' }
  /** a run in several regions, some of which have not reported */
  | { status: 'running'; group: StartedGroup }
  | { status: 'ended'; result: JobResult };

/**
 * Creates a function that returns a reader of the progress of runs. The reader sees all results that were stored before
 * the function was called.
 */
export const createJobRunProgress =
  (results: EventStore, readers: Pick<Readers, 'for'>) =>
  async (): Promise<(jobId: string) => Promise<JobRunProgress>> => {
    // The reader waits until the read model has folded this marker event, and therefore every result stored before it.
    const position = await markLog(results, Date.now());
    const { job_outcomes } = readers.for({ appended: new Map([[results.name, position]]) })(jobOutcomes);
    return async (jobId) => {
      const [outcome] = await job_outcomes.getMany([jobId, groupIdOf(runIdOf(jobId))]);
      return outcome ? soFar(outcome) : { status: 'silent' };
    };
  };

const soFar = ({ result, running }: JobOutcomeDocument): JobRunProgress => {
  if (result) return { status: 'ended', result };
  if (!running) return { status: 'silent' };
  const reported = running.regional_results.map(({ region }) => region);
  return { status: 'running', group: { deadline: millisecondsOf(running.timeout_at), answered: reported } };
};
