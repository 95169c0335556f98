import { startChild } from '../tools/child.ts';
import { startProgram } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { childrenOf, usageOf } from '../tools/usage.ts';
import type { Costs } from './costs.ts';
import { cpuBelow, measureFlows, round, threadsOf } from './flows.ts';

const CHECKS = sizeOf('CAPACITY_CHECKS', 1_800);

/** Measures an embedded service: the cost of check runs for each kind of thread, and the memory. */
export const measureEmbedded = async (): Promise<{
  flows: Costs['embedded'];
  memory: Omit<Costs['memory'], 'check'>;
}> => {
  const servers = await startChild('checks/probe-servers');
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  const { pid } = program;
  try {
    const { http } = (await servers.ask({ value: null })) as { http: number };
    const idle = usageOf(pid).memory;
    const used = (): Record<string, number> => ({
      ...Object.fromEntries([...threadsOf(pid)].map(([thread, cpu]) => [thread, cpu])),
      probes: cpuBelow(pid),
    });
    const all = await measureFlows({
      api: program,
      runner: program.address,
      url: `http://127.0.0.1:${http}/`,
      used,
      checks: CHECKS,
    });
    const { probes, [pid.toString()]: main, ...others } = all;
    // The busiest thread except the main thread is the projection engine.
    const [engine, ...rest] = Object.values(others).sort((one, other) => other.each - one.each);
    if (!probes || !main || !engine) throw new Error('Nothing was measured.');
    const threads = rest.reduce((sum, flow) => ({
      idle: round(sum.idle + flow.idle),
      flowing: round(sum.flowing + flow.flowing),
      each: round(sum.each + flow.each),
    }));
    return {
      flows: { main, engine, threads, probes },
      memory: {
        idle,
        busy: usageOf(pid).memory,
        probes: Math.max(0, ...childrenOf(pid).map((child) => usageOf(child).memory)),
      },
    };
  } finally {
    await program.stop();
    await servers.stop();
  }
};
