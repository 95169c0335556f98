import type { Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { onStreamEvent } from '../../../live/live.ts';
import { call } from '../../../session/call.ts';

export type Job = Schemas['Job'];

/**
 * Delays before a job is read again although no event has arrived, in milliseconds. This is necessary, because the
 * event stream may be closed.
 */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

const isOver = ({ status }: Job): boolean => status === 'completed' || status === 'failed';

const pauseAt = (reads: number): number => PAUSES[Math.min(reads, PAUSES.length - 1)] ?? 0;

/**
 * Waits until a job is done, by the event stream and by polling.
 *
 * @param onJob called with the job after each read
 * @throws Failure
 * @throws DOMException `AbortError`: `signal` was aborted
 */
export const followJob = async (job_id: string, onJob: (job: Job) => void, signal: AbortSignal): Promise<Job> => {
  let wake: () => void = () => undefined;
  let isDone = false;
  const deaf = onStreamEvent((news) => {
    if (news.kind !== 'changes' || !news.changes.some(({ resource, id }) => resource === 'job' && id === job_id))
      return;
    isDone = true;
    wake();
  });
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, isDone ? 0 : ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
    });
  try {
    for (let reads = 0; ; reads++) {
      await pause(pauseAt(reads));
      signal.throwIfAborted();
      isDone = false;
      const job = await readJob(job_id, signal);
      if (!job) continue;
      onJob(job);
      if (isOver(job)) return job;
    }
  } finally {
    deaf();
  }
};

/** Reads a job. Returns null if the read model lags and does not contain the job yet. */
const readJob = async (job_id: string, signal: AbortSignal): Promise<Job | null> => {
  try {
    return await call('GET /v1/checks/jobs/{job_id}', { params: { job_id } }, { signal });
  } catch (error) {
    if ((error as Failure).status === 404) return null;
    throw error;
  }
};

/** The outcome of a run in one region. */
export interface RegionRun {
  region: string;
  status: 'ok' | 'failed' | 'timeout';
  response_time: number | null;
  error_message: string | null;
  result_id: string | null;
}

/** Returns the outcome of a run in each of its regions. Returns an empty list for a failed job. */
export const regionRuns = ({ result }: Job): readonly RegionRun[] => {
  if (!result) return [];
  return 'regional_summary' in result ? result.regional_summary : [result];
};

/** Returns the complete result of a run, or null if it no longer exists. */
export const readResult = async (result_id: string, signal: AbortSignal): Promise<Schemas['ResultOfAll'] | null> => {
  const { results } = await call('GET /v1/checks/all-results', { query: { result_id } }, { signal });
  return results[0] ?? null;
};
