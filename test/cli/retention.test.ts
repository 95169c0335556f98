import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRetention } from '../../cli/retention.ts';
import { instantOf } from '../../domain/time.ts';
import { canonicalJson } from '../../projections/engine/canonical.ts';
import { projectionKey, type Collections } from '../../projections/engine/define.ts';
import { Folding } from '../../projections/engine/folding.ts';
import { retainedFrom } from '../../projections/engine/retention.ts';
import { projections } from '../../projections/index.ts';
import { checked } from '../../stores/event-store/checked.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';
import { resultOf } from '../domain/check-result/examples.ts';

const test = suite('retention of results');

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-01T07:00:00Z');
const DAYS = 3;
const silent = { info: () => undefined, warn: () => undefined };

const temporaryLog = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-retention-'));
  const store = await openSqliteEventStore({ file: join(directory, 'results.db'), name: 'results', mode: 'service' });
  return {
    store,
    dispose: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** Eight days of a check that runs every five hours in two regions, some results delivered twice. */
const storeResults = async (log: EventStore): Promise<void> => {
  for (let at = START; at < START + 8 * DAY; at += 5 * HOUR) {
    const down = at % (3 * HOUR) === 0;
    const result = resultOf('check0000001', at, down ? { status: 'down', response_time: null } : {});
    await log.append('check_results-ru-central1', [result], 'any');
    const west = resultOf('check0000001', at + 1, { region: 'EU, West', response_time: 170 });
    await log.append('check_results-eu-west1', [west, { ...west, id: resultOf('again', at).id }], 'any');
  }
};

/** The read models of results after a retention at an instant, folded from what the log holds. */
const fold = async (log: EventStore, shownFrom: string | null, sweptBefore: string): Promise<string> => {
  const readStore = createMemoryReadStore();
  const documents: Record<string, unknown> = {};
  for (const projection of projections.filter((one) => one.log === 'results')) {
    const generation = { projection: projectionKey(projection), number: 1 };
    const collections = projection.collections as Collections;
    await readStore.open(generation, collections);
    const checkpoint = { log_id: 'log', position: 0n, event_id: null };
    const folding = new Folding({
      projection,
      generation,
      readStore,
      checkpoint,
      retainedFrom: shownFrom,
      recentDocuments: 10,
    });
    await folding.fold(await log.readAll({ after: 0n }));
    await folding.commit();
    for (const [name, { expires }] of Object.entries(collections)) {
      if (expires) await folding.sweep(name, sweptBefore, 10_000);
      documents[`${projection.name}.${name}`] = await readStore.find(generation, name, {});
    }
  }
  return canonicalJson(documents);
};

test('a rebuild after it gives the documents that were swept in place', async () => {
  const { store, dispose } = await temporaryLog();
  try {
    const log = checked(store);
    await storeResults(log);
    const now = START + 8 * DAY;
    const before = retainedFrom(now, DAYS);
    const live = await fold(log, null, before);
    const stored = (await log.readAll({ after: 0n })).length;
    await store.removeBefore(before, new AbortController().signal);
    const left = await log.readAll({ after: 0n });
    assert.ok(left.length < stored / 2, `${left.length} of ${stored} are left`);
    assert.ok(left.every(({ metadata }) => metadata.recorded_at >= before));
    assert.is(await fold(log, before, before), live);
    assert.ok(live.includes('check_results.check_hours'));
  } finally {
    await dispose();
  }
});

test('it begins at once with whole UTC days', async () => {
  const asked: string[] = [];
  const removeBefore = async (before: string) => {
    asked.push(before);
    return 0;
  };
  const clock = () => Date.parse('2026-11-20T17:00:00Z');
  await startRetention({ results: { removeBefore }, retentionDays: 183, logger: silent, clock })();
  assert.equal(asked, [instantOf(Date.parse('2026-05-21T00:00:00Z'))]);
});

test('a log that can not be written is told of and tried again another time', async () => {
  const warnings: unknown[] = [];
  const removeBefore = async (): Promise<number> => {
    await Promise.resolve();
    throw new StoreUnavailable('The disk is full.');
  };
  const logger = { info: () => undefined, warn: (...words: unknown[]) => warnings.push(words) };
  const end = startRetention({ results: { removeBefore }, retentionDays: 1, logger, clock: Date.now });
  await new Promise((resolve) => setImmediate(resolve));
  await end();
  assert.is(warnings.length, 1);
});

test('it ends where it is when the service stops', async () => {
  let aborted = false;
  const removeBefore = (_: string, signal: AbortSignal): Promise<number> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        resolve(7);
      });
    });
  await startRetention({ results: { removeBefore }, retentionDays: 1, logger: silent, clock: Date.now })();
  assert.ok(aborted);
});

test.run();
