/**
 * Measures rebuilds from a long log, each in a separate process. A rebuild that writes a document for each event is
 * compared with inserting the same rows directly.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLogIdentity } from '../../stores/event-store/identity.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { makeCollections, makeIndexes, MIGRATIONS, tableOf } from '../../stores/read-store/sqlite/schema.ts';
import { openDatabase } from '../../stores/sqlite/open.ts';
import { compiled } from '../../test/project.ts';
import { entriesDeclaration, sampleEvent, type Entry } from './rebuild-samples.ts';
import { perSecond, type Row } from '../tools/table.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const AT_ONCE = 500;
/** Number of rows per transaction. It is the same as in a rebuild, so that the disk does the same work. */
const ROWS_PER_TRANSACTION = 3_000;
const MIB = 1_048_576;

interface Took {
  events: number;
  milliseconds: number;
  indexing: number;
  before: number;
  halfway: number;
  peak: number;
}

const fillLog = async (directory: string): Promise<void> => {
  const store = await openSqliteEventStore({ file: join(directory, 'events.db'), name: 'main', mode: 'appender' });
  await openLogIdentity(store);
  for (let n = 0; n < EVENTS; n += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, index) => sampleEvent(n + index, randomUUID()));
    await store.append(`incident-${n.toString(36)}`, events, 'no_stream');
  }
  await store.close();
};

const rebuildIn = async (directory: string, name: string): Promise<Took> => {
  const entry = compiled('bench/stores/rebuild-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [entry, directory, name]);
  return JSON.parse(stdout) as Took;
};

/** Writes the rows of the projection `entries` directly to a database with the same schema. */
const insertBare = (directory: string): number => {
  const database = openDatabase(join(directory, 'bare.db'), {
    migrations: MIGRATIONS,
    synchronous: 'NORMAL',
    cacheKibibytes: 32_768,
    checkpointPages: 4_000,
  });
  makeCollections(database, { entries: entriesDeclaration });
  const ids = Array.from({ length: EVENTS }, () => randomUUID());
  const started = performance.now();
  const insert = database.prepare(`INSERT INTO ${tableOf('entries')} (id, document) VALUES (?, ?)`);
  for (let n = 0; n < EVENTS; n += ROWS_PER_TRANSACTION) {
    database.transaction(() => {
      for (const [index, id] of ids.slice(n, n + ROWS_PER_TRANSACTION).entries()) {
        insert.run(id, JSON.stringify(entryOf(n + index, id)));
      }
    })();
  }
  makeIndexes(database);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const milliseconds = performance.now() - started;
  database.close();
  return milliseconds;
};

const entryOf = (n: number, id: string): Entry => ({
  id,
  incident_id: n.toString(36).padStart(12, '0'),
  page_id: (n % 100).toString(36).padStart(12, 'p'),
  status: 'monitoring',
  created_at: '2026-11-20T15:04:05.123000',
});

const mebibytes = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;

export const bench = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    await fillLog(directory);
    const folded = await rebuildIn(directory, 'summaries');
    const written = await rebuildIn(directory, 'entries');
    const bare = insertBare(directory);
    const of = `of ${EVENTS.toLocaleString('en')} events`;
    return [
      {
        what: `rebuild ${of}, small documents`,
        figure: perSecond(folded.events, folded.milliseconds),
        aim: '≥ 100,000/s',
      },
      {
        what: 'its peak memory',
        figure: mebibytes(folded.peak),
        peer: `half-way ${mebibytes(folded.halfway)}`,
        aim: '< 300 MiB',
      },
      {
        what: `rebuild ${of}, a document per event`,
        figure: perSecond(written.events, written.milliseconds),
        peer: `bare inserts, same indexes last ${perSecond(EVENTS, bare)}`,
        ratio: bare / written.milliseconds,
        aim: '≥ 0.7',
      },
      {
        what: 'its peak memory',
        figure: mebibytes(written.peak),
        peer: `half-way ${mebibytes(written.halfway)}`,
        aim: '< 300 MiB',
      },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
