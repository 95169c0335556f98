import { NotFound } from '../domain/errors.ts';
import { completeJob } from '../domain/job/decide.ts';
import type { JobResult } from '../domain/job/result.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { changeWork } from './engine/changes.ts';
import { done, type Ending } from './engine/ending.ts';
import type { ChangeList, TodoProjection, ListItem } from './engine/lists.ts';
import type { Reactor } from './engine/loop.ts';
import { endJob, jobContext } from './job-end.ts';

export const JOB_RESULTS = 'job-results';

/** An item of the to-do list `job_outcomes`: the outcome of the run of a job, once it has ended. */
export interface JobOutcomeItem extends ListItem {
  job_id: string;
  organization_id: string;
  result: JobResult | null;
  /** when it was there */
  at: Instant;
}

export interface JobResultsDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  list: ChangeList<JobOutcomeItem>;
  todo: TodoProjection;
}

/** Completes jobs with the outcomes of their runs, including results from before it was first active. */
export const jobResultsReactor = ({ handle, clock, list, todo }: JobResultsDependencies): Reactor => ({
  name: JOB_RESULTS,
  countsEarlier: true,
  todo,
  work: changeWork(JOB_RESULTS, todo, list, completeJobs({ handle, clock }), { changedAt: ({ at }) => at }),
});

const completeJobs =
  ({ handle, clock }: Pick<JobResultsDependencies, 'handle' | 'clock'>) =>
  async (item: JobOutcomeItem): Promise<Ending> => {
    const { job_id: id, organization_id, result } = item;
    if (!result) return done();
    const context = jobContext(JOB_RESULTS, 'end', { id, organization_id }, { now: instantOf(clock()) });
    try {
      await endJob({ handle }, id, (job) => completeJob(job, result), context);
    } catch (error) {
      // A result that names a job of another organization is ignored.
      if (!(error instanceof NotFound)) throw error;
    }
    return done();
  };
