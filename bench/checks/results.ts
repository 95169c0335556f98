/**
 * Measures queries for a check with 500,000 results. They use the read model of results and the service's own readers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHourlyCounts } from '../../queries/check-results/hourly-counts.ts';
import { responseTimes } from '../../queries/check-results/response-times.ts';
import { pagesOfStyleA } from '../../api/pagination.ts';
import { readListing } from '../../queries/engine/listing.ts';
import { filterConditions } from '../../queries/check-results/filters.ts';
import { createdWithin } from '../../queries/engine/filters.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { DAY_MS, type Instant, instantOf } from '../../domain/time.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Generation, Query, ReadStore, Where } from '../../stores/read-store/port.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { openThreadedReadStore } from '../../stores/read-store/sqlite/threaded.ts';
import { foldResults, webResult } from '../tools/result-samples.ts';
import { sizeOf } from '../tools/sizes.ts';
import { percentile, type Row } from '../tools/table.ts';

const RESULTS = sizeOf('RESULTS', 500_000);
const INTERVAL = 30_000;
const CHECK = 'check0000001';
const ROUNDS = 15;
const AIM = '< 50 ms';

const START = Date.parse('2026-05-25T00:00:00Z');
const NOW = START + RESULTS * INTERVAL;

function* results() {
  for (let index = 0; index < RESULTS; index++) yield webResult(CHECK, START + index * INTERVAL);
}

/** Returns a function that reads in the same way as the routes of the API. The store has only one generation. */
const readerOf =
  (store: ReadStore, generation: Generation): Read =>
  (projection) =>
    Object.fromEntries(
      Object.keys(projection.collections).map((name) => [
        name,
        {
          get: async (id: string) => (await store.get(generation, name, [id]))[0] ?? null,
          getMany: (ids: readonly string[]) => store.get(generation, name, ids),
          find: (query: Query) => store.find(generation, name, query),
          count: (where?: Where) => store.count(generation, name, where),
        },
      ]),
    ) as never;

/**
 * Measures the median and the maximum duration of a few rounds. The first round, which fills caches, does not count.
 */
const measured = async (what: string, task: () => Promise<unknown>): Promise<Row> => {
  await task();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    await task();
    times.push(performance.now() - before);
  }
  const ms = (share: number): string => `${percentile(times, share).toFixed(1)} ms`;
  return { what, figure: `${ms(0.5)}, slowest ${ms(1)}`, aim: AIM };
};

export const bench = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  const generation = await foldResults(writer, results(), 'afterwards');
  await writer.close();
  const store = openThreadedReadStore({ directory });
  try {
    const read = readerOf(store, generation);
    const now = instantOf(NOW);
    const list = pagesOfStyleA({ key: 'results', size: 20 });
    const page = (where: Where, number = 1) =>
      list.body({ page: number }, (paging) =>
        readListing(read(checkResults).check_results, { where, sort: { created_at: -1 } }, paging),
      );
    const all: Where = { check_id: CHECK, ...createdWithin('', undefined) };
    const month: Instant = instantOf(NOW - 30 * DAY_MS);
    const scope = { read, now, resultsFrom: () => instantOf(START) };
    const of = `of a check with ${RESULTS.toLocaleString('en')} results`;
    return [
      await measured(`first page ${of}`, () => page(all)),
      await measured(`page of bad results ${of}`, () =>
        page({ ...all, ...filterConditions({ status: ['down', 'failed'] }) }),
      ),
      await measured(`page of 30 days ${of}`, () => page({ check_id: CHECK, ...createdWithin(month, undefined) })),
      await measured(`30 days of response times ${of}`, () =>
        responseTimes(scope, { id: CHECK } as CheckDocument, { start_date: month }),
      ),
      await measured(`uptime of 24 hours ${of}`, () =>
        readHourlyCounts(scope, { check_id: CHECK, from: instantOf(NOW - DAY_MS + 1), to: now }),
      ),
    ];
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
};
