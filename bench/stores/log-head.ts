/**
 * Compares two durations for the same log in SQLite: how long it takes to compute the log's head, and how long it takes
 * to read the log like `uptrail verify`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeHead } from '../../cli/audit/heads.ts';
import { verifyLog } from '../../cli/verify-logs.ts';
import { openLogIdentity } from '../../stores/event-store/identity.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { median, perSecond, type Row } from '../tools/table.ts';
import { update } from './transfer.ts';

const EVENTS = 60_000;
const ROUNDS = 3;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const file = join(folder, 'events.db');
  try {
    const filling = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
    await openLogIdentity(filling);
    for (let number = 0; number < EVENTS; number += 200) {
      const events = Array.from({ length: 200 }, () => update(Date.now()));
      await filling.append(`incident-${number}`, events, 'no_stream');
    }
    await filling.close();
    const log = await openSqliteEventStore({ file, name: 'main', mode: 'reader' });
    const { signal } = new AbortController();
    const heads: number[] = [];
    const reads: number[] = [];
    // Both durations are measured in alternation, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round++) {
      reads.push(await timed(() => verifyLog(file, 'main')));
      heads.push(await timed(() => computeHead({ log, signal })));
    }
    await log.close();
    const [head, read] = [median(heads), median(reads)];
    return [
      {
        what: 'head of a log',
        figure: perSecond(EVENTS, head),
        peer: `uptrail verify of the same log ${perSecond(EVENTS, read)}`,
        ratio: read / head,
        aim: '≥ 0.5',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
