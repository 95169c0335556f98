import { NotFound } from '../domain/errors.ts';
import { completeJob } from '../domain/job/decide.ts';
import type { JobResult } from '../domain/job/result.ts';
import { instantOf } from '../domain/time.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { changeWork, type ChangeItem, type ChangeList } from './engine/changes.ts';
import { endJob, jobContext } from './job-end.ts';
import type { Reactor, TodoProjection } from './engine/loop.ts';

const NAME = 'job-results';

/** An item of the to-do list `job_outcomes`: what came of the run of a job, once it has ended. */
export interface JobOutcomeItem extends ChangeItem {
  job_id: string;
  organization_id: string;
  result: JobResult | null;
}

export interface JobResultsDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  list: ChangeList<JobOutcomeItem>;
  todo: TodoProjection;
}

/** Completes jobs with what came of their runs; also those whose results came before it was first active. */
export const jobResultsReactor = ({ handle, clock, list, todo }: JobResultsDependencies): Reactor => ({
  name: NAME,
  countsEarlier: true,
  todo,
  work: changeWork(NAME, todo, list, completeJobs({ handle, clock })),
});

const completeJobs =
  ({ handle, clock }: Pick<JobResultsDependencies, 'handle' | 'clock'>) =>
  async (item: JobOutcomeItem): Promise<void> => {
    const { job_id: id, organization_id, result } = item;
    if (!result) return;
    const context = jobContext(NAME, 'end', { id, organization_id }, { now: instantOf(clock()) });
    try {
      await endJob({ handle }, id, (job) => completeJob(job, result), context);
    } catch (error) {
      // A result that names a job of another organization is nobody's.
      if (!(error instanceof NotFound)) throw error;
    }
  };
