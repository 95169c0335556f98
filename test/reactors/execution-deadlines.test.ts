import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/engine/handle.ts';
import { definitionOf, type EventOf } from '../../domain/event-types.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import type { ExecutionGroup } from '../../domain/execution-group/state.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { executionGroups } from '../../projections/execution-groups/projection.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { startService } from '../api/service.ts';
import { reportedOk, GROUP, groupStarted, REQUESTED_REGIONS } from '../domain/execution-group/examples.ts';
import { reactorsOf } from './context.ts';
import { startReactor } from './start-reactor.ts';
import { shortPause } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';

const test = suite('the execution-deadlines reactor');

const START = Date.UTC(2026, 10, 20, 15);
const TIMEOUT_AT = START + 40_000;

/** Starts a service. Its reactor can be started and killed. */
const stage = async () => {
  const service = await startService({ now: START });
  const { stores, readers, statuses, time } = service;
  const coordination = createMemoryCoordination();
  const handle = createHandle({ store: stores.main, clock: () => time.now });
  const logged: string[] = [];
  let events = 0;

  const happens = async (
    fact: EventOf<'ExecutionGroupStarted' | 'CheckRunCompleted' | 'ExecutionGroupTimedOut'>,
  ): Promise<void> => {
    const event = {
      id: derivedUuid(`event ${events++}`),
      ...fact,
      metadata: {
        $correlationId: 'c',
        $causationId: 'c',
        command_id: 'c',
        actor: { kind: 'system' as const, id: 'test', role: null },
        organization_id: fact.data.organization_id,
        recorded_at: instantOf(time.now),
        schema_version: definitionOf(fact.type)?.version ?? 1,
      },
    };
    const category = fact.type === 'CheckRunCompleted' ? 'check_results' : 'execution_groups';
    const { position } = await stores.results.append(`${category}-1`, [event], 'any');
    await readers.waitFor(['execution_groups'], { appended: new Map([['results', position]]) });
  };

  const served = new Set<string>(REQUESTED_REGIONS);

  const start = (act: (append: typeof stores.results.append) => typeof stores.results.append = (same) => same) => {
    const results = { ...stores.results, append: act(stores.results.append.bind(stores.results)) };
    const reactors = reactorsOf({
      handle,
      main: stores.main,
      results,
      readers,
      statuses,
      served: async () => ({
        defaultRegion: defaultRegionOf(REGIONS),
        abilities: { get: () => [], has: (id) => served.has(id) },
      }),
    });
    return startReactor(reactors, 'execution-deadlines', { coordination, clock: () => time.now, logged });
  };

  const group = (): Promise<ExecutionGroup | null> =>
    readers.for({ appended: new Map() })(executionGroups).execution_groups.get(GROUP);
  const timeouts = async () =>
    (await stores.results.readAll({ after: 0n })).filter(({ type }) => type === 'ExecutionGroupTimedOut');
  return {
    time,
    logged,
    served,
    happens,
    start,
    group,
    timeouts,
    began: () => happens(groupStarted({ timeout_at: instantOf(TIMEOUT_AT) })),
    ended: (): Promise<ExecutionGroup> =>
      eventually(async () => {
        const found = await group();
        return found?.status !== 'running' && found;
      }),
    stop: service.stop,
  };
};

test('a parallel run ends after its deadline and not before, and a later result is stored without changing the run', async () => {
  const { time, start, happens, group, began, ended, timeouts, stop } = await stage();
  const end = start();
  await began();
  time.now = TIMEOUT_AT;
  await happens(reportedOk('EU, West'));
  await shortPause();
  assert.is((await group())?.status, 'running');
  time.now = TIMEOUT_AT + 1_000;
  // Any event that changes the list makes the reactor read the clock.
  await happens(reportedOk('CN, Hong Kong', { execution_group_id: 'group0000009' }));
  const found = await ended();
  assert.is(found.status, 'timeout');
  assert.is(found.completed_at, instantOf(TIMEOUT_AT));
  assert.equal(
    found.regional_results.map(({ region, status, result_id }) => [region, status, result_id]),
    [
      ['RU, Moscow', 'timeout', null],
      ['EU, West', 'ok', 'result of EU, West'],
      ['IN, Mumbai', 'timeout', null],
    ],
  );
  await happens(reportedOk('IN, Mumbai', { late: true }));
  assert.equal(await group(), found);
  assert.is((await timeouts()).length, 1);
  await end();
  await stop();
});

test('an ended parallel run names the regions that have no live runner at the deadline', async () => {
  const { time, start, began, happens, served, ended, timeouts, stop } = await stage();
  await began();
  await happens(reportedOk('EU, West'));
  served.delete('IN, Mumbai');
  time.now = TIMEOUT_AT + 1_000;
  const end = start();
  const found = await ended();
  assert.equal(found.unserved, ['IN, Mumbai']);
  assert.equal(
    found.regional_results.map(({ error_message }) => error_message),
    ['The region reported no result in time.', null, 'No runner serves its region.'],
  );
  assert.equal(
    (await timeouts()).map(({ data }) => (data as { unserved?: string[] }).unserved),
    [['IN, Mumbai']],
  );
  await end();
  await stop();
});

test('a parallel run whose deadline passed while the service was down is ended', async () => {
  const { time, start, began, ended, stop } = await stage();
  const first = start();
  await began();
  await first();
  time.now = TIMEOUT_AT + 3_600_000;
  const second = start();
  const found = await ended();
  assert.is(found.status, 'failed');
  assert.is(found.completed_at, instantOf(TIMEOUT_AT));
  await second();
  await stop();
});

test('a parallel run is ended once if the process crashes after the end was stored', async () => {
  const { time, start, began, ended, timeouts, stop } = await stage();
  await began();
  time.now = TIMEOUT_AT + 1_000;
  let crashes = 1;
  const end = start((append) => async (...parameters) => {
    const appended = await append(...parameters);
    if (crashes-- > 0) throw new Error('The process was killed.');
    return appended;
  });
  assert.is((await ended()).status, 'failed');
  await end();
  const again = start();
  time.now += 60_000;
  await shortPause();
  await again();
  assert.is((await timeouts()).length, 1);
  assert.ok(millisecondsOf((await ended()).completed_at ?? '') <= time.now);
  await stop();
});

test('a parallel run whose regions have all reported is ignored', async () => {
  const { time, start, began, happens, group, timeouts, stop } = await stage();
  await began();
  for (const region of ['RU, Moscow', 'EU, West', 'IN, Mumbai']) await happens(reportedOk(region));
  time.now = TIMEOUT_AT + 60_000;
  const end = start();
  await shortPause();
  assert.is((await group())?.status, 'completed');
  assert.is((await timeouts()).length, 0);
  await end();
  await stop();
});

test.run();
