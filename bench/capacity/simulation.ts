/**
 * Simulates a deployment in virtual time. It runs the product's own code for the scheduler, the work queue, workers,
 * batches of results, the log feed and the positions of read models. CPU time is simulated with the measured costs
 * (costs.ts), on processes that share the cores of machines. Response times of targets come from a seeded random number
 * generator.
 */
import { setMaxListeners } from 'node:events';
import { REGIONS } from '../../domain/check/regions.ts';
import { derivedId } from '../../domain/identity.ts';
import type { Worker } from '../../runners/worker/worker.ts';
import { openInProcessQueue } from '../../stores/work-queue/in-process.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import { percentile } from '../tools/table.ts';
import { CONCURRENCY_NAME, shareOf, type Deployment, type Resource } from './deployments.ts';
import { createObservations } from './simulated/observations.ts';
import { startProjector, type SimulatedProjector } from './simulated/projector.ts';
import { createResultsLog, type ResultsLog } from './simulated/results-log.ts';
import { startSchedulers } from './simulated/schedulers.ts';
import { seeded } from './simulated/seeded.ts';
import { costOfBatch, pauseOf, createStage, type Stage } from './simulated/stage.ts';
import { createVirtualClock } from './simulated/virtual-clock.ts';
import { startWorkers } from './simulated/workers.ts';
import { SECOND_MS } from '../../domain/time.ts';

export interface SimulationOptions {
  deployment: Deployment;
  checks: number;
  /** seconds between the runs of a check */
  interval: number;
  /** virtual seconds of the measured period */
  seconds: number;
  /**
   * virtual seconds before the measured period, in which queues and delays become stable; default: 12, because a run
   * that is 10 s late is missed
   */
  warmUp?: number;
  seed: number;
}

export interface Simulated {
  /** number of runs due per second */
  due: number;
  /** number of results stored per second */
  stored: number;
  /** number of runs without a result, by reason; runs in progress at the end are not counted */
  lost: Record<string, number>;
  /** milliseconds from the due time of a run until the request to its target */
  lateness: Percentiles;
  /** milliseconds from recording a result until all read models contained it */
  lag: Percentiles;
  /** maximum number of runs waiting in the queues */
  waiting: number;
  /** maximum number of results that read models had not folded yet */
  unread: number;
  /**
   * utilisation of three kinds of resources, the fullest first: a core, by the busiest process of each part; the cores
   * of the busiest machine; and run slots. Slots are listed after exhausted resources, because runs that wait for an
   * exhausted resource occupy their slots
   */
  used: [Resource, ...Resource[]];
}

interface Percentiles {
  p50: number;
  p99: number;
}

const START = Date.UTC(2026, 10, 20, 15);
const SAMPLE_MS = 100;
/** Milliseconds until an append is durable on a server or a disk. */
const DURABLE_MS = 5;

export const simulate = async (options: SimulationOptions): Promise<Simulated> => {
  const { deployment, checks, interval, seconds, warmUp = 12, seed } = options;
  const clock = createVirtualClock(START);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const observations = createObservations();
  const stage = createStage({ deployment, clock, signal: stopping.signal, observations });
  const log = startLog(stage);
  const projectors = await startProjectors(stage, log);
  const queue = openInProcessQueue({ now: clock.now, after: clock.after });
  const { parts } = stage;
  const regions = REGIONS.slice(0, parts.run.processes);
  const ids = Array.from({ length: checks }, (_, index) => derivedId(`check ${index} of ${seed}`));
  // In an embedded service, one thread both offers runs and stores results. Each of these two tasks is assumed to take
  // half of the thread's time.
  const isOneThread = parts.schedule === parts.run;
  const half = parts.run.cost.each / 2;
  const costOfRun = isOneThread ? half : parts.schedule.cost.each;
  const schedulerOf = await startSchedulers(stage, { queue, log, regions, ids, interval, costOfRun });
  const workers = startWorkers(stage, {
    queue,
    log,
    regions,
    schedulerOf,
    places: deployment.places,
    random: seeded(seed),
    costOfRun: { before: isOneThread ? 0 : half, after: half },
  });
  const most = sampleBacklogs(stage, queue, log, projectors);
  const placesTaken = samplePlaces(stage, workers, deployment.places);

  await clock.runUntil(warmUp * SECOND_MS);
  observations.measuring = true;
  for (const projector of projectors) projector.takeLags();
  const usedSince = watchUse(stage);
  await clock.runUntil((warmUp + seconds) * SECOND_MS);
  observations.measuring = false;
  stopping.abort();
  return {
    due: checks / interval,
    stored: observations.stored / seconds,
    lost: observations.lost,
    lateness: percentilesOf(observations.lateness),
    lag: percentilesOf(projectors.flatMap((projector) => projector.takeLags())),
    ...most,
    used: fullestFirst([...usedSince(seconds * SECOND_MS), { name: CONCURRENCY_NAME, utilisation: placesTaken() }]),
  };
};

const percentilesOf = (values: readonly number[]): Percentiles => ({
  p50: percentile(values, 0.5),
  p99: percentile(values, 0.99),
});

/** Creates the log of results. In an embedded service, an append uses CPU time of the part `threads`. */
const startLog = ({ parts: { threads }, clock, process }: Stage): ResultsLog => {
  let appends = 0;
  return createResultsLog(async (events) => {
    if (threads) await process(threads, appends++).work(costOfBatch(threads) + threads.cost.each * events);
    await pauseOf(clock, DURABLE_MS);
  });
};

/** Starts the projectors. If there are several, each folds some of the read models, but reads all events. */
const startProjectors = ({ parts, clock, signal, process }: Stage, log: ResultsLog): Promise<SimulatedProjector[]> => {
  const { project } = parts;
  return Promise.all(
    Array.from({ length: project.processes }, (_, index) => {
      const each = project.cost.each * shareOf(project, index);
      const work = (events: number): Promise<void> =>
        process(project, index).work(costOfBatch(project) + each * events);
      return startProjector({ log, clock, signal, work });
    }),
  );
};

/**
 * Samples the backlogs.
 *
 * @returns the maximum of each backlog during the measured period
 */
const sampleBacklogs = (
  { clock, signal, observations }: Stage,
  queue: WorkQueue,
  log: ResultsLog,
  projectors: readonly SimulatedProjector[],
): Pick<Simulated, 'waiting' | 'unread'> => {
  const most = { waiting: 0, unread: 0 };
  const sample = async (): Promise<void> => {
    if (signal.aborted) return;
    clock.after(SAMPLE_MS, () => void sample());
    const reached = projectors.map(({ position }) => position()).reduce((one, other) => (one < other ? one : other));
    log.forget(reached);
    if (!observations.measuring) return;
    const waiting = (await queue.depths()).reduce((sum, depth) => sum + depth.waiting, 0);
    most.waiting = Math.max(most.waiting, waiting);
    most.unread = Math.max(most.unread, Number(log.head() - reached));
  };
  void sample();
  return most;
};

/**
 * Samples the occupied slots.
 *
 * @returns a function that returns the mean fraction of occupied slots during the measured period
 */
const samplePlaces = (
  { clock, signal, observations }: Stage,
  workers: readonly Worker[],
  places: number,
): (() => number) => {
  let [taken, samples] = [0, 0];
  const sample = (): void => {
    if (signal.aborted) return;
    clock.after(SAMPLE_MS, sample);
    if (!observations.measuring) return;
    taken += workers.reduce((sum, worker) => sum + worker.inFlight(), 0) / (workers.length * places);
    samples += 1;
  };
  sample();
  return () => taken / samples;
};

/** Utilisation above which a process or a machine counts as exhausted. */
const USED_UP = 0.9;

const fullestFirst = (resources: readonly Resource[]): Simulated['used'] => {
  const isPlaces = ({ name }: Resource): boolean => name === CONCURRENCY_NAME;
  const somethingIsUsedUp = resources.some((one) => !isPlaces(one) && one.utilisation > USED_UP);
  const rank = (one: Resource): number => (isPlaces(one) && somethingIsUsedUp ? 0 : one.utilisation);
  return resources.toSorted((one, other) => rank(other) - rank(one)) as Simulated['used'];
};

/**
 * Starts to measure the utilisation of processes and machines.
 *
 * @returns a function that returns the utilisation since the start; its argument is the elapsed time in milliseconds
 */
const watchUse = ({ processes, machines }: Stage): ((milliseconds: number) => Resource[]) => {
  const look = (): number[][] => [
    ...[...processes.values()].map((all) => all.map((process) => process.busy())),
    machines.map((machine) => machine.busy() / machine.cores),
  ];
  const names = [...[...processes.keys()].map(({ name }) => name), 'cores'];
  const before = look();
  return (milliseconds) => {
    const after = look();
    const busiest = (index: number): number =>
      Math.max(...(after[index] ?? []).map((busy, one) => busy - (before[index]?.[one] ?? 0)));
    return names.map((name, index) => ({ name, utilisation: busiest(index) / milliseconds }));
  };
};
