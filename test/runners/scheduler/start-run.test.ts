import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REGIONS, regionOf } from '../../../domain/check/regions.ts';
import type { RunToStart } from '../../../domain/check/run.ts';
import type { EventData } from '../../../domain/event-types.ts';
import type { RunMessage } from '../../../runners/run-message.ts';
import { groupIdOf } from '../../../domain/execution-group/events.ts';
import { CreditLimitExceeded, type ChargedRun } from '../../../domain/credits/credits.ts';
import { createBatches } from '../../../stores/event-store/batches.ts';
import { createStartRun } from '../../../runners/scheduler/start-run.ts';
import { resultIdOf } from '../../../runners/worker/result.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { QueueFull, type QueuedRun } from '../../../stores/work-queue/port.ts';
import { rejects } from '../../rejects.ts';
import { CHECK, ORGANIZATION } from '../../domain/check/examples.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

const test = suite('starting a run');

const START = Date.UTC(2026, 10, 20, 15);
const ALL = REGIONS.map(({ id }) => id);

const toStart = (parameters: Record<string, unknown> = {}, fields: Partial<RunToStart> = {}): RunToStart => ({
  run_id: 'run000000001',
  check_id: CHECK,
  organization_id: ORGANIZATION,
  definition: { type: 'web', url: 'http://127.0.0.1:81/', host: null, port: null, timeout: 10, parameters },
  interval: 60,
  slot: START - 1_000,
  trigger: { type: 'scheduled' },
  ...fields,
});

const parallel = (regions: readonly string[], more: object = { execution_mode: 'all' }) => ({
  regions,
  multi_region_execution: { enabled: true, ...more },
});

const stage = () => {
  const clock = fakeClock(START);
  const log = createMemoryEventStore('results');
  const offered: QueuedRun[] = [];
  /** aliases of regions with full queues, and other faults */
  const faults = { full: new Set<string>(), down: false, broke: false };
  const charged: ChargedRun[] = [];
  const unpaid: string[] = [];
  const unserved = new Set<string>();
  const [moscow] = REGIONS;
  if (!moscow) throw new Error('There is no region.');
  const startRun = createStartRun({
    queue: {
      offer: async (run) => {
        if (faults.down) throw new Error('The queue is down.');
        if (faults.full.has(run.region)) throw new QueueFull(run.region, 1);
        offered.push(run);
      },
    },
    results: createBatches({ log: createCheckedStore(log), after: clock.after }),
    clock,
    credits: {
      charge: (run) => {
        if (faults.broke) throw new CreditLimitExceeded();
        charged.push(run);
      },
      settle: (run, region, outcome) => unpaid.push(`${run} ${region} ${outcome}`),
    },
    defaultRegion: moscow,
    unserved: () => unserved,
  });
  const groups = async () =>
    (await log.readAll({ after: 0n })).map(({ data }) => data as EventData['ExecutionGroupStarted']);
  return {
    clock,
    log,
    offered,
    charged,
    unpaid,
    faults,
    unserved,
    groups,
    start: async (run: RunToStart) => {
      const started = startRun(run);
      started.catch(() => undefined);
      await settled();
      await clock.advance(20);
      await settled();
      return started;
    },
    regions: () => offered.map(({ region }) => regionOf(region)?.id),
  };
};

test('the start of a run in one region offers one message and creates no group', async () => {
  const { start, offered, groups } = stage();
  const started = await start(toStart());
  assert.is(offered.length, 1);
  assert.is(offered[0]?.region, 'ru-central1');
  assert.is(offered[0]?.not_after, START - 1_000 + 70_000);
  const message = offered[0]?.payload as RunMessage;
  assert.is(message.execution_group_id, null);
  assert.is(message.result_type, 'regular');
  assert.equal(await groups(), []);
  assert.is(started.execution_group_id, null);
  assert.equal(
    started.regions.map(({ region }) => region),
    ['RU, Moscow'],
  );
});

test('runs that are not multi-region rotate through several regions', async () => {
  const { start, regions } = stage();
  const named = ['RU, Moscow', 'eu-west1', 'IN, Mumbai'];
  for (let minute = 0; minute < 4; minute++)
    await start(toStart({ regions: named }, { run_id: `run${minute}`, slot: START + minute * 60_000 }));
  const [first, second, third, fourth] = regions();
  assert.is(new Set([first, second, third]).size, 3);
  assert.is(fourth, first);
});

test('the start of a multi-region run stores the start of its group, and then offers a message to each region', async () => {
  const { start, offered, groups, log } = stage();
  const started = await start(toStart(parallel(['eu-west1', 'RU, Moscow'])));
  const [group] = await groups();
  assert.equal(group, {
    execution_group_id: groupIdOf('run000000001'),
    check_id: CHECK,
    organization_id: ORGANIZATION,
    execution_mode: 'all',
    execution_type: 'scheduled',
    run_id: 'run000000001',
    slot: '2026-11-20T14:59:59.000000',
    regions: ['EU, West', 'RU, Moscow'],
    timeout_at: '2026-11-20T15:00:40.000000',
  });
  assert.match((await log.readAll({ after: 0n }))[0]?.stream ?? '', /^execution_groups-\d$/);
  assert.equal(
    offered.map(({ region, not_after, run_id }) => [region, not_after, run_id]),
    [
      ['eu-west1', START + 40_000, 'run000000001'],
      ['ru-central1', START + 40_000, 'run000000001'],
    ],
  );
  const message = offered[0]?.payload as RunMessage;
  assert.is(message.execution_group_id, started.execution_group_id);
  assert.is(message.answer_by, START + 40_000);
  const west = regionOf('EU, West');
  assert.is(started.regions[0]?.result_id, west && resultIdOf('run000000001', west));
});

test('the deadline of a portscan includes the time that the scan of its host may take, in one region and in a group', async () => {
  const scan = async (parameters: Record<string, unknown>) => {
    const { start, offered, groups } = stage();
    const { definition } = toStart({ host_timeout: '10m', ...parameters });
    await start(toStart({}, { definition: { ...definition, type: 'portscan', url: null, host: '127.0.0.1' } }));
    return { notAfter: offered[0]?.not_after, group: (await groups())[0] };
  };
  assert.is((await scan({})).notAfter, START - 1_000 + 600_000 + 60_000);
  const { notAfter, group } = await scan(parallel(['eu-west1']));
  assert.is(notAfter, START + 630_000);
  assert.is(group?.timeout_at, '2026-11-20T15:10:30.000000');
});

test('a multi-region run names the regions without a connected runner, offers the run to these regions, and does not wait for them', async () => {
  const { start, offered, groups, unserved } = stage();
  unserved.add('EU, West').add('ZA, Johannesburg');
  const started = await start(toStart(parallel(['eu-west1', 'RU, Moscow'])));
  assert.equal((await groups())[0]?.unserved, ['EU, West']);
  assert.equal(
    offered.map(({ region }) => region),
    ['eu-west1', 'ru-central1'],
  );
  assert.is(started.offered, 1);
});

test('a multi-region run waits for all regions if none has a connected runner', async () => {
  const { start, groups, unserved } = stage();
  unserved.add('EU, West').add('RU, Moscow');
  const started = await start(toStart(parallel(['eu-west1', 'RU, Moscow'])));
  assert.is((await groups())[0]?.unserved, undefined);
  assert.is(started.offered, 2);
});

test('a run on demand names its job and the user, and may belong to no check', async () => {
  const { start, offered, groups } = stage();
  const trigger = { type: 'on_demand', job_id: 'job000000001', user_id: 'user00000001' } as const;
  await start(toStart(parallel(ALL), { check_id: null, interval: null, trigger }));
  const [group] = await groups();
  assert.is(group?.check_id, undefined);
  assert.is(group?.execution_type, 'on_demand');
  assert.is(group?.execution_id, 'job000000001');
  assert.is(group?.triggered_by_user_id, 'user00000001');
  const message = offered[0]?.payload as RunMessage;
  assert.is(message.result_type, 'on_demand');
  assert.is(message.execution_id, 'job000000001');
});

test('a run on demand must start within a minute after it was due', async () => {
  const { start, offered } = stage();
  const trigger = { type: 'on_demand', job_id: 'job000000001', user_id: null } as const;
  await start(toStart({}, { trigger }));
  assert.is(offered[0]?.not_after, START - 1_000 + 60_000);
});

test('the restart of a group runs only the regions without a result, until the deadline of the group', async () => {
  const { start, offered, groups } = stage();
  const begun = { deadline: START + 5_000, answered: ['EU, West'] };
  await start(toStart(parallel(['EU, West', 'RU, Moscow']), { begun }));
  assert.equal(await groups(), []);
  assert.equal(
    offered.map(({ region, not_after }) => [region, not_after]),
    [['ru-central1', START + 5_000]],
  );
  assert.is((offered[0]?.payload as RunMessage).answer_by, START + 5_000);
});

test('the start of a run charges credits before anything is offered, for all regions of a multi-region run together', async () => {
  const { start, charged, unpaid } = stage();
  await start(toStart());
  const regions = ['eu-west1', 'ru-central1'];
  const definition = { type: 'synthetic', url: null, host: null, port: null, timeout: 120 } as const;
  await start(toStart({}, { run_id: 'run000000002', definition: { ...definition, parameters: parallel(regions) } }));
  const paid = { organization_id: ORGANIZATION };
  assert.equal(charged, [
    { ...paid, run_id: 'run000000001', regions: ['ru-central1'], each: 1, until: START - 1_000 + 70_000 + 21_000 },
    { ...paid, run_id: 'run000000002', regions, each: 10, until: START + 20 + 150_000 + 241_000 },
  ]);
  assert.equal(unpaid, []);
});

test('neither a run that the credits do not cover nor its group is started', async () => {
  const { start, offered, groups, faults } = stage();
  faults.broke = true;
  await rejects(start(toStart()), CreditLimitExceeded, 'Credit limit exceeded');
  await rejects(start(toStart(parallel(ALL))), CreditLimitExceeded);
  assert.equal(offered, []);
  assert.equal(await groups(), []);
});

test('a run costs nothing if no region accepts it', async () => {
  const { start, unpaid, faults } = stage();
  faults.full.add('ru-central1');
  await rejects(start(toStart()), QueueFull);
  assert.equal(unpaid, ['run000000001 ru-central1 none']);
  await start(toStart(parallel(['eu-west1', 'RU, Moscow']), { run_id: 'run000000002' }));
  assert.equal(unpaid.slice(1), ['run000000002 ru-central1 none']);
});

test('a restarted run is charged for the regions without a result', async () => {
  const { start, charged } = stage();
  const begun = { deadline: START + 5_000, answered: ['EU, West'] };
  await start(toStart(parallel(['EU, West', 'RU, Moscow']), { begun }));
  assert.equal(
    charged.map(({ regions }) => regions),
    [['ru-central1']],
  );
});

test('a random subset of regions has the requested size, is derived from the run id, and differs between runs', async () => {
  const picked = new Set<string>();
  const picks = new Map<string | undefined, number>();
  for (let run = 0; run < 60; run++) {
    const { start, regions } = stage();
    const requested = toStart(parallel(ALL, { execution_mode: 'random_n', count: 2 }), { run_id: `run ${run}` });
    await start(requested);
    const first = regions();
    assert.is(new Set(first).size, 2);
    for (const region of first) picks.set(region, (picks.get(region) ?? 0) + 1);
    await start(requested);
    assert.equal(regions().slice(2), first);
    picked.add(first.join());
  }
  assert.ok(picked.size > 5, [...picked].join('; '));
  for (const region of ALL) assert.ok((picks.get(region) ?? 0) > 5, region);
});

test('a region with a full queue is skipped, and a run does not start if all queues are full', async () => {
  const { start, offered, faults } = stage();
  faults.full.add('eu-west1');
  await start(toStart(parallel(['EU, West', 'RU, Moscow'])));
  assert.equal(
    offered.map(({ region }) => region),
    ['ru-central1'],
  );
  faults.full.add('ru-central1');
  await rejects(start(toStart(parallel(['EU, West', 'RU, Moscow']), { run_id: 'run2' })), QueueFull);
});

test('a restarted run has the same group', async () => {
  const { start, faults, groups } = stage();
  const run = toStart(parallel(['EU, West', 'RU, Moscow']));
  faults.down = true;
  await rejects(start(run), Error, 'The queue is down.');
  faults.down = false;
  const { execution_group_id } = await start(run);
  assert.equal(
    (await groups()).map((group) => group.execution_group_id),
    [execution_group_id, execution_group_id],
  );
});

test.run();
