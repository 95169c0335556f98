import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { projectionKey, type AnyProjection } from '../../projections/engine/fold/define.ts';
import { Folding } from '../../projections/engine/fold/folding.ts';
import { projections } from '../../projections/index.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { STREAM, webResult } from '../tools/result-samples.ts';

const RESULTS = 20_000;
const CHECKS = 1_000;
const PAGE = 100;
const START = Date.UTC(2026, 10, 20, 15);

const samples = (): RecordedEvent[] =>
  Array.from({ length: RESULTS }, (_, index) => {
    const checkId = `check${(index % CHECKS).toString().padStart(7, '0')}`;
    const event: NewEvent = webResult(checkId, START + Math.floor(index / CHECKS) * 60_000);
    return { ...event, stream: STREAM, revision: BigInt(index), position: BigInt(index + 1) };
  });

/** Returns the CPU time of all threads for folding the events, in milliseconds. */
const cpuOfFolding = async (projection: AnyProjection, events: readonly RecordedEvent[]): Promise<number> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const readStore = openSqliteReadStore({ directory, mode: 'writer' });
  const generation = { projection: projectionKey(projection), number: 1 };
  try {
    await readStore.open(generation, projection.collections as Parameters<typeof readStore.open>[1]);
    const folding = new Folding({
      projection,
      generation,
      readStore,
      checkpoint: { log_id: 'bench', position: 0n, event_id: null },
      retainedFrom: null,
      recentDocuments: 1_000,
    });
    const before = process.cpuUsage();
    for (let from = 0; from < events.length; from += PAGE) {
      await folding.fold(events.slice(from, from + PAGE));
      await folding.commit();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  } finally {
    await readStore.close();
    rmSync(directory, { recursive: true, force: true });
  }
};

/**
 * Returns, for each read model, its fraction of the cost of folding a result. Leaves out read models that ignore
 * results.
 */
export const sharesOfModels = async (): Promise<Record<string, number>> => {
  const events = samples();
  const folding = projections.filter(({ on }) => 'CheckRunCompleted' in (on as object));
  const costs: [string, number][] = [];
  for (const projection of folding) costs.push([projection.name, await cpuOfFolding(projection, events)]);
  const total = costs.reduce((sum, [, cost]) => sum + cost, 0);
  return Object.fromEntries(
    costs.sort(([, one], [, other]) => other - one).map(([name, cost]) => [name, Number((cost / total).toFixed(2))]),
  );
};

/**
 * Returns the number of bytes of a web result's event as JSON. This JSON is sent to a server and to each reader of the
 * log.
 */
export const bytesOfEvent = (): number => JSON.stringify(webResult('check0000001', START)).length;
