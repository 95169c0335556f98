/** Runs icmp checks in its own process, so its CPU time and that of the programs it starts is theirs. */
import { createTargetPolicy } from '../../domain/target/policy.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { createPing } from '../../probes/icmp/ping.ts';
import { createRunIcmp } from '../../probes/icmp/run.ts';
import { createMemory } from '../../probes/engine/memory.ts';
import { runTool } from '../../probes/engine/tool.ts';
import { NO_REGISTRIES } from '../../test/probes/probing.ts';
import type { Took } from './probe-loop.ts';
import { usageOfEnded } from '../tools/usage.ts';

export interface IcmpAsked {
  checks: number;
  /** how many are due at once */
  atOnce: number;
}

export interface IcmpTook extends Took {
  /** how many were started */
  processes: number;
}

let processes = 0;
const run = createRunIcmp(
  createPing((...asked) => {
    processes += 1;
    return runTool(...asked);
  }),
);
const context = {
  clock: systemClock,
  resolve: systemResolve,
  policy: createTargetPolicy({ policy: 'internal' }),
  memory: createMemory(systemClock),
  fresh: false,
  registries: NO_REGISTRIES,
};

/** Addresses of this machine, so that no two checks have the same. */
const addressOf = (index: number): string => `127.1.${(index >> 8).toString()}.${(index & 255).toString()}`;

const runOne = async (index: number): Promise<void> => {
  const check = { type: 'icmp', url: null, host: addressOf(index), port: null, timeout: 10, secrets: {} } as const;
  const { status, error_message } = await run(
    { ...check, parameters: { probe_count: 1 } },
    { ...context, signal: new AbortController().signal },
  );
  if (status !== 'ok') throw new Error(error_message ?? status);
};

process.on('message', ({ checks, atOnce }: IcmpAsked) => {
  void (async () => {
    processes = 0;
    const ended = usageOfEnded(process.pid);
    const before = process.cpuUsage();
    const started = performance.now();
    for (let done = 0; done < checks; done += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, index) => runOne(index)));
    const wall = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    // fping has told the last answer, but may not have ended yet.
    await new Promise((later) => setTimeout(later, 50));
    const cpu = (user + system) / 1_000 + (usageOfEnded(process.pid) - ended) * 1_000;
    process.send?.({ wall, cpu, processes } satisfies IcmpTook);
  })();
});
process.once('disconnect', () => {
  process.exit();
});
process.send?.('ready');
