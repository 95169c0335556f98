import { NotFound } from '../domain/errors.ts';
import { completeJob } from '../domain/job/decide.ts';
import { instantOf } from '../domain/time.ts';
import { jobOutcomes } from '../projections/job-outcomes/projection.ts';
import { defineReactor } from './engine/define.ts';
import { done } from './engine/item-result.ts';
import { changed } from './engine/list-declarations.ts';
import { endJob, jobContext } from './job-end.ts';

const JOB_RESULTS = 'job-results';

/** Completes each job with the outcome of its run. Includes runs from before the reactor was first active. */
export const jobResults = defineReactor({
  name: JOB_RESULTS,
  does: 'completes jobs with the outcomes of their runs',
  countsEarlier: true,
  list: changed(jobOutcomes, 'job_outcomes', { changedAt: ({ at }) => at }),
  act: async ({ job_id: id, organization_id, result }, { handle, clock }) => {
    if (!result) return done();
    const context = jobContext(JOB_RESULTS, 'end', { id, organization_id }, { now: instantOf(clock()) });
    try {
      await endJob({ handle }, id, (job) => completeJob(job, result), context);
    } catch (error) {
      // Ignore a result that names a job of another organization.
      if (!(error instanceof NotFound)) throw error;
    }
    return done();
  },
});
