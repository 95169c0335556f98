import type { RecordedEventOf } from '../../domain/event-types.ts';
import { latestEndOf } from '../../domain/job/run.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type { JobDocument, OpenJobDocument } from './documents.ts';

/** Maximum number of waiting jobs of a deleted check that are ended immediately. All others end when they are due. */
const AT_ONCE = 1_000;

const ended = (
  { data, metadata }: RecordedEventOf<'JobCompleted' | 'JobFailed'>,
  { jobs, open_jobs }: { jobs: Model<JobDocument>; open_jobs: Model<OpenJobDocument> },
  outcome: Pick<JobDocument, 'status'> & Partial<Pick<JobDocument, 'result' | 'error_message'>>,
): void => {
  const job = jobs.get(data.job_id);
  if (job) jobs.put({ ...job, completed_at: metadata.recorded_at, ...outcome });
  open_jobs.delete(data.job_id);
};

const offered = (
  { data: { job_id }, position }: RecordedEventOf<'JobOffered' | 'JobStarted'>,
  open_jobs: Model<OpenJobDocument>,
): void => {
  const open = open_jobs.get(job_id);
  if (open) open_jobs.put({ ...open, status: 'offered', due_at: open.ends_by, changed_position: Number(position) });
};

/** On-demand runs, and the to-do list of unfinished runs. Jobs are not removed when their check is deleted. */
export const jobs = defineProjection({
  name: 'jobs',
  version: 3,
  log: 'main',
  collections: {
    jobs: collection<JobDocument>({ indexes: [{ organization_id: 1, created_at: -1, status: 1 }] }),
    open_jobs: collection<OpenJobDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }, { check_id: 1 }] }),
  },
  documents: (event) =>
    event.type === 'CheckDeleted' ? {} : { jobs: [event.data.job_id], open_jobs: [event.data.job_id] },
  searches: {
    CheckDeleted: ({ data }) => ({ open_jobs: { where: { check_id: data.check_id }, limit: AT_ONCE } }),
  },
  on: {
    JobQueued: ({ data, metadata, position }, { jobs, open_jobs }) => {
      const { job_id: id, organization_id, check_id, check_parameters, job_type } = data;
      const { recorded_at: created_at } = metadata;
      jobs.put({
        id,
        organization_id,
        check_id,
        check_parameters,
        job_type,
        status: 'queued',
        created_at,
        started_at: null,
        completed_at: null,
        error_message: null,
        result: null,
      });
      open_jobs.put({
        id,
        organization_id,
        check_id,
        status: 'waiting',
        created_at,
        ends_by: latestEndOf(created_at, check_parameters),
        due_at: created_at,
        changed_position: Number(position),
      });
    },
    JobOffered: (event, { open_jobs }) => {
      offered(event, open_jobs);
    },
    JobStarted: (event, { jobs, open_jobs }) => {
      const { data, metadata } = event;
      const job = jobs.get(data.job_id);
      if (job) jobs.put({ ...job, status: 'started', started_at: metadata.recorded_at });
      offered(event, open_jobs);
    },
    JobCompleted: (event, models) => {
      ended(event, models, { status: 'completed', result: event.data.result });
    },
    JobFailed: (event, models) => {
      ended(event, models, { status: 'failed', error_message: event.data.error_message });
    },
    CheckDeleted: ({ metadata, position }, { open_jobs }) => {
      const due = { due_at: metadata.recorded_at, changed_position: Number(position) };
      for (const job of open_jobs.found) open_jobs.put({ ...job, ...due });
    },
  },
});
