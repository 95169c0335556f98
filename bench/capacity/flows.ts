/** What a steady flow of check runs costs: CPU time at rest and at two rates, and the line through them. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../http/http.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Program } from '../tools/program.ts';
import { childrenOf, usageOfEnded } from '../tools/usage.ts';
import type { Flow } from './costs.ts';

/** The shortest interval of a check, seconds. */
const INTERVAL = 30;
/** How many times as many checks run at the higher rate. */
const FEWER = 6;
const SECONDS = sizeOf('CAPACITY_SECONDS', 30);
/** Until runs under way have ended. */
const SETTLING = sizeOf('CAPACITY_SETTLING', 10);
/** Long enough for what follows from creating checks, and until what runs often is compiled. */
const WARM_UP = sizeOf('CAPACITY_WARM_UP', 90);
const CREATED_AT_ONCE = 8;
const RETRY_MS = 1_000;
const NANOSECONDS = 1e6;

/** Milliseconds that each thread of a process ran for, by its id. */
export const threadsOf = (pid: number): Map<number, number> =>
  new Map(
    readdirSync(`/proc/${pid.toString()}/task`).flatMap((thread) => {
      try {
        const [nanoseconds] = readFileSync(`/proc/${pid.toString()}/task/${thread}/schedstat`, 'utf8').split(' ');
        return [[Number(thread), Number(nanoseconds) / NANOSECONDS] as const];
      } catch {
        return []; // ended meanwhile
      }
    }),
  );

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** Milliseconds of CPU time of a process, without those it has started. */
export const cpuOf = (pid: number): number => sumOf(threadsOf(pid).values());

/** The same of the processes that it has started, those that have ended included. */
export const cpuBelow = (pid: number): number =>
  usageOfEnded(pid) * 1_000 + sumOf(childrenOf(pid).map((child) => cpuOf(child) + cpuBelow(child)));

/** Results that a process has stored since its start, by its `/metrics`. */
const storedBy = async (address: string): Promise<number> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const counts = [...text.matchAll(/^check_run_duration_seconds_count\{[^}]*\} (\S+)$/gm)];
  return sumOf(counts.map(([, count]) => Number(count)));
};

type Asked = Pick<Program, 'address' | 'key'>;

/** Creates checks in a group of their own. @returns pauses them all */
const createChecks = async (program: Asked, url: string, count: number): Promise<() => Promise<void>> => {
  const { id } = (await ask(program, { path: '/v1/check-groups', body: { name: 'Shops' } })) as { id: string };
  let left = count;
  const headers = { authorization: program.key, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Shop', type: 'web', interval: INTERVAL, url, group_id: id });
  const create = async (): Promise<void> => {
    while (left > 0) {
      const response = await fetch(`${program.address}/v1/checks`, { method: 'POST', headers, body });
      await response.text();
      const { status } = response;
      if (status === 201 || status === 202) left--;
      // On a busy machine: later, then.
      else if (status === 503) await sleep(RETRY_MS);
      else throw new Error(`A check could not be created: ${status.toString()}.`);
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

/** A second of it. */
interface Second {
  runs: number;
  /** milliseconds of CPU time of each part; or whatever else is counted */
  used: Record<string, number>;
}

export interface FlowsOptions {
  /** takes requests */
  api: Asked;
  /** stores results; its `/metrics` count them */
  runner: string;
  /** the target of the checks */
  url: string;
  /** what each part has used so far */
  used: () => Record<string, number>;
  /** how many checks there are at the higher rate */
  checks: number;
}

/** What each part uses at rest and per run. */
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
  // The highest rate comes first: what is measured later is compiled by then, and nothing follows from creation.
  const high = await watch(WARM_UP);
  await pauseMost();
  const low = await watch(SETTLING);
  await pauseFew();
  const idle = await watch(SETTLING);
  console.error(`measured at ${high.runs.toFixed(1)} and ${low.runs.toFixed(1)} runs a second`);
  return Object.fromEntries(Object.keys(idle.used).map((part) => [part, flowThrough(part, [idle, low, high])]));
};

/** A line is told from a constant where its slope is at least this share of the average. */
const LEAST_SLOPE = 0.2;

/**
 * The line through two rates; what it has above rest where no run is counted is what any flow costs. If the line can't
 * be told from a constant, all is counted as costs of runs, at the higher rate: an upper bound for those beyond.
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

/** Three significant digits: measurements are no more exact. */
export const round = (value: number): number => Number(value.toPrecision(3));
