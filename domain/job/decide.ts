import type { JobDefinition, JobEvent } from './events.ts';
import type { JobResult } from './result.ts';
import { runIdOf } from './run.ts';
import { isOpen, requireAbsent, type Job } from './state.ts';

export interface NewJob {
  id: string;
  organizationId: string;
  /** null if the request contained the definition, so that the job belongs to no stored check */
  checkId: string | null;
  definition: JobDefinition;
  /** the user who requested the job; null if the API key belongs to no user */
  userId: string | null;
}

/** Queues an on-demand run. @throws Conflict the job already exists */
export const queueJob = (job: Job, { id, organizationId, checkId, definition, userId }: NewJob): JobEvent => {
  requireAbsent(job);
  return {
    type: 'JobQueued',
    data: {
      job_id: id,
      organization_id: organizationId,
      job_type: checkId === null ? 'custom_check' : 'existing_check',
      check_id: checkId,
      check_parameters: definition,
      user_id: userId,
    },
  };
};

/**
 * Records that the run of a job was sent to its regions. Returns no event if this is already recorded, or if the job
 * has ended.
 */
export const dispatchJob = (job: Job): JobEvent[] =>
  isOpen(job) && !job.offered ? [{ type: 'JobOffered', data: { job_id: job.id, run_id: runIdOf(job.id) } }] : [];

/** Records that a runner has started a job. Returns no event if the job was already started, or has ended. */
export const startJob = (job: Job): JobEvent[] =>
  job.status === 'queued' ? [{ type: 'JobStarted', data: { job_id: job.id, run_id: runIdOf(job.id) } }] : [];

/** Ends a job with the result of its run. Returns no event if the job has already ended. */
export const completeJob = (job: Job, result: JobResult): JobEvent[] =>
  isOpen(job) ? [{ type: 'JobCompleted', data: { job_id: job.id, result } }] : [];

/** Ends a job that could not run, with an error message. Returns no event if the job has already ended. */
export const failJob = (job: Job, sentence: string): JobEvent[] =>
  isOpen(job) ? [{ type: 'JobFailed', data: { job_id: job.id, error_message: sentence } }] : [];
