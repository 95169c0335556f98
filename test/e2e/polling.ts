import * as assert from 'uvu/assert';
import { callApi, type RunningProgram } from './program.ts';
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

/** Requests a run on demand. @returns the id of the job */
export const requestRun = async (
  program: RunningProgram,
  key: string,
  path: string,
  body?: object,
): Promise<string> => {
  const response = await callApi(program, key, 'POST', path, body);
  assert.is(response.status, 202, `${JSON.stringify(response.body)} ${program.output.stderr}`);
  const { job_id, message, status } = response.body as { job_id: string; message: string; status: string };
  assert.equal([message, status], ['Check execution queued', 'queued']);
  return job_id;
};

/** Polls a job until it has an outcome, with a time limit. */
export const waitForOutcome = async (
  program: RunningProgram,
  key: string,
  jobId: string,
  withinSeconds: number,
): Promise<ShownJob> => {
  return eventually(
    async () => {
      const { status, body } = await callApi(program, key, 'GET', `/v1/checks/jobs/${jobId}`);
      // The job is not found while the read model lags, such as during a takeover or on a busy machine.
      if (status !== 404 && status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      const job = body as ShownJob;
      assert.ok(job.status === 'completed' || job.status === 'failed', `it is still ${job.status}`);
      return job;
    },
    { within: withinSeconds * 1_000, what: `the job ${jobId} has ended` },
  );
};

/** Sends a GET request again until the read models have been built and can respond. @returns the body */
export const readOnceBuilt = async (program: RunningProgram, key: string, path: string): Promise<unknown> => {
  const response = await eventually(
    async () => {
      const { status, body } = await callApi(program, key, 'GET', path);
      if (status !== 200 && status !== 503) throw new Error(`${path}: ${status}`);
      return status === 200 && { body };
    },
    { within: 60_000, what: `${path} is served` },
  );
  return response.body;
};
