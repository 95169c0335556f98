import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import type { RequestOf } from '../../../api/request.ts';
import { call } from '../../../session/call.ts';
import { followJob, readResult, regionRuns, type Job } from './job.ts';

/** A run of what is written in the form. */
export type TestRun =
  | { status: 'none' }
  | { status: 'queued' | 'started' }
  /** `result`: the whole of the most telling region: the first that failed, else the first; null: there is none */
  | { status: 'over'; job: Job; result: Schemas['ResultOfAll'] | null }
  | { status: 'failed'; failure: Failure };

export interface TestRuns {
  run: ReadonlySignal<TestRun>;
  /** starts a run; the one before is not followed any more @throws Failure the definition was refused */
  start: (definition: object) => Promise<void>;
}

/** The region whose result says most. */
const tellingResult = (job: Job): string | null => {
  const runs = regionRuns(job);
  return (runs.find(({ status }) => status !== 'ok') ?? runs[0])?.result_id ?? null;
};

/** Runs definitions that are not stored. */
export const useTestRuns = (): TestRuns => {
  const run = useSignal<TestRun>({ status: 'none' });
  const leaving = useRef(new AbortController());
  useEffect(
    () => () => {
      leaving.current.abort();
    },
    [],
  );
  const follow = async (job_id: string, signal: AbortSignal): Promise<void> => {
    const job = await followJob(
      job_id,
      ({ status }) => {
        if (status === 'queued' || status === 'started') run.value = { status };
      },
      signal,
    );
    const id = tellingResult(job);
    const result = id === null ? null : await readResult(id, signal);
    run.value = { status: 'over', job, result };
  };
  return {
    run,
    start: async (definition) => {
      leaving.current.abort();
      const now = new AbortController();
      leaving.current = now;
      run.value = { status: 'queued' };
      try {
        const body = definition as RequestOf<'POST /v1/checks/execute'>['body'];
        const { job_id } = await call('POST /v1/checks/execute', { body }, { signal: now.signal });
        follow(job_id, now.signal).catch((error: unknown) => {
          if (!now.signal.aborted)
            run.value = {
              status: 'failed',
              failure: error instanceof Failure ? error : new Failure(0, String(error), {}),
            };
        });
      } catch (error) {
        if (!now.signal.aborted) run.value = { status: 'none' };
        throw error;
      }
    },
  };
};
