import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { onStreamEvent } from '../../live/live.ts';
import { call } from '../../session/call.ts';

export type Job = Schemas['Job'];

/** A run on demand. */
export type Run =
  { status: 'running'; job: Job | null } | { status: 'ended'; job: Job } | { status: 'refused'; failure: Failure };

/** Time in milliseconds after a job's timeout. If no event has arrived by then, the job is read again. */
const GRACE_MS = 15_000;

const isOver = ({ status }: Job): boolean => status === 'completed' || status === 'failed';

/** Waits for the stream to report the end of a job. @param onJob receives the job after each read */
const followJobEvents = (
  job_id: string,
  { signal, timeout, onJob }: { signal: AbortSignal; timeout: number; onJob: (job: Job) => void },
): Promise<Job> =>
  new Promise((resolve, reject) => {
    let looking: Promise<void> | null = null;
    let isAsked = false;
    const look = (): void => {
      if (looking) {
        isAsked = true;
        return;
      }
      looking = call('GET /v1/checks/jobs/{job_id}', { params: { job_id } }, { signal }).then(
        (job) => {
          looking = null;
          onJob(job);
          if (isOver(job)) {
            end();
            resolve(job);
          } else if (isAsked) {
            isAsked = false;
            look();
          }
        },
        (error: unknown) => {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    };
    const deaf = onStreamEvent((news) => {
      if (news.kind !== 'changes' || news.changes.some(({ resource, id }) => resource === 'job' && id === job_id))
        look();
    });
    const timer = setTimeout(look, timeout * 1_000 + GRACE_MS);
    const end = (): void => {
      deaf();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
    signal.addEventListener('abort', end);
    look();
  });

/**
 * Runs a check on demand and follows the run.
 *
 * @param timeout time limit of a run, in seconds
 * @param onEnd called when the run has a result
 */
export const useRun = (
  { id: check_id, timeout }: { id: string; timeout: number },
  onEnd: () => void,
): { run: Run | null; start: () => void; forget: () => void } => {
  const run = useSignal<Run | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = (): void => {
    if (run.value?.status === 'running') return;
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    run.value = { status: 'running', job: null };
    const work = async (): Promise<void> => {
      const { job_id } = await call('POST /v1/checks/{check_id}/execute', { params: { check_id } }, { signal });
      const job = await followJobEvents(job_id, {
        signal,
        timeout,
        onJob: (now) => {
          run.value = { status: 'running', job: now };
        },
      });
      run.value = { status: 'ended', job };
      onEnd();
    };
    work().catch((error: unknown) => {
      if (!signal.aborted) run.value = { status: 'refused', failure: error as Failure };
    });
  };
  return {
    run: run.value,
    start,
    forget: () => {
      leaving.current?.abort();
      run.value = null;
    },
  };
};
