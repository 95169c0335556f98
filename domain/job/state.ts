import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { JobDefinition, JobEvent } from './events.ts';

/** A job that has not ended. */
export interface OpenJob {
  status: 'queued' | 'started';
  /** whether the run was sent to the queues of its regions */
  offered: boolean;
  id: string;
  /** null if the request contained the definition, so that the job belongs to no stored check */
  checkId: string | null;
  definition: JobDefinition;
  userId: string | null;
}

export type Job = { status: 'absent' } | OpenJob | { status: 'completed' } | { status: 'failed' };

export const { requireAbsent } = lifecycleOf<Job>('job');

export const isOpen = (job: Job): job is OpenJob => job.status === 'queued' || job.status === 'started';

const evolve = (job: Job, event: JobEvent): Job => {
  switch (event.type) {
    case 'JobQueued': {
      const { job_id: id, check_id: checkId, check_parameters: definition, user_id: userId } = event.data;
      return { status: 'queued', offered: false, id, checkId, definition, userId };
    }
    case 'JobOffered':
      if (job.status !== 'queued') throw new Error(`A job with status ${job.status} can't be offered.`);
      return { ...job, offered: true };
    case 'JobStarted':
      if (job.status !== 'queued') throw new Error(`A job with status ${job.status} can't start.`);
      return { ...job, status: 'started', offered: true };
    case 'JobCompleted':
      return { status: 'completed' };
    case 'JobFailed':
      return { status: 'failed' };
    default:
      return unreachable(event);
  }
};

/** The states of an on-demand run: queued → started → completed or failed (docs/reference/jobs.md#states-of-a-job). */
export const jobDecider: Decider<Job, JobEvent> = { category: 'job', initialState: { status: 'absent' }, evolve };
