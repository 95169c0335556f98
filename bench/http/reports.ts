/**
 * Measures a report about half a year of 100 checks, in each format, and the response times of other clients during its
 * creation.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS, instantOf } from '../../domain/time.ts';
import { checkHourId, type CheckHourDocument, type Tally } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import { mergeResponseTimes, singleResponseTime } from '../../domain/check-result/response-times.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const CHECKS = sizeOf('REPORT_CHECKS', 100);
const DAYS = sizeOf('REPORT_DAYS', 182);
const RUNS_AN_HOUR = 60;
/** Number of different hourly documents. All other hours are copies of these. */
const SAMPLES = 50;
const ROUNDS = sizeOf('REPORT_ROUNDS', 3);

export const bench = async (): Promise<Row[]> => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'uptrail-reports-'));
  try {
    const checks = await withProgram(DATA_DIR, createChecks);
    await fillHours(join(DATA_DIR, 'read-models'), checks);
    return await withProgram(DATA_DIR, measure);
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
};

const withProgram = async <T>(DATA_DIR: string, use: (program: Program) => Promise<T>): Promise<T> => {
  const program = await startProgram({ DATA_DIR });
  try {
    return await use(program);
  } finally {
    await program.stop();
  }
};

const ask = async <T>({ address, key }: Program, path: string, body?: object): Promise<T> => {
  const reply = await fetch(address + path, {
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path} responded ${reply.status}: ${text}`);
  return JSON.parse(text) as T;
};

const createChecks = async (program: Program): Promise<string[]> => {
  const made: string[] = [];
  for (let n = 0; n < CHECKS; n++) {
    const check = {
      name: `Check ${n}`,
      type: 'tcp',
      host: '127.0.0.1',
      port: 9,
      active: false,
      interval: 60,
    };
    const { id } = await ask<{ id: string }>(program, '/v1/checks', check);
    made.push(id);
  }
  return made;
};

/** Creates the document of one hour of a check that runs every minute, with varying response times. */
const hourOf = (check_id: string, at: number, seed: number): CheckHourDocument => {
  const times = Array.from({ length: RUNS_AN_HOUR }, (_, n) => 40 + ((seed * 31 + n * 17) % 400));
  const sum = times.reduce((total, time) => total + time, 0);
  const ok: Tally = {
    count: times.length,
    timed: times.length,
    sum,
    times: mergeResponseTimes(times.map(singleResponseTime)),
  };
  const region = 'ru-central1';
  const hour = instantOf(at);
  const place = { check_id, organization_id: 'org000000001', region };
  return { id: checkHourId({ ...place, created_at: hour }), ...place, hour, tallies: { ok } };
};

/** Writes the hourly documents directly to the read model, because there would be 26 million results. */
const fillHours = async (directory: string, checks: readonly string[]): Promise<void> => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  try {
    const { name, version, collections } = checkResults;
    const generation = (await store.list()).find(({ projection }) => projection === `${name}@${version}`);
    if (!generation) throw new Error('There is no read model of results.');
    await store.open(generation, collections);
    const checkpoint = await store.checkpoint(generation);
    if (!checkpoint) throw new Error('The read model of results is empty.');
    const hours = DAYS * 24;
    const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    for (const check of checks) {
      const check_hours = Array.from({ length: hours }, (_, n) => ({
        put: hourOf(check, last - n * HOUR_MS, n % SAMPLES),
      }));
      await store.commit(generation, { check_hours }, checkpoint);
    }
  } finally {
    await store.close();
  }
};

interface Report {
  id: string;
  status: string;
  error_message: string | null;
  download_url: string;
}

/**
 * Repeats a small request.
 *
 * @returns a function that stops the repetition and returns the response times
 */
const waiting = (program: Program): (() => Promise<number[]>) => {
  const stop = new AbortController();
  const took: number[] = [];
  const callApi = (async () => {
    while (!stop.signal.aborted) {
      const since = performance.now();
      await ask(program, '/v1/pages?page_size=1');
      took.push(performance.now() - since);
      await sleep(5);
    }
  })();
  return async () => {
    stop.abort();
    await callApi;
    return took;
  };
};

/** Returns the peak memory of a process in MiB. */
const peakOf = (pid: number): number => {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1_024);
};

const measure = async (program: Program): Promise<Row[]> => {
  const idle = waiting(program);
  await sleep(5_000);
  const alone = await idle();
  const before = peakOf(program.pid);
  const rows: Row[] = [];
  const day = (ago: number): string => new Date(Date.now() - ago * 24 * HOUR_MS).toISOString();
  for (const format of ['pdf', 'csv', 'json']) {
    const took: number[] = [];
    const used = usageOf(program.pid).cpu;
    const meanwhile: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const stop = waiting(program);
      const since = performance.now();
      const body = { name: 'Half a year', report_type: 'uptime', format, target_percentage: 99.9 };
      const period = { period_start: day(DAYS - 1), period_end: day(0) };
      let report = await ask<Report>(program, '/v1/reports', { ...body, ...period });
      while (report.status === 'queued') {
        await sleep(50);
        report = await ask<Report>(program, `/v1/reports/${report.id}`);
      }
      if (report.status !== 'completed') throw new Error(String(report.error_message));
      took.push(performance.now() - since);
      meanwhile.push(...(await stop()));
    }
    rows.push({
      what: `reports: ${CHECKS} checks, ${DAYS} days, ${format}`,
      figure: `${(median(took) / 1_000).toFixed(1)} s`,
      peer: `CPU time ${((usageOf(program.pid).cpu - used) / ROUNDS).toFixed(1)} s`,
      aim: '< 10 s',
    });
    rows.push({
      what: `reports: a read during creation, p99`,
      figure: `${percentile(meanwhile, 0.99).toFixed(0)} ms`,
      peer: `while idle ${percentile(alone, 0.99).toFixed(0)} ms`,
      ratio: percentile(meanwhile, 0.99) / percentile(alone, 0.99),
      aim: '< 100 ms',
    });
  }
  const peak = peakOf(program.pid);
  rows.push({
    what: 'reports: peak memory',
    figure: `${peak} MiB`,
    peer: `before ${before} MiB`,
  });
  return rows;
};
