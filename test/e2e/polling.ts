import * as assert from 'uvu/assert';
import { ask, type Program } from './program.ts';
import { eventually } from '../waiting.ts';

/** A job as the API shows it. */
export interface ShownJob {
  id: string;
  check_id: string | null;
  status: string;
  job_type: string;
  created_at: string;
  error_message: string | null;
  result: {
    result_id?: string;
    execution_group_id?: string;
    status: string;
    response_time?: number | null;
    error_message?: string | null;
    completed_regions?: number;
    failed_regions?: number;
    regional_summary?: { region: string; status: string; result_id: string | null }[];
  } | null;
}

/** Asks for a run on demand. @returns the job's id */
export const execute = async (program: Program, key: string, path: string, body?: object): Promise<string> => {
  const answer = await ask(program, key, 'POST', path, body);
  assert.is(answer.status, 202, `${JSON.stringify(answer.body)} ${program.said.stderr}`);
  const { job_id, message, status } = answer.body as { job_id: string; message: string; status: string };
  assert.equal([message, status], ['Check execution queued', 'queued']);
  return job_id;
};

/** Polls a job as a client would, until it has its outcome, and fails when it has none in time. */
export const outcomeOf = async (
  program: Program,
  key: string,
  jobId: string,
  withinSeconds: number,
): Promise<ShownJob> => {
  return eventually(
    async () => {
      const { status, body } = await ask(program, key, 'GET', `/v1/checks/jobs/${jobId}`);
      // Read models are late where one process takes over from another, or the machine is busy.
      if (status !== 404 && status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      const job = body as ShownJob;
      assert.ok(job.status === 'completed' || job.status === 'failed', `it is still ${job.status}`);
      return job;
    },
    { within: withinSeconds * 1_000, what: `the job ${jobId} has ended` },
  );
};

/** Reads until the read models, which may be built anew, can answer. @returns the body */
export const readOnceBuilt = async (program: Program, key: string, path: string): Promise<unknown> => {
  const answer = await eventually(
    async () => {
      const { status, body } = await ask(program, key, 'GET', path);
      if (status !== 200 && status !== 503) throw new Error(`${path}: ${status}`);
      return status === 200 && { body };
    },
    { within: 60_000, what: `${path} is answered` },
  );
  return answer.body;
};
