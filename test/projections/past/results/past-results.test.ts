import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../../../domain/event.ts';
import { instantOf, millisecondsOf, MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { checkActivity } from '../../../../projections/check-activity/projection.ts';
import { checkResults } from '../../../../projections/check-results/projection.ts';
import { checks } from '../../../../projections/checks/projection.ts';
import { foldInMemory } from '../../../../projections/engine/in-memory.ts';
import { createPastRead } from '../../../../projections/past/past-read.ts';
import type { ResultLimits } from '../../../../projections/past/results/loads.ts';
import { createPastResultsSource, type PastResults } from '../../../../projections/past/results/past-results.ts';
import type { AnyProjection } from '../../../../projections/engine/fold/define.ts';
import { createMemoryEventStore } from '../../../../stores/event-store/memory.ts';
import { createSharedMemoryReadStore } from '../../../../stores/read-store/memory.ts';
import { CHECK, checkCreated, ORGANIZATION } from '../../../domain/check/examples.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { recorded } from '../../history.ts';

const test = suite('results as of a moment');

const START = Date.UTC(2026, 10, 20, 15);
const STREAM = 'check_results-ru-central1';
const minute = (number: number): number => START + number * MINUTE_MS;

type Fields = Parameters<typeof resultOf>[2];
const result = (at: number, fields: Fields = {}, check = CHECK): NewEvent =>
  resultOf(check, at, { organization_id: ORGANIZATION, ...fields });

/** A result that a process with a wrong clock has recorded. */
const recordedAt = (event: NewEvent, at: number): NewEvent => ({
  ...event,
  metadata: { ...event.metadata, recorded_at: instantOf(at) },
});

const foldAll = (projection: AnyProjection, events: Parameters<typeof foldInMemory>[1]) => {
  const store = createSharedMemoryReadStore();
  return foldInMemory(projection, events, store).then((generation) => ({ store, generation }));
};

/** Stores results, and returns a function that reads the activity of the check as of a moment. */
const logOf = async (events: readonly NewEvent[], limits?: ResultLimits) => {
  const results = createMemoryEventStore('results');
  for (let first = 0; first < events.length; first += 500)
    await results.append(STREAM, events.slice(first, first + 500), 'any');
  const all = await results.readStream(STREAM);
  let read = 0;
  const counted = {
    readStream: async (...options: Parameters<typeof results.readStream>) => {
      const page = await results.readStream(...options);
      read += page.length;
      return page;
    },
  };
  const source = createPastResultsSource({
    results: counted,
    oldestUnfolded: async () => null,
    openStore: createSharedMemoryReadStore,
    ...(limits && { limits }),
  });
  const present = createPastRead((projection) => foldAll(projection, [all]));
  const past = createPastRead((projection) =>
    foldAll(projection, [projection.name === checks.name ? recorded([checkCreated()]) : []]),
  );
  const at = async (
    moment: number,
    retainedFrom = instantOf(START - MINUTE_MS),
    organizationId = ORGANIZATION,
  ): Promise<{ shown: string | null; isUnknown: boolean; read: number }> => {
    read = 0;
    const where = { organizationId, at: instantOf(moment), retainedFrom, present, past };
    const opened: PastResults = source(where, false);
    const model = opened.modelOf(checkActivity);
    assert.ok(model);
    const [found] = (await model.store.get(model.generation, 'check_activity', [CHECK])) as {
      last_checked_at?: string;
    }[];
    return {
      shown: found?.last_checked_at ?? null,
      isUnknown: opened.isUnknown('check_activity', CHECK),
      read,
    };
  };
  return { at };
};

test('results that were suspect, late or outdated are passed over', async () => {
  const { at } = await logOf([
    result(minute(1)),
    result(minute(2), { suspect: true }),
    result(minute(3), { late: true }),
    result(minute(4), { outdated: true }),
  ]);
  assert.equal((await at(minute(5))).shown, instantOf(minute(1)));
});

test('the result of a check is found with few reads among the results of others', async () => {
  const others = Array.from({ length: 2_000 }, (_, index) => result(minute(2) + index * SECOND_MS, {}, 'other0000001'));
  const { at } = await logOf([result(minute(1)), ...others]);
  const { shown, read } = await at(minute(2) + 1_900 * SECOND_MS);
  assert.is(shown, instantOf(minute(1)));
  assert.ok(read < 600, `${read} events were read`);
});

test('a result beyond the limit is unknown', async () => {
  const others = Array.from({ length: 400 }, (_, index) => result(minute(1) + index * 100, {}, 'other0000001'));
  const events = [...others, result(minute(2))];
  assert.equal((await (await logOf(events)).at(minute(3))).isUnknown, false);
  const { at } = await logOf(events, { read: 100, folded: 50_000 });
  const { shown, isUnknown } = await at(minute(3));
  assert.equal([shown, isUnknown], [null, true]);
});

test('a result is found after results that were recorded while a clock was a year ahead', async () => {
  const ahead = Array.from({ length: 100 }, (_, index) =>
    recordedAt(result(minute(2) + index, {}, 'other0000001'), minute(525_600) + index),
  );
  const later = Array.from({ length: 1_000 }, (_, index) => result(minute(3) + index * SECOND_MS, {}, 'other0000001'));
  const { at } = await logOf([result(minute(1)), ...ahead, ...later, result(minute(30))]);
  for (const [moment, expected] of [
    [minute(31), minute(30)],
    [minute(15), minute(1)],
  ] as const) {
    const { shown, isUnknown } = await at(moment);
    assert.ok(isUnknown || shown === instantOf(expected), `as of ${instantOf(moment)}: ${shown}`);
  }
});

test('a check without results is known to have none, unless it is older than the retained results', async () => {
  const { at } = await logOf([result(minute(1), {}, 'other0000001')]);
  assert.equal((await at(minute(2), '2026-01-01T00:00:00.000000')).isUnknown, false);
  assert.equal((await at(minute(2), '2027-01-01T00:00:00.000000')).isUnknown, true);
});

test('results of another organization are not shown', async () => {
  const { at } = await logOf([result(minute(1))]);
  assert.is((await at(minute(2), undefined, 'org000000002')).shown, null);
});

test('uptime is unknown if more results would have to be folded than the limit', async () => {
  const events = Array.from({ length: 60 }, (_, index) => result(minute(index)));
  const results = createMemoryEventStore('results');
  await results.append(STREAM, events, 'any');
  const all = await results.readStream(STREAM);
  const present = createPastRead((projection) => foldAll(projection, [all]));
  const past = createPastRead((projection) =>
    foldAll(projection, [projection.name === checks.name ? recorded([checkCreated()]) : []]),
  );
  const countWith = async (folded: number): Promise<[number, boolean]> => {
    const source = createPastResultsSource({
      results,
      oldestUnfolded: async () => null,
      openStore: createSharedMemoryReadStore,
      limits: { read: 200_000, folded },
    });
    const moment = {
      organizationId: ORGANIZATION,
      at: instantOf(minute(50)),
      retainedFrom: instantOf(START),
      present,
      past,
    };
    const opened = source(moment, true);
    const model = opened.modelOf(checkResults);
    assert.ok(model);
    const where = { check_id: CHECK, created_at: { $gte: instantOf(START) } };
    const count = await model.store.count(model.generation, 'check_results', where);
    return [count, opened.isUnknown('check_hours', CHECK)];
  };
  assert.equal(await countWith(1_000), [51, false]);
  assert.equal(await countWith(40), [0, true]);
});

test('a settled value is unknown and not cached while the read model lacks results of that time', async () => {
  const results = createMemoryEventStore('results');
  await results.append(STREAM, [result(minute(1)), result(minute(2))], 'any');
  const all = await results.readStream(STREAM);
  const past = createPastRead((projection) =>
    foldAll(projection, [projection.name === checks.name ? recorded([checkCreated()]) : []]),
  );
  let folded = 1;
  const source = createPastResultsSource({
    results,
    oldestUnfolded: async () => {
      const next = all[folded];
      return next ? { recordedAt: millisecondsOf(next.metadata.recorded_at) } : null;
    },
    openStore: createSharedMemoryReadStore,
  });
  const shownAt = async (moment: number): Promise<[shown: string | null, isUnknown: boolean, isLate: boolean]> => {
    const present = createPastRead((projection) => foldAll(projection, [all.slice(0, folded)]));
    const where = {
      organizationId: ORGANIZATION,
      at: instantOf(moment),
      retainedFrom: instantOf(START - MINUTE_MS),
      present,
      past,
    };
    const opened = source(where, true);
    const model = opened.modelOf(checkActivity);
    assert.ok(model);
    const [found] = (await model.store.get(model.generation, 'check_activity', [CHECK])) as {
      last_checked_at?: string;
    }[];
    return [found?.last_checked_at ?? null, opened.isUnknown('check_activity', CHECK), opened.isLate()];
  };
  assert.equal(await shownAt(minute(5)), [null, true, true]);
  folded = 2;
  assert.equal(await shownAt(minute(5)), [instantOf(minute(2)), false, false]);
});

test.run();
