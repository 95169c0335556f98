import type { Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { hearNews } from '../../../live/live.ts';
import { call } from '../../../session/call.ts';

export type Job = Schemas['Job'];

/** Pauses before a job is read without having heard of it: the stream of changes may be closed. Milliseconds. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

const isOver = ({ status }: Job): boolean => status === 'completed' || status === 'failed';

const pauseAt = (reads: number): number => PAUSES[Math.min(reads, PAUSES.length - 1)] ?? 0;

/**
 * Follows a run on demand to its end: by the stream of changes, which names a job when it is done, and by reading it now
 * and then.
 *
 * @param onJob gets it whenever it was read @throws Failure @throws DOMException `AbortError`: `signal` gave it up
 */
export const followJob = async (job_id: string, onJob: (job: Job) => void, signal: AbortSignal): Promise<Job> => {
  let wake: () => void = () => undefined;
  let isDone = false;
  const deaf = hearNews((news) => {
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

/** null: its read model is late, and does not know it yet */
const readJob = async (job_id: string, signal: AbortSignal): Promise<Job | null> => {
  try {
    return await call('GET /v1/checks/jobs/{job_id}', { params: { job_id } }, { signal });
  } catch (error) {
    if ((error as Failure).status === 404) return null;
    throw error;
  }
};

/** How a run went in a region. */
export interface RegionRun {
  region: string;
  status: 'ok' | 'failed' | 'timeout';
  response_time: number | null;
  error_message: string | null;
  result_id: string | null;
}

/** How a run went in each of its regions; a job that failed has none. */
export const regionRuns = ({ result }: Job): readonly RegionRun[] => {
  if (!result) return [];
  return 'regional_summary' in result ? result.regional_summary : [result];
};

/** The whole result of a run; null: it is not known any more. */
export const readResult = async (result_id: string, signal: AbortSignal): Promise<Schemas['ResultOfAll'] | null> => {
  const { results } = await call('GET /v1/checks/all-results', { query: { result_id } }, { signal });
  return results[0] ?? null;
};
