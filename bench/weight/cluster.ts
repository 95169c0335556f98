import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REGIONS } from '../../domain/check/regions.ts';
import { startClusterServers } from '../../test/e2e/cluster-servers.ts';
import { callApi, fillPages } from '../http/http.ts';
import { startCounted, type CountedCluster } from '../stores/idle.ts';
import { ADMIN_API_KEY } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median } from '../tools/table.ts';
import { usageBelow } from './processes.ts';

const POSTS = sizeOf('WEIGHT_CLUSTER_POSTS', 12);
const IDLE_SECONDS = sizeOf('WEIGHT_CLUSTER_IDLE_SECONDS', 15);
const SETTLED_MS = 5_000;
const PAUSE_MS = 1_200;

const ROLES = ['api', 'project', 'schedule', 'run'] as const;

/** Cost of one process of a cluster. */
export interface RoleCost {
  /** number of commands to MongoDB for an opened incident */
  commands: number;
  /** number of calls to EventStoreDB for an opened incident */
  calls: number;
  /** commands per second to MongoDB, while idle */
  idle_commands_per_second: number;
  idle_calls_per_second: number;
  /** CPU usage while idle, in percent of a core */
  idle_cpu_percent: number;
}

export interface ClusterCost {
  /** milliseconds until the response to a POST of an incident */
  median_ms: number;
  roles: Record<(typeof ROLES)[number], RoleCost>;
}

/** Cumulative usage of the process of a duty. */
interface Done {
  commands: number;
  calls: number;
  cpu: number;
}

const doneBy = ({ started, mongoDb, eventStoreDb }: CountedCluster): Done => ({
  commands: mongoDb.count(),
  calls: eventStoreDb.count(),
  cpu: usageBelow(started.pid).cpu,
});

/**
 * Measures the cost of a write in a cluster with one process per duty, with the tests' stand-ins for EventStoreDB and
 * MongoDB. Returns null if EventStoreDB was not started by this run, because requests to a server that others started
 * can't be counted.
 */
export const clusterCost = async (): Promise<ClusterCost | null> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-weight-'));
  const servers = await startClusterServers(folder);
  const { own } = servers.eventStoreDb;
  const environment = { ...servers.environment, ADMIN_API_KEY, LOG_LEVEL: 'warn', NODE_ENV: 'production' };
  const region = REGIONS[0]?.aliases[0] ?? '';
  const roles: CountedCluster[] = [];
  try {
    if (!own) return null;
    for (const role of ROLES) {
      const parameters = role === 'run' ? [role, '--region', region] : [role];
      roles.push(await startCounted(servers, own, environment, parameters));
    }
    const address = roles[0]?.started.address ?? '';
    while (!(await fetch(`${address}/health/ready`)).ok) await sleep(100);
    return await measured({ address, key: ADMIN_API_KEY }, roles);
  } finally {
    for (const { started, close } of roles) {
      await started.end('SIGKILL');
      close();
    }
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const measured = async (
  program: { address: string; key: string },
  roles: readonly CountedCluster[],
): Promise<ClusterCost> => {
  const { asked } = await fillPages(program);
  await sleep(SETTLED_MS);
  const begun = performance.now();
  const before = roles.map(doneBy);
  await sleep(IDLE_SECONDS * 1_000);
  const after = roles.map(doneBy);
  const seconds = (performance.now() - begun) / 1_000;
  const waits: number[] = [];
  const laps = [after];
  for (let post = 0; post < POSTS; post++) {
    const sent = performance.now();
    await callApi(program, asked);
    waits.push(performance.now() - sent);
    await sleep(PAUSE_MS);
    laps.push(roles.map(doneBy));
  }
  const costOf = (role: number): RoleCost => {
    const perSecond = (what: keyof Done): number =>
      ((after[role]?.[what] ?? 0) - (before[role]?.[what] ?? 0)) / seconds;
    const perPost = (what: keyof Done): number =>
      median(laps.slice(1).map((lap, index) => (lap[role]?.[what] ?? 0) - (laps[index]?.[role]?.[what] ?? 0)));
    return {
      commands: perPost('commands'),
      calls: perPost('calls'),
      idle_commands_per_second: perSecond('commands'),
      idle_calls_per_second: perSecond('calls'),
      idle_cpu_percent: perSecond('cpu') / 10,
    };
  };
  return {
    median_ms: median(waits),
    roles: Object.fromEntries(ROLES.map((role, index) => [role, costOf(index)])) as ClusterCost['roles'],
  };
};
