/**
 * Probes a target at full speed, either with Uptrail's probes, which store their results on disk, or with a bare loop
 * that stores nothing. Runs in a separate process, so that the process's CPU time is that of the probes.
 */
import { connect } from 'node:net';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { Client } from 'undici';
import type { Run } from '../../probes/engine/check-type.ts';
import { launch } from '../../runners/processes/launch.ts';
import { createProbeProcesses, type ProbeProcesses } from '../../runners/processes/pool.ts';
import type { Probes } from '../../runners/probes.ts';
import { createRunCache } from '../../probes/engine/run-cache.ts';
import { RUNS } from '../../probes/index.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { derivedId } from '../../domain/identity.ts';
import { systemClock } from '../../network/clock.ts';
import { createPolicy } from '../../network/policy.ts';
import { systemResolve } from '../../network/resolve.ts';
import type { RunMessage } from '../../runners/run-message.ts';
import { createWorker } from '../../runners/worker/worker.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';
import { openInProcessQueue } from '../../stores/work-queue/in-process.ts';
import { NOTHING_RESERVED } from '../../test/network/nothing-reserved.ts';
import { compiled } from '../../test/project.ts';
import { NO_REGISTRIES } from '../../test/probes/run-context.ts';
import { childrenOf, usageOf } from '../tools/usage.ts';

export type Loop = 'uptrail' | 'undici' | 'node';

export interface ProbeLoopTask {
  loop: Loop;
  /** `http://127.0.0.1:3000/`, `https://…`, `tcp://127.0.0.1:3000` */
  url: string;
  /** PEM of a trusted certificate */
  trust: string;
  probes: number;
  concurrency: number;
  /** for Uptrail's probes: number of probe processes, as in the service; if absent, the probes run in this process */
  processes?: number;
}

/**
 * Wall-clock time and CPU time in milliseconds. The CPU time is that of all threads, including those of probe
 * processes.
 */
export interface ProbeLoopTimes {
  wall: number;
  cpu: number;
}

/** Returns the CPU time of all child processes in seconds. */
const ofChildren = (): number =>
  pools.size === 0 ? 0 : childrenOf(process.pid).reduce((sum, pid) => sum + usageOf(pid).cpu, 0);

const tookOf = async (task: () => Promise<void>): Promise<ProbeLoopTimes> => {
  const children = ofChildren();
  const before = process.cpuUsage();
  const started = performance.now();
  await task();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1_000 + (ofChildren() - children) * 1_000 };
};

/** Runs probes, at most `concurrency` at the same time. */
const bareLoop = async ({ probes, concurrency }: ProbeLoopTask, probe: () => Promise<void>): Promise<void> => {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun++ < probes) await probe();
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
};

const bareProbe = ({ loop, url, trust }: ProbeLoopTask): (() => Promise<void>) => {
  const { protocol, hostname, port, origin } = new URL(url);
  // The context is created only once, because creating a context takes longer than a probe.
  const secureContext = createSecureContext({ ca: trust });
  if (protocol === 'tcp:') {
    return () =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port), noDelay: true });
        socket.once('error', reject);
        socket.once('connect', () => {
          socket.destroy();
          resolve();
        });
      });
  }
  if (loop === 'undici') {
    return async () => {
      const client = new Client(origin, { connect: { secureContext } });
      const { statusCode, body } = await client.request({ path: '/', method: 'GET', reset: true });
      if (statusCode !== 200) throw new Error(`The server answered ${statusCode}.`);
      await body.dump();
      client.destroy(null).catch(() => undefined);
    };
  }
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  return () =>
    new Promise((resolve, reject) => {
      const callApi = request(url, { agent: false, secureContext } as object, (response) => {
        response.resume();
        response.once('end', resolve);
      });
      callApi.once('error', reject);
      callApi.end();
    });
};

const settings = {
  rules: { policy: 'internal' },
  reserved: NOTHING_RESERVED,
  trust: [] as string[],
  registries: NO_REGISTRIES,
} as const;

/**
 * Probe processes, by the number of processes in the pool. Pools are reused in later rounds, because the start of
 * processes is not to be measured.
 */
const pools = new Map<number, ProbeProcesses>();

const poolOf = (processes: number, trust: string): ProbeProcesses => {
  const known = pools.get(processes);
  if (known) return known;
  const pool = createProbeProcesses({
    types: ['web', 'tcp'],
    launch: () => launch('./probe-process', pathToFileURL(compiled('runners/processes/probe-process.ts')).href),
    settings: { ...settings, trust: [trust] },
    most: processes,
    clock: systemClock,
    died: ({ cause }) => {
      throw new Error(`A probe process was lost: ${cause}.`);
    },
  });
  pools.set(processes, pool);
  return pool;
};

/** Creates probes that run in this process. */
const probesHere = (trust: string): Probes => {
  const policy = createPolicy(settings.rules, settings.reserved);
  const context = {
    clock: systemClock,
    resolve: systemResolve,
    policy,
    trust: [trust],
    memory: createRunCache(systemClock),
    registries: NO_REGISTRIES,
  };
  return {
    types: ['web', 'tcp'],
    run: (check, { signal, fresh }) => (RUNS.get(check.type) as Run)(check, { ...context, signal, fresh }),
  };
};

/** Runs the probes like the service: with a queue, a worker, and a log on disk. */
const ownLoop = async (asked: ProbeLoopTask, log: EventStore) => {
  const { url, trust, probes, concurrency, processes } = asked;
  const region = defaultRegionOf(REGIONS);
  const queue = openInProcessQueue({ limit: probes });
  let bad = 0;
  let open = probes;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const worker = createWorker({
    region,
    server: () => ({
      id: derivedId('server'),
      country: 'RU',
      region: region.id,
      ip_address: '127.0.0.1',
      server_metadata: {},
    }),
    probes: processes === undefined ? probesHere(trust) : poolOf(processes, trust),
    queue,
    results: createBatches({ log, after: systemClock.after, limits: { enough: Math.ceil(concurrency / 2) } }),
    keys: createMemoryKeys(),
    secretsOf: async () => [],
    clock: systemClock,
    concurrency,
    wanted: () => true,
    finished: () => {
      open -= 1;
      if (open === 0) end();
    },
    observe: {
      stored: ({ outcome }) => {
        if (outcome.status !== 'ok') bad += 1;
      },
    },
  });
  const { protocol, hostname, port } = new URL(url);
  const target =
    protocol === 'tcp:'
      ? { type: 'tcp' as const, url: null, host: hostname, port: Number(port) }
      : { type: 'web' as const, url, host: null, port: null };
  const now = Date.now();
  for (let run = 0; run < probes; run++) {
    const payload: RunMessage = {
      check_id: derivedId(`check ${run % 1_000}`),
      organization_id: 'org000000001',
      slot: now,
      result_type: 'regular',
      execution_id: null,
      execution_group_id: null,
      answer_by: null,
      definition: { ...target, timeout: 10, parameters: {} },
    };
    const run_id = derivedId(`run ${run} at ${now}`);
    await queue.offer({ run_id, region: region.aliases[0], not_after: now + 600_000, payload });
  }
  const took = await tookOf(async () => {
    worker.start();
    await ended;
  });
  await worker.stop();
  await queue.close();
  if (bad > 0) throw new Error(`${bad} of ${probes} probes were bad.`);
  return took;
};

const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
const file = await openSqliteEventStore({ file: join(folder, 'results.db'), name: 'results', mode: 'service' });
const log = createCheckedStore(file);

process.on('message', (asked: ProbeLoopTask) => {
  void (async () => {
    const took =
      asked.loop === 'uptrail' ? await ownLoop(asked, log) : await tookOf(() => bareLoop(asked, bareProbe(asked)));
    process.send?.(took);
  })();
});
process.once('disconnect', () => {
  const stopped = [...pools.values()].map((pool) => pool.stop());
  void Promise.all([...stopped, file.close()]).then(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
});
process.send?.('ready');
