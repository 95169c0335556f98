/**
 * Measures how long it takes to export both logs from SQLite and to import them into SQLite, through the event store
 * port only. Also measures how long it takes to replay a log into files.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportLog } from '../../cli/transfer/export.ts';
import { importMain } from '../../cli/transfer/import-main.ts';
import { importResults } from '../../cli/transfer/import-results.ts';
import { verifyFile } from '../../cli/transfer/verify.ts';
import { replayInto } from '../../cli/replay/into.ts';
import { verifyReplayFile } from '../../cli/replay/verify.ts';
import type { NewEvent } from '../../domain/event.ts';
import { instantOf } from '../../domain/time.ts';
import { readLogId } from '../../projections/engine/feed/log-marks.ts';
import { openLogIdentity } from '../../stores/event-store/identity.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { STREAM, webResult } from '../tools/result-samples.ts';
import { perSecond, type Row } from '../tools/table.ts';

const MAIN_EVENTS = 12_000;
const RESULTS = 60_000;
const REGIONS = 6;
const MILLION = 1_000_000;

/** Creates an event that is as large as an incident update. */
export const update = (at: number): NewEvent => {
  const id = randomUUID();
  return {
    id,
    type: 'IncidentUpdateAppended',
    data: {
      incident_id: 'h3k9s0d8f7g6',
      body: 'We see slow answers from the checkout. '.repeat(4),
      status: 'investigating',
    },
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'api_key', id: 'k1k2k3k4k5k6', role: 'editor' },
      organization_id: 'o1o2o3o4o5o6',
      recorded_at: instantOf(at),
      schema_version: 1,
      client_address: { key: 'api_key-k1k2k3k4k5k6', sealed: 'A'.repeat(64) },
      user_agent: { key: 'api_key-k1k2k3k4k5k6', sealed: 'A'.repeat(120) },
    },
  };
};

/**
 * Fills both logs at full speed, with many events per append. The resulting logs are equal to logs that are filled by
 * single appends.
 */
const fill = async (main: SqliteEventStore, results: SqliteEventStore, now: number): Promise<void> => {
  for (let number = 0; number < MAIN_EVENTS;) {
    // Of every three events, two are consecutive events of one stream.
    const events = number % 3 === 0 ? [update(now)] : [update(now), update(now)];
    await main.append(`incident-${number}`, events, 'no_stream');
    number += events.length;
  }
  for (let number = 0; number < RESULTS; number += 50) {
    const events = Array.from({ length: 50 }, (_, index) => webResult('check0000001', now + number + index));
    await results.append(`${STREAM}${(number / 50) % REGIONS}`, events, 'any');
  }
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

const row = (what: string, events: number, milliseconds: number): Row => ({
  what,
  figure: perSecond(events, milliseconds),
  peer: `a million events in ${((milliseconds * MILLION) / events / 60_000).toFixed(1)} min`,
});

/** Replays the results log into a file of each format, and verifies the files. */
const replayRows = async (log: SqliteEventStore, folder: string): Promise<Row[]> => {
  const rows: Row[] = [];
  const signal = new AbortController().signal;
  for (const format of ['jsonl', 'jsonl.gz', 'parquet']) {
    const file = join(folder, `replayed.${format}`);
    const options = { from: 0n, types: [], raw: false, clock: Date.now, signal, file };
    const unseen = { terminal: false, line: async () => undefined };
    const writing = await timed(() => replayInto(log, options));
    rows.push(row(`replay of the results log into ${format}`, RESULTS, writing));
    const verifying = await timed(() => verifyReplayFile({ file, json: false, signal }, unseen));
    rows.push(row(`verifying the ${format} file`, RESULTS, verifying));
    const bytes = statSync(file).size / RESULTS;
    rows.push({ what: `bytes of a result in ${format}`, figure: Math.round(bytes).toString() });
  }
  return rows;
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const opened: SqliteEventStore[] = [];
  const open = async (name: 'main' | 'results', file: string): Promise<SqliteEventStore> => {
    const log = await openSqliteEventStore({ file: join(folder, file), name, mode: 'appender' });
    opened.push(log);
    return log;
  };
  try {
    const now = Date.now();
    const [main, results] = [await open('main', 'main.db'), await open('results', 'results.db')];
    await openLogIdentity(main);
    await openLogIdentity(results);
    await fill(main, results, now);
    const service = await readLogId(main);
    const signal = new AbortController().signal;
    const common = { signal, onProgress: () => undefined };
    const exporting = (log: SqliteEventStore): Promise<number> => {
      const file = join(folder, `${log.name}.jsonl`);
      return timed(() => exportLog({ log, service, file, clock: Date.now, ...common }));
    };
    const rows = [
      row('export of the main log', MAIN_EVENTS, await exporting(main)),
      row('export of the results log', RESULTS, await exporting(results)),
    ];
    const [mainTarget, resultsTarget] = [await open('main', 'main-2.db'), await open('results', 'results-2.db')];
    const mainFile = await verifyFile(join(folder, 'main.jsonl'), 'main', signal);
    const resultsFile = await verifyFile(join(folder, 'results.jsonl'), 'results', signal);
    const intoMain = await timed(() => importMain({ log: mainTarget, file: mainFile, ...common }));
    const intoResults = await timed(() =>
      importResults({ main: mainTarget, log: resultsTarget, file: resultsFile, from: instantOf(0), ...common }),
    );
    const verifying = await timed(() => verifyFile(join(folder, 'results.jsonl'), 'results', signal));
    rows.push(
      row('import of the main log, 1.5 events per append', MAIN_EVENTS, intoMain),
      row('import of the results log', RESULTS, intoResults),
      row('reading a file up to its checksum', RESULTS, verifying),
    );
    const bytes = statSync(join(folder, 'results.jsonl')).size / RESULTS;
    rows.push({ what: 'bytes of a result in the file', figure: Math.round(bytes).toString() });
    rows.push(...(await replayRows(results, folder)));
    return rows;
  } finally {
    for (const log of opened) await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
