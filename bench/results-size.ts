/** The disk space of a stored web result with 12 headers: its row in the log, its document, its index entries. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from '../stores/event-store/sqlite/open.ts';
import { openSqliteReadStore } from '../stores/read-store/sqlite/open.ts';
import { foldResults, STREAM, webResult } from './result-samples.ts';
import type { Row } from './table.ts';

const RESULTS = 20_000;
const CHECKS = 100;
const APPENDED_AT_ONCE = 200;
const AIM = 1_536;

export const bench = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    const start = Date.parse('2026-11-20T00:00:00Z');
    const results = Array.from({ length: RESULTS }, (_, index) =>
      webResult(`check${(index % CHECKS).toString().padStart(7, '0')}`, start + Math.floor(index / CHECKS) * 60_000),
    );
    const file = join(directory, 'results.db');
    const log = await openSqliteEventStore({ file, name: 'results', mode: 'service' });
    for (let from = 0; from < RESULTS; from += APPENDED_AT_ONCE) {
      await log.append(STREAM, results.slice(from, from + APPENDED_AT_ONCE), 'any');
    }
    // Closing leaves a single file, without a WAL.
    await log.close();
    const readStore = openSqliteReadStore({ directory: join(directory, 'read-models'), mode: 'writer' });
    const { projection, number } = await foldResults(readStore, results, 'kept');
    await readStore.close();
    const documents = statSync(join(directory, 'read-models', `${projection}.${number.toString()}.db`)).size / RESULTS;
    const row = statSync(file).size / RESULTS;
    const bytes = (count: number): string => `${Math.round(count).toLocaleString('en')} B`;
    return [
      { what: 'a web result of 12 headers, row in the log', figure: bytes(row) },
      { what: '… document, index entries and its part of the hours', figure: bytes(documents) },
      { what: '… in all', figure: bytes(row + documents), ratio: (row + documents) / AIM, aim: '≤ 1.5 KiB (ratio 1)' },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
