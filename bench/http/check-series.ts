/** Measures a scrape of `/metrics` with series of many checks, and how long it delays other requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeLogs, fillChecks, openLogs } from '../tools/many-checks.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const CHECKS = sizeOf('CHECK_SERIES_CHECKS', 10_000);
/** Pause between two requests that measure the delay. */
const PAUSE_MS = 5;
/** Time in which delays are measured without scrapes, in milliseconds, because other programs cause delays too. */
const UNDISTURBED_MS = 10_000;
/** Pause between two scrapes that must have the same number of series, in milliseconds. */
const SETTLED_MS = 3_000;
const ROUNDS = sizeOf('CHECK_SERIES_ROUNDS', 15);

/** Requests `/health/live` every few milliseconds until the promise settles. Returns the durations in milliseconds. */
const delaysDuring = async (program: Program, work: Promise<unknown>): Promise<number[]> => {
  const delays: number[] = [];
  const progress = { isDone: false };
  void work.finally(() => {
    progress.isDone = true;
  });
  while (!progress.isDone) {
    const began = performance.now();
    await (await fetch(`${program.address}/health/live`)).text();
    delays.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  return delays;
};

const scrape = async ({ address }: Program): Promise<{ text: string; took: number }> => {
  const began = performance.now();
  const text = await (await fetch(`${address}/metrics`)).text();
  return { text, took: performance.now() - began };
};

const seriesIn = (text: string): number => text.split('\n').filter((line) => line.startsWith('uptrail_check_')).length;

/** Scrapes until two scrapes have the same number of series, because read models follow the logs with a delay. */
const untilComplete = async (program: Program): Promise<void> => {
  let known = -1;
  for (let now = 0; now === 0 || now !== known; now = seriesIn((await scrape(program)).text)) {
    known = now;
    await sleep(SETTLED_MS);
  }
};

const delaysOf = (delays: readonly number[]): string =>
  `p50 ${median([...delays]).toFixed(1)} ms, p99 ${percentile([...delays], 0.99).toFixed(1)} ms, maximum ${Math.max(...delays).toFixed(0)} ms`;

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-check-series-'));
  const program = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'error', METRICS_CHECKS: '100000' });
  const logs = await openLogs(folder);
  try {
    await fillChecks(program, logs, { from: 0, to: CHECKS, hours: 1, parked: false });
    await untilComplete(program);
    const undisturbed = await delaysDuring(program, sleep(UNDISTURBED_MS));
    const times: number[] = [];
    const delays: number[] = [];
    const before = usageOf(program.pid);
    let text = '';
    for (let round = 0; round < ROUNDS; round++) {
      const scraped = await scrape(program);
      text = scraped.text;
      times.push(scraped.took);
    }
    const after = usageOf(program.pid);
    for (let round = 0; round < ROUNDS; round++) delays.push(...(await delaysDuring(program, scrape(program))));
    const cpu = ((after.cpu - before.cpu) * 1_000) / ROUNDS;
    const grown = (after.memory - before.memory) / 1_048_576;
    return [
      {
        what: `a scrape with the series of ${CHECKS.toLocaleString('en')} checks`,
        figure: `${median(times).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`,
        peer: `${cpu.toFixed(0)} ms of CPU in all threads, ${seriesIn(text)} series, ${(text.length / 1_048_576).toFixed(1)} MiB`,
        aim: '< 1 s',
      },
      {
        what: 'other requests during the scrapes',
        figure: delaysOf(delays),
        peer: `without scrapes ${delaysOf(undisturbed)}; memory grew by ${grown.toFixed(0)} MiB in ${ROUNDS} scrapes`,
        aim: '< 50 ms',
      },
    ];
  } finally {
    await program.stop();
    await closeLogs(logs);
    rmSync(folder, { recursive: true, force: true });
  }
};
