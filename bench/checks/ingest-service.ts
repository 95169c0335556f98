/**
 * The part of an embedded service that ingests results: queue, workers, log of results, and read models. Either fills a
 * data directory with past results, or measures how fast new results are ingested.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createRegistry } from '../../http/metrics.ts';
import { createShutdown } from '../../service/shutdown.ts';
import { readConfig } from '../../service/config/config.ts';
import { openEmbedded } from '../../service/embedded/open.ts';
import { checkMetrics } from '../../service/metrics/metrics.ts';
import { createTroubleLog } from '../../service/trouble-log.ts';
import { createLocalRegions } from '../../service/run/local-regions.ts';
import { createRemote } from '../../service/remote/remote.ts';
import { createWorkers } from '../../service/run/workers.ts';
import { systemClock } from '../../network/clock.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { derivedId } from '../../domain/identity.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { projections } from '../../projections/index.ts';
import type { Probes } from '../../runners/probes.ts';
import type { RunMessage } from '../../runners/run-message.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { instantRun } from './instant-runs.ts';
import { ORGANIZATION, webResult } from '../tools/result-samples.ts';
import { DAY_MS } from '../../domain/time.ts';

export type IngestTask =
  { task: 'fill'; folder: string; results: number } | { task: 'ingest'; folder: string; seconds: number };

export interface IngestResult {
  results: number;
  /** milliseconds until all results were stored */
  stored: number;
  /** milliseconds until all results were in all read models */
  folded: number;
  /** event-loop delay of the main thread, milliseconds */
  delay: { p50: number; p99: number; max: number };
  /** CPU time of all threads, milliseconds */
  cpu: number;
}

const CHECKS = 1_000;
const APPEND = 500;
/** Maximum number of runs that are queued or in progress. */
const OPEN = 2_000;

const checkId = (index: number): string => derivedId(`check ${index % CHECKS}`);

const open = async (folder: string) => {
  const closing = createShutdown((name, error) => {
    console.error(name, error);
  });
  const logger = pino({ level: 'error' }, pino.destination(2));
  const config = readConfig({ DATA_DIR: folder });
  const deployment = await openEmbedded(config, { logger, troubles: createTroubleLog(logger, systemClock), closing });
  const { statuses } = await deployment.startReadModels();
  return { closing, logger, config, deployment, statuses };
};

const OF_RESULTS = new Set(projections.filter(({ log }) => log === 'results').map(({ name }) => name));

/**
 * Waits until all read models have caught up. For the log of results, this means up to the head of the log at the time
 * of the call.
 */
const folded = async (statuses: Statuses, results: EventStore): Promise<void> => {
  const head = await markLog(results, Date.now());
  const isBehind = ({ name, state, position }: ReturnType<Statuses['of']>): boolean =>
    state !== 'live' || (OF_RESULTS.has(name) && position < head);
  while (statuses.all().some(isBehind)) await sleep(10);
};

const fill = async (folder: string, count: number): Promise<void> => {
  const { closing, deployment, statuses } = await open(folder);
  const { results } = deployment;
  const step = Math.floor((10 * DAY_MS) / count);
  const from = Date.now() - 10 * DAY_MS;
  let appends: Promise<unknown>[] = [];
  for (let first = 0; first < count; first += APPEND) {
    const events = Array.from({ length: Math.min(APPEND, count - first) }, (_, offset) =>
      webResult(checkId(first + offset), from + (first + offset) * step),
    );
    appends.push(results.append(`check_results-${defaultRegionOf(REGIONS).aliases[0]}`, events, 'any'));
    if (appends.length < 10) continue;
    await Promise.all(appends);
    appends = [];
  }
  await Promise.all(appends);
  await folded(statuses, results);
  await closing.close();
};

const ingest = async (folder: string, seconds: number): Promise<IngestResult> => {
  const { closing, logger, config, deployment, statuses } = await open(folder);
  const { queue, results, keys, logId } = deployment;
  await folded(statuses, results);
  let finished = 0;
  let offered = 0;
  let wake: () => void = () => undefined;
  const link = {
    wanted: () => true,
    finished: () => {
      finished += 1;
      wake();
    },
    cancel: () => undefined,
    attachScheduler: () => async () => undefined,
    attachWorker: () => () => undefined,
  };
  const metrics = checkMetrics(createRegistry());
  const probes: Probes = { types: ['web'], run: instantRun };
  const runners = deployment.liveRunners(REGIONS, probes.types, createRemote());
  const secretsOf = async () => [];
  const options = { config, results, keys, secretsOf, link, runners };
  const workers = createWorkers({ ...options, onDemand: {}, clock: systemClock, metrics, logger });
  const { runnerConcurrency: concurrency } = config;
  const own = createLocalRegions({ workers, identity: logId, probes, queue, anchors: null, concurrency });
  own.serve(REGIONS);
  closing.add('the workers', own.stop);

  const definition = {
    type: 'web',
    url: 'https://shop.example/',
    host: null,
    port: null,
    timeout: 10,
    parameters: {},
  } as const;
  const offer = async (): Promise<void> => {
    const slot = Date.now();
    const number = offered++;
    const region = REGIONS[number % REGIONS.length] ?? defaultRegionOf(REGIONS);
    const run = { check_id: checkId(number), organization_id: ORGANIZATION, slot, result_type: 'regular' } as const;
    const payload: RunMessage = { ...run, execution_id: null, execution_group_id: null, answer_by: null, definition };
    const run_id = derivedId(`run ${number} at ${slot}`);
    await queue.offer({ run_id, region: region.aliases[0], not_after: slot + 60_000, payload });
  };

  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const started = performance.now();
  const before = process.cpuUsage();
  while (performance.now() - started < seconds * 1_000) {
    while (offered - finished < OPEN) await offer();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  while (finished < offered) await sleep(1);
  const stored = performance.now() - started;
  await folded(statuses, results);
  const total = performance.now() - started;
  const used = process.cpuUsage(before);
  delays.disable();
  // Each value of the histogram includes the interval of one millisecond between two samples. Subtract this interval.
  const delay = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - 1);
  const response: IngestResult = {
    results: offered,
    stored,
    folded: total,
    delay: { p50: delay(delays.percentile(50)), p99: delay(delays.percentile(99)), max: delay(delays.max) },
    cpu: (used.user + used.system) / 1_000,
  };
  await closing.close();
  return response;
};

process.on('message', (asked: IngestTask) => {
  void (async () => {
    process.send?.(
      asked.task === 'fill'
        ? await fill(asked.folder, asked.results).then(() => 'filled')
        : await ingest(asked.folder, asked.seconds),
    );
  })();
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
