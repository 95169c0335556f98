/** Measures the cost of a service with few checks: none, and a thousand every 30 seconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../tools/child.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { type Row } from '../tools/table.ts';
import { childrenOf, usageOf } from '../tools/usage.ts';

const CHECKS = sizeOf('ORDINARY_CHECKS', 1_000);
const INTERVAL = 30;
/** Duration of the measurement with checks, in seconds. */
const SECONDS = sizeOf('ORDINARY_SECONDS', 60);
/** Duration of the measurement of an idle service, in seconds. */
const IDLE_SECONDS = sizeOf('ORDINARY_IDLE_SECONDS', 60);
const SETTLING = sizeOf('ORDINARY_SETTLING', 20);

interface Measured {
  /** CPU usage of all processes, as a fraction of one core */
  share: number;
  /** resident memory of the service, in bytes */
  service: number;
  /** resident memory of the largest probe process, in bytes; null if there is none */
  probing: number | null;
}

const measure = async (pid: number, seconds: number): Promise<Measured> => {
  await sleep(SETTLING * 1_000);
  const all = (): number[] => [pid, ...childrenOf(pid)];
  const spent = (): number => all().reduce((sum, one) => sum + usageOf(one).cpu, 0);
  const before = spent();
  const started = performance.now();
  await sleep(seconds * 1_000);
  const share = (spent() - before) / ((performance.now() - started) / 1_000);
  const probing = childrenOf(pid).map((child) => usageOf(child).memory);
  return { share, service: usageOf(pid).memory, probing: probing.length > 0 ? Math.max(...probing) : null };
};

const createChecks = async ({ address, key }: Program, url: string): Promise<void> => {
  const headers = { Authorization: key, 'Content-Type': 'application/json' };
  for (let index = 0; index < CHECKS; index++) {
    const body = JSON.stringify({ name: `Check ${index}`, type: 'web', interval: INTERVAL, url });
    const { status } = await fetch(`${address}/v1/checks`, { method: 'POST', headers, body });
    // 202: the check is stored, but not in the read models yet.
    if (status !== 201 && status !== 202) throw new Error(`A check could not be created: ${status}.`);
  }
};

/**
 * Reads how many runs were offered since the start. `prompt`: the runs that were offered within `seconds` of their due
 * time; `all`: all runs.
 */
const promptness = async ({ address }: Program, seconds: number): Promise<{ prompt: number; all: number }> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const figure = (name: string): number =>
    Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    prompt: figure(`check_run_lateness_seconds_bucket{le="${seconds}"}`),
    all: figure('check_run_lateness_seconds_count'),
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} % of a core`;
const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;

export const bench = async (): Promise<Row[]> => {
  if (process.platform !== 'linux') {
    console.error('skipped: process usage is read from /proc');
    return [];
  }
  const servers = await startChild('checks/probe-servers');
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  try {
    const { http } = (await servers.ask({ value: null })) as { http: number };
    const idle = await measure(program.pid, IDLE_SECONDS);
    await createChecks(program, `http://127.0.0.1:${http}/`);
    const from = await promptness(program, 0.25);
    const busy = await measure(program.pid, SECONDS);
    const to = await promptness(program, 0.25);
    const what = `${CHECKS.toLocaleString('en')} web checks of ${INTERVAL} s`;
    const runs = to.all - from.all;
    return [
      { what: 'idle service, all processes', figure: percent(idle.share), aim: '< 1 %' },
      { what: 'idle service, resident memory', figure: mebibytes(idle.service) },
      {
        what: `${what}, all processes`,
        figure: percent(busy.share),
        peer: `${((busy.share * 1_000 * INTERVAL) / CHECKS).toFixed(2)} ms of CPU per run`,
        aim: '< 6 %',
      },
      { what: `${what}, resident memory of the service`, figure: mebibytes(busy.service), aim: '< 220 MiB' },
      ...(busy.probing === null
        ? []
        : [{ what: `${what}, resident memory of a probe process`, figure: mebibytes(busy.probing), aim: '< 90 MiB' }]),
      {
        what: `${what}, started within 250 ms of being due`,
        figure: `${(((to.prompt - from.prompt) / runs) * 100).toFixed(1)} % of ${runs}`,
      },
    ];
  } finally {
    await program.stop();
    await servers.stop();
  }
};
