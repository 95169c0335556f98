/**
 * Runs icmp checks in a separate process, so that the CPU time of this process and of its child processes is that of
 * the checks.
 */
import { createTargetPolicy } from '../../domain/target/policy.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { createPing } from '../../probes/icmp/ping.ts';
import { createRunIcmp } from '../../probes/icmp/run.ts';
import { createRunCache } from '../../probes/engine/run-cache.ts';
import { runTool } from '../../probes/engine/tool.ts';
import { NO_REGISTRIES } from '../../test/probes/run-context.ts';
import type { ProbeLoopTimes } from './probe-loop.ts';
import { usageOfEnded } from '../tools/usage.ts';

export interface IcmpLoopTask {
  checks: number;
  /** number of checks due at the same time */
  atOnce: number;
}

export interface IcmpLoopResult extends ProbeLoopTimes {
  /** number of processes started by the checks */
  processes: number;
}

let processes = 0;
const run = createRunIcmp(
  createPing((...task) => {
    processes += 1;
    return runTool(...task);
  }),
);
const context = {
  clock: systemClock,
  resolve: systemResolve,
  policy: createTargetPolicy({ policy: 'internal' }),
  memory: createRunCache(systemClock),
  fresh: false,
  registries: NO_REGISTRIES,
};

/** Returns a loopback address of this machine, a different one for each check. */
const addressOf = (index: number): string => `127.1.${index >> 8}.${index & 255}`;

const runOne = async (index: number): Promise<void> => {
  const check = { type: 'icmp', url: null, host: addressOf(index), port: null, timeout: 10, secrets: {} } as const;
  const { status, error_message } = await run(
    { ...check, parameters: { probe_count: 1 } },
    { ...context, signal: new AbortController().signal },
  );
  if (status !== 'ok') throw new Error(error_message ?? status);
};

process.on('message', ({ checks, atOnce }: IcmpLoopTask) => {
  void (async () => {
    processes = 0;
    const ended = usageOfEnded(process.pid);
    const before = process.cpuUsage();
    const started = performance.now();
    for (let done = 0; done < checks; done += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, index) => runOne(index)));
    const wall = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    // fping has reported the final reply, but its process may not have ended yet. Wait for its end, because only the
    // CPU time of ended processes is counted.
    await new Promise((later) => setTimeout(later, 50));
    const cpu = (user + system) / 1_000 + (usageOfEnded(process.pid) - ended) * 1_000;
    process.send?.({ wall, cpu, processes } satisfies IcmpLoopResult);
  })();
});
process.once('disconnect', () => {
  process.exit();
});
process.send?.('ready');
