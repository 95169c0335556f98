import { multiRegionOf } from '../check/multi-region.ts';
import { START_GRACE_MS, timeLimitOf } from '../check/run.ts';
import { GROUP_GRACE_MS, STORING_GRACE_MS } from '../execution-group/events.ts';
import { derivedId } from '../identity.ts';
import { later, SECOND_MS, type Instant } from '../time.ts';
import type { JobDefinition } from './events.ts';

/** The id of a job's run, derived from the job, so that sending it again gives the same results. */
export const runIdOf = (jobId: string): string => derivedId(`run of job ${jobId}`);

/** Name of the key that seals the texts of a definition without a check. */
export const jobKey = (jobId: string): string => `job-${jobId}`;

/** Whether a job runs in several regions, and so has an execution group. */
export const isParallel = ({ parameters }: Pick<JobDefinition, 'parameters'>): boolean =>
  multiRegionOf(parameters)?.enabled === true;

type TimeLimited = Pick<JobDefinition, 'type' | 'timeout' | 'parameters'>;

/** The latest start of a job's run. */
export const latestStartOf = (createdAt: Instant): Instant => later(createdAt, START_GRACE_MS);

/**
 * The deadline of a job: by then, a run that started as late as possible has ended, as has its group, and the outcome is
 * stored.
 */
export const latestEndOf = (createdAt: Instant, definition: TimeLimited): Instant => {
  const grace = isParallel(definition) ? GROUP_GRACE_MS + STORING_GRACE_MS : 0;
  return later(latestStartOf(createdAt), timeLimitOf(definition) + grace + STORING_GRACE_MS);
};

/** Why a job fails if its check was deleted before it had a result. */
export const CHECK_DELETED = 'The check was deleted.';

/** Why a job that no runner accepted in time fails (docs/reference/jobs.md#deadlines-of-a-job). */
export const hasExpired = (definition: TimeLimited): string =>
  `The run waited longer than ${(timeLimitOf(definition) + START_GRACE_MS) / SECOND_MS} seconds for a runner and was given up.`;
