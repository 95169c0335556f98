import { startedGroup, timedOut, withResult, type ExecutionGroup } from '../../domain/execution-group/state.ts';
import { groupResultOf, singleResultOf, type JobResult } from '../../domain/job/result.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/**
 * The outcome of a job's run. When the run has ended, the document becomes an item of the to-do list of the reactor
 * that completes jobs (reactors/job-results.ts).
 */
export interface JobOutcomeDocument {
  /** Id of the execution group for a parallel run. Otherwise id of the job. */
  id: string;
  job_id: string;
  organization_id: string;
  /** A parallel run that waits for results of regions. Null after its end. */
  running: ExecutionGroup | null;
  /** Null while the run lasts. */
  result: JobResult | null;
  /** Time at which the result was recorded. Before that, the start of the parallel run. */
  at: Instant;
  /** Position of the event that ended the run. 0 while the run lasts. */
  changed_position: number;
}

/** Stores a running execution group, or its outcome if the group has ended. */
const followed = (
  known: JobOutcomeDocument,
  group: ExecutionGroup,
  position: bigint,
  job_outcomes: Model<JobOutcomeDocument>,
): void => {
  if (group === known.running) return;
  if (group.status === 'running') {
    job_outcomes.put({ ...known, running: group });
    return;
  }
  job_outcomes.put({
    ...known,
    running: null,
    result: groupResultOf(group),
    at: group.completed_at ?? group.timeout_at,
    changed_position: Number(position),
  });
};

/** The outcomes of on-demand runs, without duplicates. */
export const jobOutcomes = defineProjection({
  name: 'job_outcomes',
  version: 4,
  log: 'results',
  collections: {
    job_outcomes: collection<JobOutcomeDocument>({
      indexes: [{ changed_position: 1 }],
      expires: { field: 'at' },
    }),
  },
  documents: ({ type, data }) => {
    if (type === 'CheckRunCompleted' && data.execution_id === undefined) return {};
    const id = data.execution_group_id ?? (type === 'CheckRunCompleted' ? data.execution_id : undefined);
    return id === undefined ? {} : { job_outcomes: [id] };
  },
  on: {
    ExecutionGroupStarted: ({ data, metadata }, { job_outcomes }) => {
      const { execution_group_id: id, execution_id: job_id, organization_id } = data;
      // A run that could not be queued is started again with the same group, so the document might exist already.
      if (job_id === undefined || job_outcomes.get(id)) return;
      const { recorded_at: at } = metadata;
      const running = startedGroup(data, at);
      job_outcomes.put({ id, job_id, organization_id, running, result: null, at, changed_position: 0 });
    },
    CheckRunCompleted: ({ data, metadata, position }, { job_outcomes }) => {
      const { execution_id: job_id, execution_group_id, organization_id } = data;
      if (job_id === undefined) return;
      const { recorded_at: at } = metadata;
      if (execution_group_id === undefined) {
        if (job_outcomes.get(job_id)) return;
        const result = singleResultOf(data);
        const changed_position = Number(position);
        job_outcomes.put({ id: job_id, job_id, organization_id, running: null, result, at, changed_position });
        return;
      }
      const known = job_outcomes.get(execution_group_id);
      if (known?.running) followed(known, withResult(known.running, data, at), position, job_outcomes);
    },
    ExecutionGroupTimedOut: ({ data, position }, { job_outcomes }) => {
      const known = job_outcomes.get(data.execution_group_id);
      if (known?.running) followed(known, timedOut(known.running, data.unserved), position, job_outcomes);
    },
  },
});
