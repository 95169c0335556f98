import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { failureIn, type Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import type { RequestOf } from '../../../api/request.ts';
import { call } from '../../../session/call.ts';
import { followJob, readResult, regionRuns, type Job } from './job.ts';

/** A run of the check as entered in the form. */
export type TestRun =
  | { status: 'none' }
  | { status: 'queued' | 'started' }
  /**
   * `result`: the complete result of the first region in which the run failed, or else of the first region; null: none
   */
  | { status: 'over'; job: Job; result: Schemas['ResultOfAll'] | null }
  | { status: 'failed'; failure: Failure };

export interface TestRuns {
  run: ReadonlySignal<TestRun>;
  /** runs a definition, and stops following the previous run @throws Failure the definition is invalid */
  start: (definition: object) => Promise<void>;
  /** runs a stored check, with its secrets @throws Failure */
  startStored: (check_id: string) => Promise<void>;
}

/**
 * Returns the id of the result to show: the result of the first region in which the run failed, or else the result of
 * the first region. Returns null if there is no result.
 */
const tellingResult = (job: Job): string | null => {
  const runs = regionRuns(job);
  return (runs.find(({ status }) => status !== 'ok') ?? runs[0])?.result_id ?? null;
};

/** Starts and follows test runs of definitions that need not be stored. */
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
  /** Starts a run and follows it. @param ask sends the request that starts the run */
  const begin = async (ask: (signal: AbortSignal) => Promise<Schemas['QueuedJob']>): Promise<void> => {
    leaving.current.abort();
    const now = new AbortController();
    leaving.current = now;
    run.value = { status: 'queued' };
    try {
      const { job_id } = await ask(now.signal);
      follow(job_id, now.signal).catch((error: unknown) => {
        if (!now.signal.aborted)
          run.value = {
            status: 'failed',
            failure: failureIn(error),
          };
      });
    } catch (error) {
      if (!now.signal.aborted) run.value = { status: 'none' };
      throw error;
    }
  };
  return {
    run,
    start: (definition) => {
      const body = definition as RequestOf<'POST /v1/checks/execute'>['body'];
      return begin((signal) => call('POST /v1/checks/execute', { body }, { signal }));
    },
    startStored: (check_id) =>
      begin((signal) => call('POST /v1/checks/{check_id}/execute', { params: { check_id } }, { signal })),
  };
};
