import { multiRegionOf } from '../check/multi-region.ts';
import { START_GRACE_MS, timeLimitOf } from '../check/run.ts';
import { GROUP_GRACE_MS, STORING_GRACE_MS } from '../execution-group/events.ts';
import { derivedId } from '../identity.ts';
import { later, SECOND_MS, type Instant } from '../time.ts';
import type { JobDefinition } from './events.ts';

/** Returns the id of a job's run. It is derived from the job, so that a repeated dispatch starts the same run. */
export const runIdOf = (jobId: string): string => derivedId(`run of job ${jobId}`);

/**
 * Returns the name of the key that seals the secrets of a definition from a request, which belongs to no stored check.
 */
export const jobKey = (jobId: string): string => `job-${jobId}`;

/** Whether a job runs in several regions, and therefore has an execution group. */
export const isParallel = ({ parameters }: Pick<JobDefinition, 'parameters'>): boolean =>
  multiRegionOf(parameters)?.enabled === true;

type TimeLimited = Pick<JobDefinition, 'type' | 'timeout' | 'parameters'>;

/** Returns the latest time at which a job's run may start. */
export const latestStartOf = (createdAt: Instant): Instant => later(createdAt, START_GRACE_MS);

/** Returns the deadline of a job. By then, the outcome is stored even if the run starts at the latest possible time. */
export const latestEndOf = (createdAt: Instant, definition: TimeLimited): Instant => {
  const grace = isParallel(definition) ? GROUP_GRACE_MS + STORING_GRACE_MS : 0;
  return later(latestStartOf(createdAt), timeLimitOf(definition) + grace + STORING_GRACE_MS);
};

/** The error message of a job whose check was deleted before there was a result. */
export const CHECK_DELETED = 'The check was deleted.';

/** Returns the error message of a job that no runner accepted in time (docs/reference/jobs.md#deadlines-of-a-job). */
export const hasExpired = (definition: TimeLimited): string =>
  `The run waited longer than ${(timeLimitOf(definition) + START_GRACE_MS) / SECOND_MS} seconds for a runner and was given up.`;
