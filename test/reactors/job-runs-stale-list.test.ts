import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandContext, derivedUuid } from '../../commands/engine/context.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { isDueUpTo } from '../../reactors/engine/lists.ts';
import type { JobRunProgress } from '../../reactors/job-run-progress.ts';
import { createJobWork, type OpenJobItem } from '../../reactors/job-runs.ts';
import type { RunToStart } from '../../domain/check/run.ts';
import { dispatchJob, queueJob } from '../../domain/job/decide.ts';
import { latestEndOf, runIdOf } from '../../domain/job/run.ts';
import { jobDecider } from '../../domain/job/state.ts';
import { instantOf } from '../../domain/time.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { ORGANIZATION } from '../domain/check/examples.ts';
import { definition, JOB, newJob, THREE_REGIONS } from '../domain/job/examples.ts';
import { shortPause, createReactorHarness } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';

/*
 * All processes of a cluster were killed, and the list of open jobs lags behind the log. A new process can get the
 * lease of the reactor before another process resumes folding, so the reactor must not trust the list.
 */
const test = suite('the job-runs reactor with a list that is out of date');

/** Position of the mark that the new process appends. The list has not reached this position. */
const MARK = 9;

/**
 * Starts the reactor after a crash.
 *
 * @param stale the status that the list shows for the job until the list has passed the mark; null if the list does not
 * contain the job until then
 */
const afterACrash = async (stale: 'waiting' | null, soFar: JobRunProgress) => {
  const office = createReactorHarness();
  office.position = MARK - 5;
  const jobDefinition = definition({ parameters: soFar.status === 'running' ? THREE_REGIONS : {} });
  const created_at = instantOf(office.now);
  const handle = createHandle({ store: createMemoryEventStore('main'), clock: () => office.now });
  for (const decide of [
    () => [queueJob({ status: 'absent' }, newJob({ checkId: null, definition: jobDefinition }))],
    dispatchJob,
  ]) {
    const context = commandContext({
      actor: { kind: 'system', id: 'test', role: null },
      organizationId: ORGANIZATION,
      correlationId: JOB,
      commandId: derivedUuid(decide.toString()),
      repeatable: true,
      now: created_at,
    });
    await handle(JOB, jobDecider, decide, context);
  }

  const ends_by = latestEndOf(created_at, jobDefinition);
  const item = { id: JOB, organization_id: ORGANIZATION, check_id: null, created_at, ends_by, changed_position: 3 };
  const isStale = () => office.position !== null && office.position < MARK;
  const listed = (): OpenJobItem[] => {
    if (!isStale()) return [{ ...item, status: 'offered', due_at: ends_by }];
    return stale === null ? [] : [{ ...item, status: stale, due_at: created_at }];
  };
  const started: RunToStart[] = [];
  const work = createJobWork({
    handle,
    startRun: async (run) => {
      started.push(run);
      return { run_id: run.run_id, execution_group_id: null, regions: [], offered: 1, not_after: 0 };
    },
    queueIsDurable: false,
    markList: async () => MARK,
    list: () => ({
      due: async (after, upTo) => listed().filter((job) => !isDueUpTo(job, after) && job.due_at <= upTo),
      next: async () => null,
      countDue: async () => listed().length,
      changedBetween: async () => [],
      find: async () => listed(),
    }),
    offered: async (afterId) => (afterId === null ? listed().filter(({ status }) => status === 'offered') : []),
    runs: async () => async () => soFar,
    todo: office.todo,
  });
  office.start(work);
  await shortPause();
  assert.equal(started, [], 'nothing is started by a list that is out of date');
  office.position = MARK;
  office.move();
  await eventually(() => started.length > 0);
  await shortPause();
  await office.close();
  assert.equal(office.logged, []);
  return started;
};

test('a job that was queued just before the crash is found, although the list does not contain the job yet', async () => {
  const started = await afterACrash(null, { status: 'silent' });
  assert.equal(
    started.map(({ run_id, begun }) => [run_id, begun]),
    [[runIdOf(JOB), undefined]],
  );
});

test('a parallel run continues with its original deadline, although the list shows the job as waiting', async () => {
  const group = { deadline: Date.parse('2026-11-20T15:00:40Z'), answered: ['RU, Moscow'] };
  const started = await afterACrash('waiting', { status: 'running', group });
  assert.equal(
    started.map(({ run_id, begun }) => [run_id, begun]),
    [[runIdOf(JOB), group]],
  );
});

test.run();
