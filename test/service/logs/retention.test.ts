import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTimeOf } from '../../../service/logs/log-time.ts';
import { startRetention, type RetentionOptions } from '../../../service/logs/retention.ts';
import { viewRetention } from '../../../service/http/retention-view.ts';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import { projectionKey, type Collections } from '../../../projections/engine/fold/define.ts';
import { Folding } from '../../../projections/engine/fold/folding.ts';
import { retainedFrom } from '../../../domain/retention.ts';
import { readRetention } from '../../../projections/engine/fold/retention.ts';
import { projections } from '../../../projections/index.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { RETENTION_CONFIRMED, type Coordination } from '../../../stores/coordination/port.ts';
import { createMemoryArtifacts } from '../../../stores/artifacts/memory.ts';
import { ArtifactsUnavailable } from '../../../stores/artifacts/port.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import type { Document } from '../../../stores/read-store/port.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { artifactHead, LIMITS, pieces, someBytes } from '../../contracts/artifacts/examples.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { eventually } from '../../waiting.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';

const test = suite('retention of results');

const START = Date.parse('2026-11-01T07:00:00Z');
const DAYS = 3;

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

/** Stores results of eight days of a check that runs every five hours in two regions. Some results are repeated. */
const storeResults = async (log: EventStore): Promise<void> => {
  for (let at = START; at < START + 8 * DAY_MS; at += 5 * HOUR_MS) {
    const down = at % (3 * HOUR_MS) === 0;
    const result = resultOf('check0000001', at, down ? { status: 'down', response_time: null } : {});
    await log.append('check_results-ru-central1', [result], 'any');
    const west = resultOf('check0000001', at + 1, { region: 'EU, West', response_time: 170 });
    await log.append('check_results-eu-west1', [west, { ...west, id: resultOf('again', at).id }], 'any');
  }
};

type Retained = Readonly<Record<string, (document: Document, from: string) => Document>>;

/** Folds the results log. @returns all documents of its read models after a sweep, as JSON */
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
      const found = await readStore.find(generation, name, {});
      // A document can contain sums of several days. The sums of removed days are left out of the comparison.
      const rest = (projection.retained as Retained | undefined)?.[name];
      documents[`${projection.name}.${name}`] = rest ? found.map((document) => rest(document, sweptBefore)) : found;
    }
  }
  return canonicalJson(documents);
};

test('a rebuild after retention has removed results gives the same documents as a sweep of the existing read models', async () => {
  const { store, dispose } = await temporaryLog();
  try {
    const log = createCheckedStore(store);
    await storeResults(log);
    const now = START + 8 * DAY_MS;
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

const NOW = Date.parse('2026-11-20T17:00:00Z');

/** Creates a retention job. @param newest the time of the newest event in the log */
const keeper = (
  coordination: Pick<Coordination, 'read' | 'write'>,
  { now = NOW, newest = NOW, removeBefore, ...more }: Keeping = {},
) => {
  const warnings: string[] = [];
  const removals: string[] = [];
  let trusted = newest;
  const options: RetentionOptions = {
    coordination,
    results: {
      removeBefore:
        removeBefore ??
        (async (before) => {
          removals.push(before);
          return 0;
        }),
    },
    artifacts: { removeOfRunsBefore: async () => 0 },
    retentionDays: 183,
    logger: {
      info: () => undefined,
      warn: (...words: unknown[]) => {
        warnings.push(String(words.at(-1)));
      },
    },
    clock: () => now,
    logTime: { now: () => trusted, trust: (time) => (trusted = time) },
    ...more,
  };
  return { warnings, removals, start: () => startRetention(options) };
};
type Removing = NonNullable<RetentionOptions['results']>;
type Keeping = { now?: number; newest?: number } & Partial<Removing> &
  Partial<Pick<RetentionOptions, 'artifacts' | 'results'>>;

for (const expiring of [false, true]) {
  const who = expiring ? 'the store lets results expire' : 'retention removes results';
  test(`artifacts of runs past retention are removed if ${who}`, async () => {
    const artifacts = createMemoryArtifacts(LIMITS);
    const [old, young] = ['2026-05-20T23:59:59.999Z', '2026-05-21T00:00:00.000Z'].map((created_at) =>
      artifactHead({ created_at }),
    );
    const report = artifactHead({ created_at: '2026-01-01T00:00:00.000Z', run_id: null });
    for (const given of [old, young, report]) if (given) await artifacts.store(given, pieces(someBytes(1)));
    const { start } = keeper(createMemoryCoordination(), { artifacts, ...(expiring && { results: null }) });
    await (
      await start()
    )();
    assert.is(await artifacts.find(old?.id ?? ''), null);
    for (const remaining of [young, report]) assert.ok(await artifacts.find(remaining?.id ?? ''));
  });
}

test('a failed removal of artifacts is logged as a warning and retried', async () => {
  let tries = 0;
  const removeOfRunsBefore = async (): Promise<number> => {
    tries++;
    throw new ArtifactsUnavailable("The artifacts folder can't be used: the disk is full.");
  };
  const { warnings, start } = keeper(createMemoryCoordination(), { artifacts: { removeOfRunsBefore } });
  const stop = await start();
  await eventually(() => tries > 0 && warnings.length > 0);
  await stop();
  assert.match(warnings[0] ?? '', 'could not be removed; retrying in a minute');
});

test('retention removes results of whole UTC days at the start, and stores its limit for all processes', async () => {
  const coordination = createMemoryCoordination();
  const { removals, start } = keeper(coordination, {});
  await (
    await start()
  )();
  assert.equal(removals, ['2026-05-21T00:00:00.000000']);
  assert.is((await readRetention(coordination))?.from, '2026-05-21T00:00:00.000000');
});

test('with a clock that is 400 days ahead, retention moves by at most a day and warns until a person confirms the time', async () => {
  const coordination = createMemoryCoordination();
  await (
    await keeper(coordination, {}).start()
  )();
  const ahead = NOW + 400 * DAY_MS;
  const first = keeper(coordination, { now: ahead });
  await (
    await first.start()
  )();
  assert.equal(first.removals, ['2026-05-21T00:00:00.000000']);
  // The results that were recorded since the first start have the wrong time too.
  const second = keeper(coordination, { now: ahead + HOUR_MS, newest: ahead });
  await (
    await second.start()
  )();
  assert.equal(second.removals, ['2026-05-22T00:00:00.000000'], 'one day a day, by its clock');
  const sentence =
    /^Results since 2026-05-2[12] are stored\. By the clock they should be stored only since 2027-06-25, /;
  for (const { warnings } of [first, second]) assert.match(warnings.join(), sentence);

  const view = await viewRetention(coordination);
  assert.is(view.from(), '2026-05-22T00:00:00.000000');
  const part = await view.part();
  assert.equal([part.ready, part.state], [true, 'held back']);
  assert.match(part.message ?? '', sentence);

  await coordination.write(RETENTION_CONFIRMED, (await readRetention(coordination))?.wanted ?? '');
  const confirmed = keeper(coordination, { now: ahead + HOUR_MS, newest: ahead });
  await (
    await confirmed.start()
  )();
  assert.equal(confirmed.removals, ['2027-06-25T00:00:00.000000']);
  assert.equal((await view.part()).state, 'by the clock');
  view.stop();
});

test('a failed removal of results is logged as a warning and retried', async () => {
  const removeBefore = async (): Promise<number> => {
    await Promise.resolve();
    throw new StoreUnavailable('The disk is full.');
  };
  const { warnings, start } = keeper(createMemoryCoordination(), { removeBefore });
  await (
    await start()
  )();
  assert.is(warnings.length, 0, 'it was stopped before');
  const end = await start();
  await new Promise((resolve) => setImmediate(resolve));
  await end();
  assert.is(warnings.length, 1);
});

test('a removal in progress is aborted when the service stops', async () => {
  let aborted = false;
  const removeBefore = (_: string, signal: AbortSignal): Promise<number> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        resolve(7);
      });
    });
  await (
    await keeper(createMemoryCoordination(), { removeBefore }).start()
  )();
  assert.ok(aborted);
});

test('the time of a log is that of its last event, even if earlier events have later times', async () => {
  const { store, dispose } = await temporaryLog();
  try {
    const log = createCheckedStore(store);
    const empty = await logTimeOf(log, () => 5_000);
    assert.is(empty.now(), null);
    await log.append('check_results-ru-central1', [resultOf('check0000001', START + 400 * DAY_MS)], 'any');
    await log.append('check_results-eu-west1', [resultOf('check0000001', START)], 'any');
    let elapsed = 5_000;
    const time = await logTimeOf(log, () => elapsed);
    assert.is(time.now(), START);
    elapsed += DAY_MS;
    assert.is(time.now(), START + DAY_MS);
    time.trust(START + 9 * DAY_MS);
    assert.is(time.now(), START + 9 * DAY_MS);
  } finally {
    await dispose();
  }
});

test.run();
