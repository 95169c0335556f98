import type { JobDefinition, JobEvent } from './events.ts';
import type { JobResult } from './result.ts';
import { runIdOf } from './run.ts';
import { isOpen, requireAbsent, type Job } from './state.ts';

export interface NewJob {
  id: string;
  organizationId: string;
  /** null for a definition that is not stored */
  checkId: string | null;
  definition: JobDefinition;
  /** who requested it; null if no person's key did */
  userId: string | null;
}

/** Accepts a run on demand. @throws Conflict the job exists already */
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

/** Hands the run of a job over to its regions; nothing changes if that was done before, or the job has an outcome. */
export const offerJob = (job: Job): JobEvent[] =>
  isOpen(job) && !job.offered ? [{ type: 'JobOffered', data: { job_id: job.id, run_id: runIdOf(job.id) } }] : [];

/** A runner has begun with a job; nothing changes if it was started before, or has an outcome. */
export const startJob = (job: Job): JobEvent[] =>
  job.status === 'queued' ? [{ type: 'JobStarted', data: { job_id: job.id, run_id: runIdOf(job.id) } }] : [];

/** Ends a job with the outcome of its run; a job that has an outcome keeps it. */
export const completeJob = (job: Job, result: JobResult): JobEvent[] =>
  isOpen(job) ? [{ type: 'JobCompleted', data: { job_id: job.id, result } }] : [];

/** Ends a job that could not be run, with a sentence; a job that has an outcome keeps it. */
export const failJob = (job: Job, sentence: string): JobEvent[] =>
  isOpen(job) ? [{ type: 'JobFailed', data: { job_id: job.id, error_message: sentence } }] : [];
