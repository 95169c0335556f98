import type { JobDefinition, JobType } from '../../domain/job/events.ts';
import type { JobResult } from '../../domain/job/result.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * An on-demand run in the form of API responses. The texts of its definition are encrypted, and queries decrypt them.
 */
export interface JobDocument {
  id: string;
  organization_id: string;
  check_id: string | null;
  check_parameters: JobDefinition;
  job_type: JobType;
  status: 'queued' | 'started' | 'completed' | 'failed';
  created_at: Instant;
  started_at: Instant | null;
  completed_at: Instant | null;
  error_message: string | null;
  result: JobResult | null;
}

/** A job without an outcome: an item of the to-do list of the reactor that runs jobs. */
export interface OpenJobDocument {
  /** id of the job */
  id: string;
  organization_id: string;
  check_id: string | null;
  /** `offered` if the run was added to the queues of its regions. */
  status: 'waiting' | 'offered';
  created_at: Instant;
  /** Deadline for the outcome. */
  ends_by: Instant;
  /** Time at which a waiting job must be queued, or an offered job must be ended. */
  due_at: Instant;
  /** Position of the event that created the job or changed its due time. */
  changed_position: number;
}
