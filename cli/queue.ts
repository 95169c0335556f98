import type { ClusterConfig, Config } from '../service/config/config.ts';
import { requestFromService } from '../service/command-socket.ts';
import { table, type Output } from '../service/output.ts';
import { isClusterSite, siteOf } from '../service/stores.ts';
import { readQueues, type RegionQueue } from '../service/run/queues.ts';

/**
 * `uptrail queue`: lists the waiting, running and parked runs of each region. They come from the running service, or
 * from the event store of a cluster.
 */
export const runListQueue = async (config: Config, { json }: { json: boolean }, output: Output): Promise<void> => {
  const site = siteOf(config);
  const queues = isClusterSite(site)
    ? await inCluster(site)
    : ((await requestFromService(site, '/queue')) as RegionQueue[]);
  await listQueue(queues, { json }, output);
};

const inCluster = async (config: ClusterConfig): Promise<RegionQueue[]> => {
  const { openClusterQueue } = await import('../service/cluster/stores.ts');
  const queue = await openClusterQueue(config);
  try {
    return await readQueues(queue, (sentence) => process.stderr.write(`${sentence}\n`));
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
