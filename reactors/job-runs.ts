import type { StartedGroup, RunToStart, StartRun } from '../domain/check/run.ts';
import { CreditLimitExceeded } from '../domain/credits/credits.ts';
import { completeJob, failJob, dispatchJob } from '../domain/job/decide.ts';
import type { JobEvent } from '../domain/job/events.ts';
import { latestStartOf, isParallel, runIdOf, hasExpired } from '../domain/job/run.ts';
import { isOpen, jobDecider, type Job, type OpenJob } from '../domain/job/state.ts';
import { millisecondsOf, type Instant } from '../domain/time.ts';
import type { AppendedPositions } from '../commands/engine/appended-positions.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { jobs } from '../projections/jobs/projection.ts';
import type { ReactorDefinition } from './engine/define.ts';
import { countDueItems, createDueWork, type DueContext } from './engine/due.ts';
import { retryItemAt, done, type ItemResult } from './engine/item-result.ts';
import { dueList, type DueItem, type DueList, type TodoProjection } from './engine/lists.ts';
import type { Work } from './engine/work.ts';
import { endJob, jobContext, whyNotRunnable } from './job-end.ts';
import { createJobRunProgress, type JobRunProgress } from './job-run-progress.ts';

export const JOB_RUNS = 'job-runs';

/** An item of the list `open_jobs`: a job without an outcome. `offered`: its run was queued. */
export interface OpenJobItem extends DueItem {
  organization_id: string;
  check_id: string | null;
  status: 'waiting' | 'offered';
  created_at: Instant;
  /** time by which the job must have an outcome */
  ends_by: Instant;
}

export interface JobRunsDependencies extends Pick<CommandDependencies, 'handle'> {
  startRun: StartRun;
  /** whether the queue of runs survives the end of this process */
  queueIsDurable: boolean;
  list: (context: { appended: AppendedPositions }) => DueList<OpenJobItem>;
  /**
   * Appends a marker event, which changes no document, to the log of the list.
   *
   * @returns the position of the event. A list that has passed this position shows everything stored before the call
   */
  markList: () => Promise<number>;
  /** Returns up to `limit` jobs that were queued, ordered by id, with ids greater than `afterId` (null: all ids). */
  offered: (afterId: string | null, limit: number) => Promise<OpenJobItem[]>;
  /** Returns a reader of the progress of runs. The reader sees all results that were stored before this call. */
  runs: () => Promise<(jobId: string) => Promise<JobRunProgress>>;
  todo: TodoProjection;
}

const PAGE = 500;
/** Maximum duration of a run with the longest timeout, in any number of regions. In milliseconds. */
const LONGEST_MS = 900_000;
/** Number of jobs that are queued concurrently. */
const AT_ONCE = 16;
/** Delay of the next attempt for a job whose group the `execution-deadlines` reactor has not ended yet. */
const GROUP_WAIT_MS = 1_000;
/** Delay of the next attempt for an item whose outcome the list does not show yet. */
const LIST_WAIT_MS = 200;

/**
 * Queues the runs of waiting jobs, and ends jobs that have no outcome at their deadline.
 *
 * A queue of runs can lose its content. Therefore, when this reactor starts, it queues the runs that other processes
 * have queued a second time, except runs that have a result and runs that are certainly in a durable queue. A run that
 * is executed twice is recorded once, because both executions use the same result ids. Before the reactor queues these
 * runs, it waits until its list shows everything that was stored before its start, because the list can be outdated
 * after all processes have died.
 */
export const jobRuns: ReactorDefinition = {
  name: JOB_RUNS,
  does: 'queues the runs of jobs, and ends jobs without an outcome by their deadline',
  countsEarlier: true,
  follows: [{ projection: jobs, collections: ['open_jobs'] }],
  waiting: (read) => countDueItems(dueList(read(jobs).open_jobs)),
  begin: ({ handle, startRun, queueIsDurable, markLogEnd, readers, read, results, todo: todoOf }) => {
    const todo = todoOf(jobs, 'open_jobs');
    const work = createJobWork({
      handle,
      startRun,
      queueIsDurable,
      markList: () => markLogEnd(jobs),
      runs: createJobRunProgress(results, readers),
      todo,
      list: ({ appended }) => dueList(readers.for({ appended })(jobs).open_jobs),
      offered: (afterId, limit) =>
        read(jobs).open_jobs.find({
          where: { status: 'offered', ...(afterId !== null && { id: { $gt: afterId } }) },
          sort: { id: 1 },
          limit,
        }),
    });
    return { name: JOB_RUNS, countsEarlier: true, todo, work };
  },
};

/** What this process knows about the runs of queued jobs. */
interface Offered {
  /** jobs whose runs might be in no queue, by id */
  lost: Map<string, { item: OpenJobItem; group: StartedGroup | null }>;
  /** ids of jobs whose runs this process has queued, with the time by which each job must have an outcome */
  handed: Map<string, Instant>;
}

export const createJobWork = (dependencies: JobRunsDependencies): Work => {
  const known: Offered = { lost: new Map(), handed: new Map() };
  return createDueWork(JOB_RUNS, dependencies.todo, dependencies.list, actOn(dependencies, known), {
    atOnce: AT_ONCE,
    longest: LONGEST_MS,
    waitForPostponed: ({ status }) => (status === 'waiting' ? 0 : LONGEST_MS),
    // An item in `lost` stays due although it has changed: the job was marked as queued, but then queuing its run
    // failed.
    staysDue: ({ id }) => known.lost.has(id),
    first: (wake) => lostOnes(dependencies, known, wake),
  });
};

/** Returns a function that finds the jobs whose runs might be in no queue. These jobs are handled first. */
const lostOnes = (
  dependencies: JobRunsDependencies,
  known: Offered,
  wake: () => void,
): (() => Promise<OpenJobItem[] | null>) => {
  let mark: number | null = null;
  return async () => {
    if (mark === null) {
      mark = await dependencies.markList();
      dependencies.todo.passed(mark, wake);
    }
    // Wait until the list has folded the marker event. An outdated list lacks queued jobs, whose runs would be lost. It
    // also shows jobs as waiting that are already running in several regions, and these would start again with another
    // deadline.
    if (dependencies.todo.folded() < mark) return null;
    await findLost(dependencies, known);
    return [...known.lost.values()].map(({ item }) => item);
  };
};

const findLost = async ({ offered, runs }: JobRunsDependencies, { lost, handed }: Offered): Promise<void> => {
  lost.clear();
  for (let last: string | null = null, soFar: Awaited<ReturnType<typeof runs>> | null = null; ;) {
    const page = await offered(last, PAGE);
    for (const item of page.filter(({ id }) => !handed.has(id))) {
      soFar ??= await runs();
      const run = await soFar(item.id);
      if (run.status !== 'ended') lost.set(item.id, { item, group: run.status === 'running' ? run.group : null });
    }
    const end = page.at(-1);
    if (!end) return;
    last = end.id;
  }
};

/**
 * Forgets queued jobs whose deadline has passed. Stops at the first job whose deadline has not passed, because the jobs
 * are roughly ordered by deadline.
 */
const forgetEnded = (handed: Offered['handed'], now: Instant): void => {
  for (const [id, endsBy] of handed) {
    if (endsBy > now) return;
    handed.delete(id);
  }
};

const actOn =
  (dependencies: JobRunsDependencies, { lost, handed }: Offered) =>
  async (item: OpenJobItem, due: DueContext): Promise<ItemResult> => {
    const { handle } = dependencies;
    forgetEnded(handed, due.now);
    const context = jobContext(JOB_RUNS, 'offer', item, due);
    const refusal = await whyNotRunnable(dependencies, item.check_id, context);
    if (refusal !== null) {
      lost.delete(item.id);
      return refuse(dependencies, item, refusal, due);
    }
    // If a queued job appears to be created in the future, the clock was set back. Its real deadline is unknown, so
    // treat it as passed.
    const hadItsTime = item.status === 'offered' && !lost.has(item.id) && due.now < item.created_at;
    if (hadItsTime || due.now >= item.ends_by) {
      lost.delete(item.id);
      return endAtLast(dependencies, item, due);
    }
    if (due.now >= latestStartOf(item.created_at)) {
      // It is too late to queue the run. If it was queued before, it might still be under way, so wait for the
      // deadline.
      lost.delete(item.id);
      return retryItemAt(millisecondsOf(item.ends_by));
    }
    const { state: job, events, repeated } = await handle(item.id, jobDecider, dispatchJob, context);
    const isOffered = events.length > 0 && !repeated;
    const known = lost.get(item.id);
    const isToBegin = known ? !isInQueue(dependencies, job) : item.status === 'waiting' && !handed.has(item.id);
    if (isOpen(job) && isToBegin) {
      const group = known?.group ?? null;
      // Until the run is in a queue, a failure must lead to another attempt (`staysDue`).
      lost.set(item.id, { item, group });
      const again = known !== undefined || !isOffered;
      await startOrFail(dependencies, { ...runOf(job, item, group), ...(again && { again }) }, item, due);
      handed.set(item.id, item.ends_by);
    }
    lost.delete(item.id);
    if (isOffered) return done();
    // No event was appended, so a job that was queued before remains on the list. It is due again at its deadline.
    return isOpen(job) && item.status === 'offered' ? retryItemAt(millisecondsOf(item.ends_by)) : listLater(due);
  };

/**
 * Returns whether the run of a job is certainly in a durable queue. This is not certain for a run in several regions,
 * because only some of its parts might have been queued.
 */
const isInQueue = ({ queueIsDurable }: JobRunsDependencies, job: Job): boolean =>
  queueIsDurable && job.status === 'started' && !isParallel(job.definition);

/** Returns the result for an item that already has an outcome, if the list does not show the outcome yet. */
const listLater = ({ now }: DueContext): ItemResult => retryItemAt(millisecondsOf(now) + LIST_WAIT_MS);

/**
 * Queues a run. If the credit limit is exceeded, the job fails, unless its run has already started in some regions:
 * such a run ends by its deadline.
 */
const startOrFail = async (
  dependencies: JobRunsDependencies,
  run: RunToStart,
  item: OpenJobItem,
  due: DueContext,
): Promise<void> => {
  try {
    await dependencies.startRun(run);
  } catch (error) {
    if (!(error instanceof CreditLimitExceeded)) throw error;
    const context = jobContext(JOB_RUNS, 'end', item, due);
    if (!run.begun) await endJob(dependencies, item.id, (job) => failJob(job, error.message), context);
  }
};

const refuse = async (
  dependencies: JobRunsDependencies,
  item: OpenJobItem,
  refusal: string,
  due: DueContext,
): Promise<ItemResult> => {
  const context = jobContext(JOB_RUNS, 'end', item, due);
  const { events } = await endJob(dependencies, item.id, (job) => failJob(job, refusal), context);
  return events.length === 0 ? listLater(due) : done();
};

/**
 * Ends a job at its deadline. If the results log contains the result of its run, completes the job with this result.
 */
const endAtLast = async (
  dependencies: JobRunsDependencies,
  item: OpenJobItem,
  due: DueContext,
): Promise<ItemResult> => {
  const run = await (await dependencies.runs())(item.id);
  if (run.status === 'running') return retryItemAt(millisecondsOf(due.now) + GROUP_WAIT_MS);
  const end = (job: OpenJob): JobEvent[] =>
    run.status === 'ended' ? completeJob(job, run.result) : failJob(job, hasExpired(job.definition));
  const { events } = await endJob(dependencies, item.id, end, jobContext(JOB_RUNS, 'end', item, due));
  return events.length === 0 ? listLater(due) : done();
};

const runOf = (job: OpenJob, { organization_id, created_at }: OpenJobItem, group: StartedGroup | null): RunToStart => {
  const { type, url, host, port, timeout, parameters } = job.definition;
  return {
    run_id: runIdOf(job.id),
    check_id: job.checkId,
    organization_id,
    definition: { type, url, host, port, timeout, parameters },
    interval: null,
    slot: millisecondsOf(created_at),
    trigger: { type: 'on_demand', job_id: job.id, user_id: job.userId },
    ...(group && { begun: group }),
  };
};
