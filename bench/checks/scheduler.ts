/** Measures how late runs are with very many active checks, while all results are stored. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, type Child } from '../tools/child.ts';
import { sizeOf } from '../tools/sizes.ts';
import { perSecond, type Row } from '../tools/table.ts';

const CHECKS = sizeOf('SCHEDULER_CHECKS', 100_000);
const INTERVAL = 60;
/**
 * Seconds after the start until every check has run once and the first result of each check on that day has been
 * processed.
 */
const SETTLING = sizeOf('SCHEDULER_SETTLING', 80);
const SECONDS = sizeOf('SCHEDULER_SECONDS', 60);

/** A sample of `/metrics`. */
interface Moment {
  at: number;
  /** number of runs that were at most this many seconds late, by seconds */
  lateness: Map<number, number>;
  offered: number;
  stored: number;
  /** resident memory of the process, MiB */
  resident: number;
  /** heap of the main thread, MiB. The minimum of several samples is approximately the live heap */
  heap: number;
  /** 99th percentile of the event-loop delay since the previous sample, milliseconds */
  loop: number;
  skipped: number;
}

const look = async (address: string): Promise<Moment> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const all = (pattern: string): RegExpMatchArray[] => [...text.matchAll(new RegExp(`^${pattern} (\\S+)$`, 'gm'))];
  const sum = (pattern: string): number => all(pattern).reduce((total, match) => total + Number(match.at(-1)), 0);
  return {
    at: performance.now(),
    lateness: new Map(
      all('check_run_lateness_seconds_bucket\\{le="([^"]+)"\\}').map(([, le, count]) => [
        le === '+Inf' ? Infinity : Number(le),
        Number(count),
      ]),
    ),
    offered: sum('check_run_lateness_seconds_count'),
    stored: sum('check_run_duration_seconds_count\\{[^}]*\\}'),
    resident: sum('process_resident_memory_bytes') / 1_048_576,
    heap: sum('nodejs_heap_size_used_bytes') / 1_048_576,
    loop: sum('nodejs_eventloop_lag_p99_seconds') * 1_000,
    skipped: sum('check_runs_skipped_total\\{[^}]*\\}'),
  };
};

/**
 * Returns a quantile of the lateness of the runs between two samples, in seconds, from the buckets of the histogram.
 */
const latenessBetween = (before: Moment, after: Moment, share: number): number => {
  const wanted = (after.offered - before.offered) * share;
  let lower = { bound: 0, count: 0 };
  for (const [bound, total] of after.lateness) {
    const count = total - (before.lateness.get(bound) ?? 0);
    if (count >= wanted) {
      if (bound === Infinity) return Infinity;
      return lower.bound + ((bound - lower.bound) * (wanted - lower.count)) / Math.max(1, count - lower.count);
    }
    lower = { bound, count };
  }
  return Infinity;
};

const untilReady = async (address: string): Promise<void> => {
  while (!(await fetch(`${address}/health/ready`)).ok) await sleep(50);
};

const serving = async <T>(folder: string, use: (address: string) => Promise<T>): Promise<T> => {
  const child: Child = await startChild('checks/scheduler-service', { greets: true });
  try {
    const address = (await child.ask({ task: 'serve', folder })) as string;
    await untilReady(address);
    return await use(address);
  } finally {
    await child.stop();
  }
};

const SAMPLES = 12;

/** Takes samples at even intervals, the first one immediately. */
const watch = async (address: string, seconds: number): Promise<[Moment, ...Moment[]]> => {
  const moments: [Moment, ...Moment[]] = [await look(address)];
  for (let looks = 0; looks < SAMPLES; looks++) {
    await sleep((seconds * 1_000) / SAMPLES);
    moments.push(await look(address));
  }
  return moments;
};

const least = (moments: readonly Moment[], figure: 'heap' | 'resident'): number =>
  Math.min(...moments.map((moment) => moment[figure]));

const fill = async (folder: string): Promise<void> => {
  const child = await startChild('checks/scheduler-service', { greets: true });
  await child.ask({ task: 'fill', folder, checks: CHECKS, interval: INTERVAL });
  await child.stop();
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    const idle = await serving(join(folder, 'idle'), (address) => watch(address, 12));
    const full = join(folder, 'full');
    await fill(full);
    // The first start after filling the directory builds the read models, so it is not measured.
    await serving(full, async () => undefined);
    return await serving(full, async (address) => {
      await sleep(SETTLING * 1_000);
      const moments = await watch(address, SECONDS);
      const before = moments[0];
      const after = moments.at(-1) ?? before;
      const milliseconds = after.at - before.at;
      const late = (share: number): string => `${(latenessBetween(before, after, share) * 1_000).toFixed(1)} ms`;
      const due = (CHECKS / INTERVAL) * (milliseconds / 1_000);
      return [
        {
          what: `lateness at ${CHECKS.toLocaleString('en')} checks of ${INTERVAL} s, results stored, p99`,
          figure: late(0.99),
          peer: `median ${late(0.5)}; ${after.skipped - before.skipped} runs skipped`,
          aim: '< 50 ms',
        },
        {
          what: 'runs whose results were stored meanwhile',
          figure: perSecond(after.stored - before.stored, milliseconds),
          peer: `due ${perSecond(due, milliseconds)}`,
          ratio: (after.stored - before.stored) / due,
          aim: 'near 1',
        },
        {
          what: 'heap of the main thread, with the scheduler, above the idle service',
          figure: `${(least(moments, 'heap') - least(idle, 'heap')).toFixed(0)} MiB`,
          peer: `idle ${least(idle, 'heap').toFixed(0)} MiB`,
          aim: '< 100 MiB',
        },
        {
          what: 'resident memory above the idle service, all threads and caches of databases',
          figure: `${(after.resident - least(idle, 'resident')).toFixed(0)} MiB`,
          peer: `idle ${least(idle, 'resident').toFixed(0)} MiB`,
        },
        {
          what: 'event-loop delay of the main thread meanwhile, p99',
          figure: `${Math.max(...moments.slice(1).map(({ loop }) => loop)).toFixed(1)} ms`,
          peer: `the worst of ${SAMPLES} samples`,
          aim: '< 20 ms',
        },
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
