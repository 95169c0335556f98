import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { startClusterServers } from '../../test/e2e/cluster-servers.ts';
import { startCounted, type CountedCluster } from '../stores/idle.ts';
import { startChild } from '../tools/child.ts';
import { ADMIN_API_KEY } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Costs } from './costs.ts';
import { cpuBelow, cpuOf, measureFlows } from './flows.ts';

const ROLES = ['api', 'project', 'schedule', 'run'] as const;
const LOOK_MS = 100;
/** Number of checks. There are fewer than for an embedded service, because the stand-ins of the servers are slow. */
const CHECKS = sizeOf('CAPACITY_CLUSTER_CHECKS', 900);

/**
 * Measures the cost of check runs for each process of a cluster, with the tests' stand-ins for EventStoreDB and
 * MongoDB. The CPU time of a stand-in is not that of the real server, so only the number of requests to the servers is
 * measured.
 */
export const measureCluster = async (): Promise<Costs['cluster']> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-capacity-'));
  const targets = await startChild('checks/probe-servers');
  const servers = await startClusterServers(folder);
  const { own } = servers.eventStoreDb;
  const region = defaultRegionOf(REGIONS).aliases[0];
  const roles: CountedCluster[] = [];
  try {
    if (!own) throw new Error('Requests can be counted only on the way to an EventStoreDB that this run has started.');
    const { http } = (await targets.ask({ value: null })) as { http: number };
    const environment = { ...servers.environment, ADMIN_API_KEY, LOG_LEVEL: 'warn', NODE_ENV: 'production' };
    for (const role of ROLES) {
      const parameters = role === 'run' ? [role, '--region', region] : [role];
      roles.push(await startCounted(servers, own, environment, parameters));
    }
    const [api, project, schedule, run] = roles.map(({ started }) => started);
    if (!api || !project || !schedule || !run) throw new Error('The cluster is incomplete.');
    while (!(await fetch(`${api.address}/health/ready`)).ok) await sleep(LOOK_MS);
    const flows = await measureFlows({
      api: { address: api.address, key: ADMIN_API_KEY },
      runner: run.address,
      url: `http://127.0.0.1:${http}/`,
      checks: CHECKS,
      used: () => ({
        api: cpuOf(api.pid),
        project: cpuOf(project.pid),
        schedule: cpuOf(schedule.pid),
        run: cpuOf(run.pid),
        probes: cpuBelow(run.pid),
        eventstoredb: roles.reduce((sum, { eventStoreDb }) => sum + eventStoreDb.count(), 0),
        mongodb: roles.reduce((sum, { mongoDb }) => sum + mongoDb.count(), 0),
      }),
    });
    return flows as unknown as Costs['cluster'];
  } finally {
    for (const { started, close } of roles) {
      await started.end('SIGKILL');
      close();
    }
    await servers.stop();
    await targets.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
