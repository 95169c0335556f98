import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupIdOf } from '../../../domain/execution-group/events.ts';
import { nextSlot, runIdOf } from '../../../runners/scheduler/slots.ts';
import { MAX_WAIT_MS } from '../../../runners/scheduler/start-times.ts';
import type { RunMessage } from '../../../runners/run-message.ts';
import { CreditLimitExceeded, type Credits } from '../../../domain/credits/credits.ts';
import { UNLIMITED } from '../../credits.ts';
import {
  CHECK,
  checkCreated,
  checkDeleted,
  checkRestored,
  checkUpdated,
  parked,
  released,
} from '../../domain/check/examples.ts';
import { rejects } from '../../rejects.ts';
import { settled } from '../../network/fake-clock.ts';
import { begins, scheduled, stage, START } from './stage.ts';

const scheduling = suite('the scheduler');
type Stage = ReturnType<typeof stage>;

const slots = ({ offered }: Stage): number[] => offered.map(({ payload }) => (payload as RunMessage).slot);
const checksOf = ({ offered }: Stage): string[] =>
  offered.map(({ payload }) => String((payload as RunMessage).check_id));

const IDS = Array.from({ length: 100 }, (_, index) => `chk${index.toString().padStart(9, '0')}`);

const staged = (sentence: string, checks: Parameters<typeof stage>[0], run: (given: Stage) => Promise<void>): void => {
  scheduling(sentence, async () => {
    const given = stage(checks);
    try {
      await run(given);
    } finally {
      await given.scheduler.stop();
    }
  });
};

staged(
  'the scheduler runs a check only at its slots, once per interval, if the check has run before',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    assert.equal(given.offered, []);
    for (let minute = 0; minute < 3; minute++) {
      await given.clock.advance(60_000);
      given.finishAll();
    }
    const first = nextSlot(CHECK, 60, START);
    assert.equal(slots(given), [first, first + 60_000, first + 120_000]);
    const wait = begins(first) - first;
    assert.equal(given.lateness, [wait, wait, wait]);
  },
);

staged(
  'the scheduler starts runs together if they are due in quick succession, each with its own slot',
  IDS.map((id) => scheduled(id, { id, interval: 30 })),
  async (given) => {
    await given.start();
    const due = IDS.map((id) => nextSlot(id, 30, START));
    let wakes = 0;
    for (let time = START; time < START + 30_000; time += 50) {
      const before = given.offered.length;
      await given.clock.advance(50);
      if (given.offered.length > before) wakes += 1;
    }
    assert.equal(slots(given).sort(), [...due].sort());
    assert.ok(given.lateness.every((late) => late >= 0 && late < MAX_WAIT_MS));
    assert.is(wakes, new Set(due.map(begins)).size);
    assert.ok(wakes < IDS.length);
  },
);

staged(
  'the scheduler offers a run with everything that a worker needs, and an id derived from check and slot',
  [scheduled(CHECK, { parameters: { search_text: 'ok' } })],
  async (given) => {
    await given.start();
    await given.clock.advance(60_000);
    const slot = nextSlot(CHECK, 60, START);
    assert.equal(given.offered, [
      {
        run_id: runIdOf(CHECK, slot),
        region: 'ru-central1',
        not_after: slot + 70_000,
        payload: {
          check_id: CHECK,
          organization_id: 'org000000001',
          slot,
          result_type: 'regular',
          execution_id: null,
          execution_group_id: null,
          answer_by: null,
          interval: 60,
          definition: {
            type: 'web',
            url: 'https://shop.example/',
            host: null,
            port: null,
            timeout: 10,
            parameters: { search_text: 'ok' },
          },
        },
      },
    ]);
  },
);

staged(
  'after its start the scheduler immediately runs only checks that have never run',
  [
    scheduled('check0000001', { status: 'pending' }),
    scheduled('check0000002', { status: 'down' }),
    scheduled('check0000003', { status: 'pending', active: false }),
    scheduled('check0000004', { status: 'up' }),
    scheduled('check0000005', { status: 'pending' }),
  ],
  async (given) => {
    await given.start();
    assert.equal(checksOf(given).sort(), ['check0000001', 'check0000005']);
    assert.is(given.scheduler.size(), 5);
  },
);

staged('the scheduler runs a new check immediately, then at its slots', [], async (given) => {
  await given.start();
  await given.clock.advance(12_345);
  await given.happens(checkCreated());
  assert.equal(slots(given), [START + 12_345]);
  given.finishAll();
  await given.clock.advance(60_000);
  assert.equal(slots(given).slice(1), [nextSlot(CHECK, 60, START + 12_345)]);
});

staged(
  'the scheduler does not run a check that was created inactive until it is activated, and then runs it immediately',
  [],
  async (given) => {
    await given.start();
    await given.happens(checkCreated({ active: false }));
    await given.clock.advance(300_000);
    assert.equal(given.offered, []);
    await given.happens(checkUpdated({ active: true }, { active: false }));
    assert.equal(slots(given), [START + 300_000]);
  },
);

staged('the scheduler runs a check immediately when it gets another target', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.clock.advance(60_000);
  given.finishAll();
  await given.happens(checkUpdated({ url: 'https://other.example/' }, { url: 'https://shop.example/' }));
  assert.is(given.offered.length, 2);
  assert.is((given.offered[1]?.payload as RunMessage).definition.url, 'https://other.example/');
  assert.equal(given.cancelled, []);
});

staged('the scheduler does not change the slots of a renamed check', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.happens(checkUpdated({ name: 'Store' }, { name: 'Shop' }));
  assert.equal(given.offered, []);
});

staged(
  'the scheduler uses the slots of a new interval immediately',
  [scheduled(CHECK, { interval: 3_600 })],
  async (given) => {
    await given.start();
    await given.happens(checkUpdated({ interval: 30 }, { interval: 3_600 }));
    assert.equal(given.offered, []);
    await given.clock.advance(30_000);
    assert.equal(slots(given), [nextSlot(CHECK, 30, START)]);
  },
);

staged(
  'the scheduler requests definitions at least as new as the events that it has read',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    await given.happens(checkUpdated({ timeout: 5 }, { timeout: 10 }));
    await given.clock.advance(60_000);
    assert.is(given.passedAsked(), await given.lastPosition());
    assert.is((given.offered[0]?.payload as RunMessage).definition.timeout, 5);
  },
);

staged('the scheduler never has two runs of one check in flight', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.clock.advance(150_000);
  assert.is(given.offered.length, 1);
  assert.ok(given.skipped.includes('in_flight 1'));
  given.finishAll();
  await given.clock.advance(60_000);
  assert.is(given.offered.length, 2);
});

staged('the scheduler repeats a check whose run was never reported', [scheduled(CHECK)], async (given) => {
  await given.start();
  const slot = nextSlot(CHECK, 60, START);
  // The run may start up to 70 s after its slot and may be repeated once. Each attempt takes up to 10 s. Only then does
  // the check run again.
  await given.clock.advance(begins(slot) - START + 120_000);
  assert.equal(slots(given), [slot, slot + 120_000]);
});

staged(
  'the scheduler still considers the run of a check in flight when another run of the check ends',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    await given.clock.advance(60_000);
    given.scheduler.finished(CHECK, 'another run');
    given.scheduler.finished('another check', 'another run');
    await given.clock.advance(60_000);
    assert.is(given.offered.length, 1);
  },
);

staged(
  'the scheduler starts no further runs of a paused check; the current run ends, and its result counts',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    await given.clock.advance(60_000);
    const [run] = given.offered;
    assert.ok(run);
    assert.is(given.scheduler.wants(CHECK, run.run_id, false), true);
    await given.happens(checkUpdated({ active: false }, { active: true }));
    assert.equal(given.cancelled, []);
    assert.is(given.scheduler.wants(CHECK, run.run_id, true), true);
    assert.is(given.scheduler.wants(CHECK, run.run_id, false), false);
    await given.clock.advance(300_000);
    assert.is(given.offered.length, 1);
  },
);

staged(
  'the scheduler runs a check that was paused briefly as soon as its current run has ended',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    await given.clock.advance(60_000);
    await given.happens(checkUpdated({ active: false }, { active: true }));
    await given.happens(checkUpdated({ active: true }, { active: false }));
    await given.clock.advance(3_000);
    assert.is(given.offered.length, 1);
    given.finishAll();
    await given.clock.advance(1_000);
    assert.is(given.offered.length, 2);
  },
);

staged('the scheduler ends the run of a deleted check, and schedules no other', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.clock.advance(60_000);
  const [run] = given.offered;
  await given.happens(checkDeleted);
  assert.equal(given.cancelled, [run?.run_id]);
  assert.is(given.scheduler.wants(CHECK, run?.run_id ?? '', true), false);
  await given.clock.advance(300_000);
  assert.is(given.offered.length, 1);
  assert.is(given.scheduler.size(), 0);
});

staged('the scheduler runs a restored check immediately, unless it is paused', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.happens(checkDeleted);
  await given.clock.advance(60_000);
  assert.is(given.offered.length, 0);
  await given.happens(checkRestored({ active: false }));
  await given.clock.advance(1_000);
  assert.is(given.offered.length, 0);
  await given.happens(checkDeleted);
  await given.happens(checkRestored());
  await given.clock.advance(1_000);
  assert.is(given.offered.length, 1);
});

staged('the scheduler ends an outdated run, and starts another one instead', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.clock.advance(60_000);
  await given.happens(checkUpdated({ parameters: { search_text: 'ok' } }, { parameters: {} }));
  assert.equal(given.cancelled, [given.offered[0]?.run_id]);
  assert.is(given.offered.length, 2);
  assert.equal((given.offered[1]?.payload as RunMessage).definition.parameters, { search_text: 'ok' });
});

staged(
  'the scheduler rotates through several regions',
  [scheduled(CHECK, { parameters: { regions: ['eu-bel1', 'IN, Mumbai', 'EU, West'] } })],
  async (given) => {
    await given.start();
    for (let minute = 0; minute < 4; minute++) {
      await given.clock.advance(60_000);
      given.finishAll();
    }
    const regions = given.offered.map(({ region }) => region);
    assert.equal(regions.slice(0, 2).sort(), ['asia-south1', 'eu-west1']);
    assert.equal(regions.slice(0, 2), regions.slice(2));
  },
);

staged(
  'the scheduler runs a multi-region check in all regions concurrently, and again only after all of them are done',
  [
    scheduled(CHECK, {
      parameters: {
        regions: ['EU, West', 'IN, Mumbai', 'RU, Moscow'],
        multi_region_execution: { enabled: true, execution_mode: 'all' },
      },
    }),
  ],
  async (given) => {
    await given.start();
    await given.clock.advance(60_000);
    await given.clock.advance(20);
    const [run] = given.offered;
    assert.ok(run);
    assert.equal(
      given.offered.map(({ region, run_id }) => [region, run_id]),
      ['eu-west1', 'asia-south1', 'ru-central1'].map((region) => [region, run.run_id]),
    );
    given.scheduler.finished(CHECK, run.run_id);
    given.scheduler.finished(CHECK, run.run_id);
    assert.ok(given.scheduler.wants(CHECK, run.run_id, true));
    // Two regions are done, but the third is not.
    await given.clock.advance(60_000);
    assert.equal(given.skipped, ['in_flight 1']);
    given.scheduler.finished(CHECK, run.run_id);
    assert.not(given.scheduler.wants(CHECK, run.run_id, true));
    await given.clock.advance(60_000);
    await given.clock.advance(20);
    assert.is(given.offered.length, 6);
  },
);

staged(
  'the scheduler starts no burst of runs after its machine has slept: overdue runs wait for their next slot',
  Array.from({ length: 50 }, (_, i) => scheduled(`check${i.toString().padStart(7, '0')}`)),
  async (given) => {
    await given.start();
    await given.clock.advance(60_000);
    given.finishAll();
    const before = given.offered.length;
    assert.is(before, 50);
    // During sleep no timer fires. Afterwards the wall clock is eight hours later.
    given.clock.set(given.clock.now() + 8 * 3_600_000);
    await given.clock.advance(10_000);
    const soon = given.offered.length - before;
    assert.ok(soon < 25, `${soon} runs within 10 s`);
    await given.clock.advance(50_000);
    const minute = checksOf(given).slice(before);
    assert.is(new Set(minute).size, minute.length);
    assert.ok(minute.length > 45, `${minute.length} runs within a minute`);
  },
);

const PARALLEL = {
  regions: ['EU, West', 'IN, Mumbai'],
  multi_region_execution: { enabled: true, execution_mode: 'all' },
};

staged(
  'the scheduler cancels the group of a multi-region run when its check is changed, and starts another run',
  [scheduled(CHECK, { parameters: PARALLEL })],
  async (given) => {
    await given.start();
    await given.clock.advance(60_020);
    const [run] = given.offered;
    assert.ok(run);
    await given.happens(checkUpdated({ timeout: 5 }, { timeout: 10 }));
    await given.clock.advance(20);
    assert.equal(given.cancelledGroups, [groupIdOf(run.run_id)]);
    assert.is(given.offered.length, 4);
    await given.happens(checkUpdated({ active: false }, { active: true }));
    assert.is(given.cancelledGroups.length, 1);
  },
);

staged(
  'the scheduler cancels the group of a run that is cancelled while the group is being started',
  [scheduled(CHECK, { parameters: PARALLEL })],
  async (given) => {
    await given.start();
    // The start of the group is delayed by 20 ms, so that several groups can share an append.
    await given.clock.advance(begins(nextSlot(CHECK, 60, START)) - START + 5);
    assert.equal(given.offered, []);
    await given.happens(checkUpdated({ url: 'https://other.example/' }, { url: 'https://shop.example/' }));
    await given.clock.advance(20);
    assert.is(given.cancelledGroups.length, 1);
  },
);

staged(
  'if an immediate run could not start at once, its slot is the time at which the run could start',
  [scheduled(CHECK, { status: 'pending' })],
  async (given) => {
    given.faults.readModelLate = true;
    await given.start();
    await given.clock.advance(30_500);
    given.faults.readModelLate = false;
    await given.clock.advance(1_000);
    const [slot = 0] = slots(given);
    assert.ok(slot > START + 20_000, 'otherwise its result would be late');
  },
);

staged('the scheduler continues after its clock was set back', [scheduled(CHECK)], async (given) => {
  await given.start();
  await given.clock.advance(60_000);
  given.finishAll();
  given.clock.set(given.clock.now() - 3_600_000);
  await given.clock.advance(75_000);
  assert.is(given.offered.length, 2);
});

staged(
  'the scheduler skips a run that the queue rejects, and continues with the next',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    given.faults.queueFull = true;
    await given.clock.advance(60_000);
    assert.equal(given.offered, []);
    assert.equal(given.skipped, ['refused 1']);
    given.faults.queueFull = false;
    await given.clock.advance(60_000);
    assert.is(given.offered.length, 1);
  },
);

staged(
  'the scheduler retries a run one second later if its definition or its queue is unavailable',
  [scheduled(CHECK)],
  async (given) => {
    await given.start();
    const slot = nextSlot(CHECK, 60, START);
    given.faults.readModelLate = true;
    await given.clock.advance(begins(slot) - START);
    assert.is(given.troubles.length, 1);
    given.faults.readModelLate = false;
    given.faults.queueDown = true;
    await given.clock.advance(1_000);
    assert.is(given.troubles.length, 2);
    given.faults.queueDown = false;
    await given.clock.advance(1_000);
    // The retry is the same run, and the next run is at its slot.
    assert.equal(slots(given), [slot]);
    given.finishAll();
    await given.clock.advance(60_000);
    assert.equal(slots(given), [slot, slot + 60_000]);
  },
);

staged('the scheduler offers nothing after it is stopped', [scheduled(CHECK, { status: 'pending' })], async (given) => {
  await given.start();
  await given.scheduler.stop();
  await given.scheduler.ended;
  assert.is(given.clock.pending(), 0);
  await given.clock.advance(300_000);
  assert.is(given.offered.length, 1);
});

staged(
  'the scheduler does not run a check whose document is missing or inactive when the check is due',
  [],
  async (given) => {
    await given.start();
    await given.happens(checkCreated());
    given.finishAll();
    await given.happens(checkUpdated({ active: false }, { active: true }));
    await given.happens(checkDeleted);
    await given.clock.advance(120_000);
    assert.is(given.offered.length, 1);
  },
);

staged('the scheduler waits for a read model that is not built yet', [scheduled(CHECK)], async (given) => {
  given.faults.sourceDown = true;
  const started = given.start();
  await settled();
  await given.clock.advance(5_000);
  assert.is(given.troubles.length, 6);
  given.faults.sourceDown = false;
  await given.clock.advance(1_000);
  await started;
  await given.clock.advance(60_000);
  assert.is(given.offered.length, 1);
});

staged('the scheduler can be stopped while it waits for the read model', [scheduled(CHECK)], async (given) => {
  given.faults.sourceDown = true;
  const started = given.start();
  await settled();
  await given.scheduler.stop();
  await started;
  await given.scheduler.ended;
});

staged(
  'the scheduler does not run a parked check until it is changed or released, and then runs it immediately',
  [],
  async (given) => {
    const alone = stage([scheduled(CHECK, { parked_at: '2026-11-20T14:00:00.000000', status: 'pending' })]);
    await alone.start();
    await alone.clock.advance(120_000);
    assert.equal(alone.offered, []);
    await alone.scheduler.stop();

    await given.start();
    await given.happens(checkCreated());
    given.finishAll();
    for (const [round, fact] of [released, checkUpdated({ name: 'Store' }, { name: 'Shop' })].entries()) {
      await given.happens(parked());
      await given.clock.advance(120_000);
      assert.is(given.offered.length, round + 1);
      await given.happens(fact);
      assert.is(given.offered.length, round + 2);
      given.finishAll();
    }
  },
);

staged(
  'the scheduler ends a run in flight of a check that is parked because its runs crash their processes',
  [],
  async (given) => {
    await given.start();
    await given.happens(checkCreated());
    await given.happens(parked());
    assert.equal(
      given.cancelled,
      given.offered.map(({ run_id }) => run_id),
    );
  },
);

staged('the scheduler does not run a check that is parked before it is due', [scheduled(CHECK)], async (given) => {
  await given.start();
  given.documents.set(CHECK, scheduled(CHECK, { parked_at: '2026-11-20T14:00:00.000000' }));
  await given.clock.advance(60_000);
  assert.equal(given.offered, []);
});

scheduling('the scheduler skips the runs of an organization without credits, without reading its checks', async () => {
  const broke = new Set(['org000000002']);
  const credits: Credits = { ...UNLIMITED, canPay: (organization) => !broke.has(organization) };
  const others = ['a', 'b', 'c'].map((name) => scheduled(`check of ${name}`, { organization_id: 'org000000002' }));
  const given = stage([scheduled(CHECK), ...others], credits);
  await given.start();
  await given.clock.advance(60_000);
  assert.equal(checksOf(given), [CHECK]);
  assert.equal(given.read, [CHECK]);
  assert.equal(given.skipped, ['unpaid 1', 'unpaid 1', 'unpaid 1']);
  broke.clear();
  await given.clock.advance(60_000);
  assert.is(checksOf(given).length, 4, 'those of the first organization are still in flight');
  await given.scheduler.stop();
});

scheduling(
  'the scheduler skips a run that the credits do not cover completely, and continues with the next run',
  async () => {
    let left = 0;
    const credits: Credits = {
      ...UNLIMITED,
      canPay: (_, requested) => requested === 1,
      charge: ({ regions }) => {
        if (regions.length > left) throw new CreditLimitExceeded();
      },
    };
    const parallel = {
      regions: ['eu-west1', 'in-mum1'],
      multi_region_execution: { enabled: true, execution_mode: 'all' },
    };
    const given = stage([scheduled(CHECK, { parameters: parallel })], credits);
    await given.start();
    await given.clock.advance(60_000);
    assert.equal(given.skipped, ['unpaid 1']);
    assert.equal(given.offered, []);
    assert.equal(given.troubles, []);
    left = 2;
    await given.clock.advance(60_000);
    await given.clock.advance(20);
    assert.is(given.offered.length, 2);
    await given.scheduler.stop();
  },
);

scheduling('the scheduler stops if the log cannot be followed, and reports the reason', async () => {
  const given = stage([scheduled(CHECK)]);
  await given.start();
  given.faults.logBroken = true;
  await given.happens(checkUpdated({ name: 'Store' }, { name: 'Shop' }));
  await rejects(given.scheduler.ended, Error, 'The log is broken.');
  await given.clock.advance(120_000);
  assert.equal(given.offered, []);
});

scheduling.run();
