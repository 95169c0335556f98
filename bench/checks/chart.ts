/**
 * Measures the reads for a chart of a check: response times and states of six months, with a run every 30 seconds in
 * three regions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REGIONS } from '../../domain/check/regions.ts';
import { derivedId } from '../../domain/identity.ts';
import { HOUR_MS, instantOf, millisecondsOf } from '../../domain/time.ts';
import { hourOf, checkHourId, type CheckHourDocument, type Tally } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { mergeResponseTimes, singleResponseTime } from '../../domain/check-result/response-times.ts';
import { responseTimes } from '../../queries/check-results/response-times.ts';
import { statusBuckets } from '../../queries/check-results/status-buckets.ts';
import { readUptime } from '../../queries/check-results/uptime.ts';
import type { Generation, Query } from '../../stores/read-store/port.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { openThreadedReadStore } from '../../stores/read-store/sqlite/threaded.ts';
import { median, type Row } from '../tools/table.ts';

const DAYS = 183;
const ROUNDS = 15;
const PER_HOUR = 120;
const GENERATION: Generation = { projection: `check_results@${checkResults.version}`, number: 1 };
const CHECK = derivedId('charted');
const ORGANIZATION = derivedId('organization');

/** Creates realistic response times of an hour: most are similar, and some are much longer. */
const tallyOf = (seed: number): Tally => {
  const times = Array.from({ length: PER_HOUR }, (_, run) => {
    const chance = ((seed * 7_919 + run * 104_729) % 1_000) / 1_000;
    return Math.round(90 + 60 * chance + (chance > 0.95 ? 900 * chance * (((seed + run) % 10) / 10) : 0));
  });
  return {
    count: PER_HOUR,
    timed: PER_HOUR,
    sum: times.reduce((sum, time) => sum + time, 0),
    times: mergeResponseTimes(times.map(singleResponseTime)),
  };
};

const hoursUntil = (now: number, regions: readonly string[]): CheckHourDocument[] =>
  regions.flatMap((region, number) =>
    Array.from({ length: DAYS * 24 }, (_, ago) => {
      const created_at = instantOf(now - ago * HOUR_MS);
      return {
        id: checkHourId({ check_id: CHECK, organization_id: ORGANIZATION, region, created_at }),
        check_id: CHECK,
        organization_id: ORGANIZATION,
        region,
        hour: hourOf(created_at),
        tallies: { ok: tallyOf(ago * 3 + number) },
      };
    }),
  );

export const bench = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const count of [1, 3]) rows.push(...(await measured(REGIONS.slice(0, count).map(({ id }) => id))));
  return rows;
};

const measured = async (regions: readonly string[]): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-chart-'));
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  const store = openThreadedReadStore({ directory });
  try {
    const now = millisecondsOf('2026-11-20T15:30:00.000000');
    await writer.open(GENERATION, checkResults.collections);
    const documents = hoursUntil(now, regions);
    for (let from = 0; from < documents.length; from += 1_000) {
      const position = BigInt(from + 1);
      const writes = { check_hours: documents.slice(from, from + 1_000).map((put) => ({ put })) };
      await writer.commit(GENERATION, writes, { log_id: 'log', position, event_id: position.toString() });
    }
    return await figures(store, regions.length, now);
  } finally {
    await store.close();
    await writer.close();
    rmSync(directory, { recursive: true, force: true });
  }
};

const figures = async (
  store: ReturnType<typeof openThreadedReadStore>,
  regions: number,
  now: number,
): Promise<Row[]> => {
  const find = (name: string) => (query: Query) => store.find(GENERATION, name, query);
  const models = {
    check_hours: { find: find('check_hours') },
    check_results: { find: find('check_results') },
    checks: { get: async () => check, find: async () => [check] },
  };
  const check = { id: CHECK, organization_id: ORGANIZATION } as unknown as CheckDocument;
  const from = instantOf(now - DAYS * 24 * HOUR_MS);
  const scope = {
    read: (() => models) as never,
    organizationId: ORGANIZATION,
    now: instantOf(now),
    resultsFrom: () => from,
  };
  const task: [string, () => Promise<unknown>][] = [
    ['response times', () => responseTimes(scope, check, { start_date: from })],
    ['states by region', () => statusBuckets(scope, { start_date: from, check_id: CHECK })],
    ['uptime', () => readUptime(scope, check, { from })],
  ];
  const rows: Row[] = [];
  for (const [what, ask] of task) {
    const took: number[] = [];
    const worked: number[] = [];
    let bytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const [began, before] = [performance.now(), process.cpuUsage()];
      bytes = JSON.stringify(await ask()).length;
      took.push(performance.now() - began);
      const { user, system } = process.cpuUsage(before);
      worked.push((user + system) / 1_000);
    }
    rows.push({
      what: `${what} of 6 months, ${regions} × ${DAYS * 24} hours`,
      figure: `${median(took).toFixed(0)} ms`,
      peer: `${median(worked).toFixed(0)} ms of CPU, ${(bytes / 1_024).toFixed(0)} KiB`,
      aim: '≤ 300 ms',
    });
  }
  return rows;
};
