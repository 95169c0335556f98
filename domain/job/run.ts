import { parallelOf } from '../check/parallel.ts';
import { START_GRACE_MS, timeLimitOf } from '../check/run.ts';
import { GROUP_GRACE_MS, STORING_GRACE_MS } from '../execution-group/events.ts';
import { derivedId } from '../identity.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import type { JobDefinition } from './events.ts';

/** The run of a job; derived from the job, so offering it again gives the same results. */
export const runIdOf = (jobId: string): string => derivedId(`run of job ${jobId}`);

/** Name of the key that seals the texts of a definition that is not stored. */
export const jobKey = (jobId: string): string => `job-${jobId}`;

/** Whether a job runs in several regions at once, and so makes an execution group. */
export const isParallel = ({ parameters }: Pick<JobDefinition, 'parameters'>): boolean =>
  parallelOf(parameters)?.enabled === true;

type TimeLimited = Pick<JobDefinition, 'type' | 'timeout' | 'parameters'>;

/** Until when the run of a job may begin. */
export const beginsBy = (createdAt: Instant): Instant => instantOf(millisecondsOf(createdAt) + START_GRACE_MS);

/**
 * When a job must have its outcome: a run that began at the last moment has ended by then, so has the group
 * of several regions, and the outcome is stored.
 */
export const endsBy = (createdAt: Instant, definition: TimeLimited): Instant => {
  const waiting = isParallel(definition) ? GROUP_GRACE_MS + STORING_GRACE_MS : 0;
  const begun = millisecondsOf(beginsBy(createdAt));
  return instantOf(begun + timeLimitOf(definition) + waiting + STORING_GRACE_MS);
};

/** Why a job fails if its check was deleted before it had a result. */
export const CHECK_DELETED = 'The check was deleted.';

/** Why a job fails that no runner took in time (decisions.md: Checks). */
export const waitedTooLong = (definition: TimeLimited): string =>
  `The run waited longer than ${((timeLimitOf(definition) + START_GRACE_MS) / 1_000).toString()} seconds for a runner and was given up.`;
