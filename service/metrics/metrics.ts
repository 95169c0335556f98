import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReactorListing } from '../../reactors/engine/dead-letters.ts';
import { readHaltReason } from '../../reactors/engine/checkpoint.ts';
import type { Region } from '../../domain/check/regions.ts';
import type { StartRun } from '../../domain/check/run.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import type { ProbeProcesses } from '../../runners/processes/pool.ts';
import { titleOfQueue } from '../../runners/queue-names.ts';
import type { SchedulerObserver } from '../../runners/scheduler/observer.ts';
import type { WorkerObserver } from '../../runners/worker/worker.ts';
import type { Artifacts, Usage } from '../../stores/artifacts/port.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { LinkObserver } from '../run/run-link.ts';

/** The functions that record the metrics of check runs. */
export interface CheckMetrics {
  /** Wraps a function that starts runs, so that these runs are counted. */
  counting: (startRun: StartRun) => StartRun;
  scheduler: Required<Pick<SchedulerObserver, 'offered' | 'skipped'>>;
  worker: (region: Region) => Required<WorkerObserver>;
  link: LinkObserver;
}

/** Time limit for reading values at a scrape, in milliseconds. The system that scrapes waits only a few seconds. */
const DEPTHS_MS = 3_000;

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 60];
/**
 * Upper bounds of the buckets, in seconds. Runs start in batches, up to 0.2 s after they are due
 * (runners/scheduler/start-times.ts).
 */
const LATENESS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60];

export const checkMetrics = (registry: Registry): CheckMetrics => {
  const registers = [registry];
  const runs = new Counter({
    name: 'check_runs_total',
    help: 'Started runs, by trigger and type; a run in several regions counts once',
    labelNames: ['trigger', 'type'],
    registers,
  });
  const lateness = new Histogram({
    name: 'check_run_lateness_seconds',
    help: 'Delay between the due time of a scheduled run and its offer to its region',
    buckets: LATENESS,
    registers,
  });
  const skipped = new Counter({
    name: 'check_runs_skipped_total',
    help: 'Scheduled runs that were not offered, by reason',
    labelNames: ['reason'],
    registers,
  });
  const stored = new Histogram({
    name: 'check_run_duration_seconds',
    help: 'Duration of runs with a stored result, by region, type and status',
    labelNames: ['region', 'type', 'status'],
    buckets: SECONDS,
    registers,
  });
  const dropped = new Counter({
    name: 'check_runs_dropped_total',
    help: 'Runs taken from the queue without a result, by region and reason',
    labelNames: ['region', 'reason'],
    registers,
  });
  const repeats = new Counter({
    name: 'check_result_repeats_total',
    help: 'Results of repeated runs: left_out of the log, which already had them, or stored in it again',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['left_out', 'stored']) repeats.inc({ outcome }, 0);
  const suspect = new Counter({
    name: 'check_results_suspect_total',
    help: 'Results ignored because the anchors of their runner were silent too, by region',
    labelNames: ['region'],
    registers,
  });
  return {
    counting: (startRun) => async (run) => {
      const started = await startRun(run);
      runs.inc({ trigger: run.trigger.type, type: run.definition.type });
      return started;
    },
    scheduler: {
      offered: (milliseconds) => {
        lateness.observe(Math.max(0, milliseconds) / 1_000);
      },
      skipped: (reason, runs) => {
        skipped.inc({ reason }, runs);
      },
    },
    worker: ({ id: region }) => ({
      stored: ({ type, outcome, milliseconds }) => {
        stored.observe({ region, type, status: outcome.status }, milliseconds / 1_000);
      },
      dropped: (reason) => {
        dropped.inc({ region, reason });
      },
      trouble: () => {
        dropped.inc({ region, reason: 'trouble' });
      },
      repeated: () => {
        repeats.inc({ outcome: 'left_out' });
      },
      suspect: () => {
        suspect.inc({ region });
      },
    }),
    link: {
      repeated: () => {
        repeats.inc({ outcome: 'stored' });
      },
    },
  };
};

/**
 * Returns samples for a scrape. Returns none if they can't be read in time, so that other metrics are still exposed.
 */
export const inTime = <T>(figures: Promise<readonly T[]>): Promise<readonly T[]> =>
  Promise.race([figures, sleep(DEPTHS_MS, [], { ref: false })]).catch(() => []);

/** Exposes the state of the processes that run checks. The state is read at each scrape. */
export const observeProbes = (registry: Registry, probes: Pick<ProbeProcesses, 'state'>): void => {
  const registers = [registry];
  new Gauge({
    name: 'probe_processes',
    help: 'Processes that run checks',
    registers,
    collect() {
      this.set(probes.state().running);
    },
  });
  new Gauge({
    name: 'probe_process_runs',
    help: 'Concurrent runs in the processes that run checks',
    registers,
    collect() {
      this.set(probes.state().runs);
    },
  });
  new Counter({
    name: 'probe_process_restarts_total',
    help: 'Lost processes that ran checks: they died, hung or grew too large',
    registers,
    collect() {
      this.reset();
      this.inc(probes.state().restarts);
    },
  });
};

/** Exposes whether reactors are halted. The state is read at each scrape. */
export const observeReactors = (registry: Registry, coordination: Pick<Coordination, 'read' | 'write'>): void => {
  new Gauge({
    name: 'reactors_halted',
    help: '1 while automatic actions are halted (see uptrail reactors resume), otherwise 0',
    registers: [registry],
    async collect() {
      const reason = await readHaltReason(coordination).catch(() => undefined);
      if (reason === undefined) this.reset();
      else this.set(reason === null ? 0 : 1);
    },
  });
};

/** Exposes the number and the size of the artifacts of all organizations. The values are read at each scrape. */
export const observeArtifacts = (registry: Registry, artifacts: Pick<Artifacts, 'usage'>): void => {
  const usage = shared(() => artifacts.usage());
  for (const [name, help, of] of [
    ['artifacts_bytes', 'Bytes of stored artifacts, such as screenshots', ({ bytes }: Usage) => bytes],
    ['artifacts_files', 'Number of stored artifacts, such as screenshots', ({ files }: Usage) => files],
  ] as const) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const [found] = await inTime(usage().then((one) => [one]));
        if (found) this.set(of(found));
        else this.remove();
      },
    });
  }
};

/** Wraps a function so that concurrent callers share one call. */
const shared = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let reading: Promise<T> | null = null;
  return () =>
    (reading ??= read().finally(() => {
      reading = null;
    }));
};

/** Exposes the number of items of reactors. The items are read at each scrape. */
export const observeReactorItems = (registry: Registry, list: () => Promise<readonly ReactorListing[]>): void => {
  const registers = [registry];
  let listing: Promise<readonly ReactorListing[]> | null = null;
  /** Reads the items. Both metrics share one call. */
  const listItems = (): Promise<readonly ReactorListing[]> =>
    (listing ??= inTime(list()).finally(() => {
      listing = null;
    }));
  new Gauge({
    name: 'reactor_items',
    help: 'Items of reactors (automatic actions): waiting, retrying after a failure, or given_up until an operator acts',
    labelNames: ['reactor', 'state'],
    registers,
    async collect() {
      const listings = await listItems();
      this.reset();
      for (const { name: reactor, waiting, retrying, given_up } of listings) {
        if (waiting !== null) this.set({ reactor, state: 'waiting' }, waiting);
        this.set({ reactor, state: 'retrying' }, retrying);
        this.set({ reactor, state: 'given_up' }, given_up);
      }
    },
  });
  new Gauge({
    name: 'reactor_oldest_item_seconds',
    help: 'Age of the oldest item of a reactor that waits or is being retried; 0 if there is none',
    labelNames: ['reactor'],
    registers,
    async collect() {
      const listings = await listItems();
      this.reset();
      for (const { name: reactor, oldest_seconds } of listings) this.set({ reactor }, oldest_seconds ?? 0);
    },
  });
};

/** Exposes the positions of read models and the depths of queues. The values are read at each scrape. */
export const observeState = (registry: Registry, statuses: Statuses, queue: Pick<WorkQueue, 'depths'>): void => {
  const registers = [registry];
  new Gauge({
    name: 'projection_lag_seconds',
    help: 'Age of the oldest event that a read model has not folded yet; 0 if there is none',
    labelNames: ['projection'],
    registers,
    collect() {
      for (const { name } of statuses.all()) this.set({ projection: name }, statuses.lag(name));
    },
  });
  new Gauge({
    name: 'projection_position',
    help: 'Log position up to which a read model has folded every event',
    labelNames: ['projection'],
    registers,
    collect() {
      for (const { name, position } of statuses.all()) this.set({ projection: name }, Number(position));
    },
  });
  new Gauge({
    name: 'projection_stopped',
    help: '1 if an event could not be folded, otherwise 0',
    labelNames: ['projection'],
    registers,
    collect() {
      for (const { name, state } of statuses.all()) this.set({ projection: name }, state === 'stopped' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'projection_set_aside_documents',
    help: 'Documents of a read model that are set aside, because they could not be stored or an event could not be folded',
    labelNames: ['projection'],
    registers,
    collect() {
      for (const { name, set_aside = 0 } of statuses.all()) this.set({ projection: name }, set_aside);
    },
  });
  new Gauge({
    name: 'check_queue_runs',
    help: 'Runs in the queue of a region, by state',
    labelNames: ['region', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { queue: name, waiting, in_flight, parked } of await inTime(queue.depths())) {
        const region = titleOfQueue(name);
        this.set({ region, state: 'waiting' }, waiting);
        this.set({ region, state: 'in_flight' }, in_flight);
        this.set({ region, state: 'parked' }, parked);
      }
    },
  });
};
