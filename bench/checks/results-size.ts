/**
 * Measures the disk space of stored results: for each result, a row in the log, a document, and index entries. Measures
 * web results with 12 headers, and results of scripts.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '../../domain/event.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { foldResults, STREAM, webResult } from '../tools/result-samples.ts';
import { scriptResult } from '../tools/script-samples.ts';
import type { Row } from '../tools/table.ts';

const RESULTS = 20_000;
const SCRIPT_RESULTS = 1_440;
const CHECKS = 100;
const APPENDED_AT_ONCE = 200;
/** Number of results in one append. With more results, the append would exceed the size limit. */
const SCRIPTS_APPENDED_AT_ONCE = 5;
const AIM = 1_536;
/** Runs per day of a check that runs every minute. */
const A_DAY = 1_440;
const START = Date.parse('2026-11-20T00:00:00Z');

/** Returns the average number of bytes per stored result. */
const stored = async (results: readonly NewEvent[], atOnce: number): Promise<{ row: number; documents: number }> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    const file = join(directory, 'results.db');
    const log = await openSqliteEventStore({ file, name: 'results', mode: 'service' });
    for (let from = 0; from < results.length; from += atOnce) {
      await log.append(STREAM, results.slice(from, from + atOnce), 'any');
    }
    // Closing the log leaves a single file without a WAL, whose size can be measured.
    await log.close();
    const readStore = openSqliteReadStore({ directory: join(directory, 'read-models'), mode: 'writer' });
    const { projection, number } = await foldResults(readStore, results, 'kept');
    await readStore.close();
    const documents = statSync(join(directory, 'read-models', `${projection}.${number}.db`)).size;
    return { row: statSync(file).size / results.length, documents: documents / results.length };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const bytes = (count: number): string => `${Math.round(count).toLocaleString('en')} B`;
const mebibytes = (count: number): string => `${(count / 1_048_576).toFixed(1)} MiB`;

/** Returns the number of bytes of a web result in the log and in the read models. */
export const resultBytes = (): Promise<{ row: number; documents: number }> =>
  stored(
    Array.from({ length: RESULTS }, (_, index) =>
      webResult(`check${(index % CHECKS).toString().padStart(7, '0')}`, START + Math.floor(index / CHECKS) * 60_000),
    ),
    APPENDED_AT_ONCE,
  );

export const bench = async (): Promise<Row[]> => {
  const web = await resultBytes();
  const all = web.row + web.documents;
  const rows: Row[] = [
    { what: 'a web result of 12 headers, row in the log', figure: bytes(web.row) },
    { what: '… document, index entries and its share of the hourly tallies', figure: bytes(web.documents) },
    { what: '… total', figure: bytes(all), ratio: all / AIM, aim: '≤ 1.5 KiB (ratio 1)' },
  ];
  for (const [kind, what] of [
    ['multistep', 'a multistep result of 2 tests with 10 steps'],
    ['synthetic', 'a synthetic result of a page with 30 requests'],
  ] as const) {
    const results = Array.from({ length: SCRIPT_RESULTS }, (_, index) => scriptResult(kind, START + index * 60_000));
    const { row, documents } = await stored(results, SCRIPTS_APPENDED_AT_ONCE);
    rows.push(
      { what: `${what}, row in the log`, figure: bytes(row) },
      { what: '… document and index entries', figure: bytes(documents) },
      { what: '… per day, with one every minute', figure: mebibytes((row + documents) * A_DAY) },
    );
  }
  return rows;
};
