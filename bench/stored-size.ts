import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventOf } from '../domain/catalogue.ts';
import type { NewEvent } from '../domain/event.ts';
import { openSqliteEventStore } from '../stores/event-store/sqlite/open.ts';
import { openSqliteReadStore } from '../stores/read-store/sqlite/open.ts';
import { foldResults, STREAM } from './result-samples.ts';

const APPENDED_AT_ONCE = 200;

/** The disk space of results once they are stored, bytes of each on average. */
export interface StoredSize {
  /** its row in the log */
  row: number;
  /** its document, index entries and its part of the hours */
  documents: number;
}

export const storedSizeOf = async (results: readonly NewEvent<EventOf<'CheckRunCompleted'>>[]): Promise<StoredSize> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    const file = join(directory, 'results.db');
    const log = await openSqliteEventStore({ file, name: 'results', mode: 'service' });
    for (let from = 0; from < results.length; from += APPENDED_AT_ONCE) {
      await log.append(STREAM, results.slice(from, from + APPENDED_AT_ONCE), 'any');
    }
    // Closing leaves a single file, without a WAL.
    await log.close();
    const readStore = openSqliteReadStore({ directory: join(directory, 'read-models'), mode: 'writer' });
    const { projection, number } = await foldResults(readStore, results, 'kept');
    await readStore.close();
    const documents = statSync(join(directory, 'read-models', `${projection}.${number.toString()}.db`)).size;
    return { row: statSync(file).size / results.length, documents: documents / results.length };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
