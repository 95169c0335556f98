import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../http/http.ts';
import { fillService, postCounts, postTimes, type FilledService, type PostTimes } from './posts.ts';
import { resourcesBelow, usageBelow, type ProcessResources } from './processes.ts';
import { startService, type Service, type ServiceOptions } from './service.ts';
import { startTally, type Tally } from './tally.ts';
import { walBytes } from './wal.ts';

const SETTLED_MS = 5_000;

/** Usage of a service without requests, after some incidents were opened. */
export interface IdleCost extends ProcessResources, Omit<Tally, 'cpu_ms'> {
  /** duration of the measurement */
  seconds: number;
  /** CPU usage of all processes, in percent of a core */
  cpu_percent: number;
  /** total size of all WAL files */
  wal_bytes: number;
}

/** Milliseconds of CPU time for one request. */
export interface GetCost {
  incident_cpu_ms: number;
  /** a list of 20 incidents */
  list_cpu_ms: number;
}

/** The costs of one program. */
export interface EmbeddedCost {
  /** milliseconds from the start until the program was ready, without data */
  ready_ms: number;
  post: PostTimes & Omit<Tally, 'cpu_ms'>;
  get: GetCost;
  idle: IdleCost;
}

export const idleCost = async (service: Service, seconds: number): Promise<IdleCost> => {
  const tally = await startTally(service);
  const begun = performance.now();
  await sleep(seconds * 1_000);
  const took = performance.now() - begun;
  const { cpu_ms, ...done } = await tally();
  return {
    seconds,
    cpu_percent: (cpu_ms / took) * 100,
    ...done,
    ...resourcesBelow(service.pid, service.dataDirectory),
    wal_bytes: walBytes(service.dataDirectory),
  };
};

const cpuOfGets = async ({ service }: FilledService, path: string, requests: number): Promise<number> => {
  const gets = async (count: number): Promise<void> => {
    for (let request = 0; request < count; request++) await callApi(service, { path });
  };
  await gets(requests);
  const before = usageBelow(service.pid).cpu;
  await gets(requests);
  return (usageBelow(service.pid).cpu - before) / requests;
};

export interface MeasurementSizes {
  /** number of requests whose work is counted; `turns`: number of rounds of five requests whose time is measured */
  posts: number;
  turns: number;
  gets: number;
  idleSeconds: number;
  /** number of additional starts to measure */
  starts: number;
}

const startedAfter = async (options: ServiceOptions): Promise<number> => {
  const { readyAfter, stop } = await startService(options);
  await stop();
  return readyAfter;
};

/**
 * Measures several kinds of services. Times are measured in alternation, so that other load on the machine affects all
 * of them. Statements are counted for this checkout only.
 */
export const embeddedCosts = async (
  kinds: readonly ServiceOptions[],
  { posts, turns, gets, idleSeconds, starts }: MeasurementSizes,
): Promise<EmbeddedCost[]> => {
  const ready = kinds.map((): number[] => []);
  for (let start = 0; start < starts; start++)
    for (const [index, kind] of kinds.entries()) ready[index]?.push(await startedAfter(kind));
  const services: Service[] = [];
  try {
    for (const [index, kind] of kinds.entries()) {
      const service = await startService(kind);
      services.push(service);
      ready[index]?.push(service.readyAfter);
    }
    const filled: FilledService[] = [];
    for (const service of services) filled.push(await fillService(service));
    await sleep(SETTLED_MS);
    const idle = await Promise.all(services.map((service) => idleCost(service, idleSeconds)));
    const counted = await postCounts(filled, posts);
    const times = await postTimes(filled, turns);
    const costs: EmbeddedCost[] = [];
    for (const [index, one] of filled.entries()) {
      const get: GetCost = {
        incident_cpu_ms: await cpuOfGets(one, one.paths.incident, gets),
        list_cpu_ms: await cpuOfGets(one, one.paths.list, gets),
      };
      const [ofIdle, ofPost, timesOfPost] = [idle[index], counted[index], times[index]];
      if (!ofIdle || !ofPost || !timesOfPost) throw new Error('Nothing was measured.');
      costs.push({
        ready_ms: Math.min(...(ready[index] ?? [])),
        post: { ...ofPost, ...timesOfPost },
        get,
        idle: ofIdle,
      });
    }
    return costs;
  } finally {
    for (const service of services) await service.stop();
  }
};
