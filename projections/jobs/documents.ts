import type { JobDefinition, JobType } from '../../domain/job/events.ts';
import type { JobResult } from '../../domain/job/result.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * An on-demand run in the API's representation, except the encrypted texts of its definition, which queries decrypt.
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
  /** `offered`: its run was added to the queues of its regions */
  status: 'waiting' | 'offered';
  created_at: Instant;
  /** the deadline of its outcome */
  ends_by: Instant;
  /** when it is due: a waiting job to be queued, an offered one to be ended */
  due_at: Instant;
  /** position of the event that created it or changed its due time */
  changed_position: number;
}
