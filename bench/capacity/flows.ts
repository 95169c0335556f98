/**
 * Measures the cost of a steady rate of check runs. Measures the CPU time of an idle service and at two rates, and
 * calculates the line through the costs at the two rates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../http/http.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Program } from '../tools/program.ts';
import { childrenOf, usageOfEnded } from '../tools/usage.ts';
import type { Flow } from './costs.ts';

/** Interval of the checks in seconds: the shortest that the API accepts. */
const INTERVAL = 30;
/** Ratio of the higher rate to the lower one. */
const FEWER = 6;
const SECONDS = sizeOf('CAPACITY_SECONDS', 30);
/** Seconds until pending runs have ended. */
const SETTLING = sizeOf('CAPACITY_SETTLING', 10);
/** Seconds until the effects of creating checks are over, and hot code is compiled. */
const WARM_UP = sizeOf('CAPACITY_WARM_UP', 90);
const CREATED_AT_ONCE = 8;
const RETRY_MS = 1_000;
const NANOSECONDS = 1e6;

/** Returns the CPU time of each thread of a process in milliseconds, by thread id. */
export const threadsOf = (pid: number): Map<number, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      try {
        const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
        return [[Number(thread), Number(nanoseconds) / NANOSECONDS] as const];
      } catch {
        return []; // The thread has ended meanwhile.
      }
    }),
  );

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** Returns the CPU time of a process in milliseconds, without its child processes. */
export const cpuOf = (pid: number): number => sumOf(threadsOf(pid).values());

/**
 * Returns the CPU time of all child processes of a process in milliseconds, including child processes that have ended.
 */
export const cpuBelow = (pid: number): number =>
  usageOfEnded(pid) * 1_000 + sumOf(childrenOf(pid).map((child) => cpuOf(child) + cpuBelow(child)));

/** Reads from `/metrics` how many results a process has stored since its start. */
const storedBy = async (address: string): Promise<number> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const counts = [...text.matchAll(/^check_run_duration_seconds_count\{[^}]*\} (\S+)$/gm)];
  return sumOf(counts.map(([, count]) => Number(count)));
};

type Asked = Pick<Program, 'address' | 'key'>;

/**
 * Creates checks in a new group.
 *
 * @returns a function that pauses all of them
 */
const createChecks = async (program: Asked, url: string, count: number): Promise<() => Promise<void>> => {
  const { id } = (await callApi(program, { path: '/v1/check-groups', body: { name: 'Shops' } })) as { id: string };
  let left = count;
  const headers = { authorization: program.key, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Shop', type: 'web', interval: INTERVAL, url, group_id: id });
  const create = async (): Promise<void> => {
    while (left > 0) {
      const response = await fetch(`${program.address}/v1/checks`, { method: 'POST', headers, body });
      await response.text();
      const { status } = response;
      if (status === 201 || status === 202) left--;
      // 503: the machine is busy, so the request is retried later.
      else if (status === 503) await sleep(RETRY_MS);
      else throw new Error(`A check could not be created: ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return async () => {
    const paused = JSON.stringify({ active: false });
    const path = `${program.address}/v1/check-groups/${id}`;
    const { ok } = await fetch(path, { method: 'PATCH', headers, body: paused });
    if (!ok) throw new Error('The checks could not be paused.');
  };
};

/** Usage during a measurement, per second. */
interface Second {
  runs: number;
  /** by part: milliseconds of CPU time, or another count */
  used: Record<string, number>;
}

export interface FlowsOptions {
  /** the process that receives API requests */
  api: Asked;
  /** the process that stores results and counts them in its `/metrics` */
  runner: string;
  /** the target of the checks */
  url: string;
  /** returns the cumulative usage of each part */
  used: () => Record<string, number>;
  /** number of checks at the higher rate */
  checks: number;
}

/** Measures what each part uses when idle, and per run. */
export const measureFlows = async ({ api, runner, url, used, checks }: FlowsOptions): Promise<Record<string, Flow>> => {
  const watch = async (settling: number): Promise<Second> => {
    await sleep(settling * 1_000);
    const [before, runs, began] = [used(), await storedBy(runner), performance.now()];
    await sleep(SECONDS * 1_000);
    const after = used();
    const seconds = (performance.now() - began) / 1_000;
    return {
      runs: ((await storedBy(runner)) - runs) / seconds,
      used: Object.fromEntries(
        Object.entries(after).map(([part, value]) => [part, (value - (before[part] ?? 0)) / seconds]),
      ),
    };
  };
  const few = Math.ceil(checks / FEWER);
  const pauseFew = await createChecks(api, url, few);
  const pauseMost = await createChecks(api, url, checks - few);
  // The higher rate is measured first. So when the lower rate and the idle process are measured, the code is compiled,
  // and the effects of creating the checks are over.
  const high = await watch(WARM_UP);
  await pauseMost();
  const low = await watch(SETTLING);
  await pauseFew();
  const idle = await watch(SETTLING);
  console.error(`measured at ${high.runs.toFixed(1)} and ${low.runs.toFixed(1)} runs per second`);
  return Object.fromEntries(Object.keys(idle.used).map((part) => [part, flowThrough(part, [idle, low, high])]));
};

/** Minimum slope of a line that can be distinguished from a constant, as a fraction of the average cost per run. */
const LEAST_SLOPE = 0.2;

/**
 * Calculates the line through the costs at two rates. Its value at zero runs, minus the idle cost, becomes `flowing`.
 * Its slope becomes `each`. If the line can't be distinguished from a constant, the whole cost at the higher rate
 * counts as `each`, which is an upper bound for higher rates.
 */
const flowThrough = (part: string, [idle, low, high]: [Second, Second, Second]): Flow => {
  const at = ({ used }: Second): number => used[part] ?? 0;
  const least = Math.max(0, Math.min(at(idle), at(high)));
  const average = (at(high) - least) / high.runs;
  const each = (at(high) - at(low)) / (high.runs - low.runs);
  if (each < LEAST_SLOPE * average) return { idle: round(least), flowing: 0, each: round(average) };
  const base = Math.max(0, at(high) - each * high.runs);
  const rest = Math.min(least, base);
  return { idle: round(rest), flowing: round(base - rest), each: round(Math.min(each, at(high) / high.runs)) };
};

/** Rounds to three significant digits, the precision of the measurements. */
export const round = (value: number): number => Number(value.toPrecision(3));
