import { regionOf, type Region } from '../domain/check/regions.ts';
import { instantOf } from '../domain/time.ts';
import { messageOf } from '../runners/run-message.ts';
import { explanationOf } from '../stores/connection-trouble.ts';
import { RightMissing } from '../stores/eventstoredb/rights.ts';
import type { QueuedRun, WorkQueue } from '../stores/work-queue/port.ts';
import type { ClusterConfig, Config } from './config.ts';
import { askService } from './operator-socket.ts';
import { table, type Output } from './output.ts';
import { isClusterSite, siteOf } from './site.ts';

/** What is in the queue of a region. */
export interface RegionQueue {
  /** id of the region */
  region: string;
  waiting: number;
  in_flight: number;
  /** how many runs could not be made or stored, however often they were tried */
  parked_count: number;
  /** the newest of them; null where the event store keeps them from its user */
  parked: ParkedRun[] | null;
}

/** A run as people see it: nothing of its definition but what tells it. */
export interface ParkedRun {
  run_id: string;
  check_id: string | null;
  execution_id: string | null;
  type: string;
  /** when it was due */
  slot: string;
}

/** What is in the queues of all regions. `refused` is told of parked runs that the user may not read. */
export const queuesOf = async (
  queue: Pick<WorkQueue, 'depths' | 'parked'>,
  refused: (sentence: string) => void = () => undefined,
): Promise<RegionQueue[]> => {
  const parkedIn = async (region: string): Promise<ParkedRun[] | null> => {
    try {
      return (await queue.parked(region)).map(parkedRun);
    } catch (error) {
      if (!(error instanceof RightMissing)) throw error;
      refused((await explanationOf(error)) ?? error.message);
      return null;
    }
  };
  return Promise.all(
    (await queue.depths()).map(async ({ region, waiting, in_flight, parked }) => ({
      region: idOf(region),
      waiting,
      in_flight,
      parked_count: parked,
      parked: await parkedIn(region),
    })),
  );
};

const idOf = (alias: string): Region['id'] => regionOf(alias)?.id ?? alias;

const parkedRun = (run: QueuedRun): ParkedRun => {
  const { check_id, execution_id, slot, definition } = messageOf(run);
  return { run_id: run.run_id, check_id, execution_id, type: definition.type, slot: instantOf(slot) };
};

/**
 * `uptrail queue`: what waits, is under way and was given up in each region, as the running service says, or
 * the event store of a cluster.
 */
export const listQueueHere = async (config: Config, { json }: { json: boolean }, output: Output): Promise<void> => {
  const site = siteOf(config);
  const queues = isClusterSite(site) ? await inCluster(site) : ((await askService(site, '/queue')) as RegionQueue[]);
  await listQueue(queues, { json }, output);
};

const inCluster = async (config: ClusterConfig): Promise<RegionQueue[]> => {
  const { openClusterQueue } = await import('./cluster-stores.ts');
  const queue = await openClusterQueue(config);
  try {
    return await queuesOf(queue, (sentence) => process.stderr.write(`${sentence}\n`));
  } finally {
    await queue.close();
  }
};

export const listQueue = async (
  queues: readonly RegionQueue[],
  { json }: { json: boolean },
  output: Output,
): Promise<void> => {
  if (json) {
    for (const queue of queues) await output.line(JSON.stringify(queue));
    return;
  }
  const depths = queues.map(({ region, waiting, in_flight, parked_count }) => [
    region,
    waiting.toString(),
    in_flight.toString(),
    parked_count.toString(),
  ]);
  for (const line of table(['REGION', 'WAITING', 'IN FLIGHT', 'PARKED'], depths)) await output.line(line);
  const parked = queues.flatMap((queue) => (queue.parked ?? []).map((run) => ({ ...run, region: queue.region })));
  if (parked.length === 0) return;
  const runs = parked.map(({ run_id, region, type, check_id, execution_id, slot }) => [
    run_id,
    region,
    type,
    check_id ?? '-',
    execution_id ?? '-',
    slot.slice(0, 19),
  ]);
  await output.line('');
  const headings = ['PARKED RUN', 'REGION', 'TYPE', 'CHECK', 'JOB', 'DUE (UTC)'];
  for (const line of table(headings, runs)) await output.line(line);
};
