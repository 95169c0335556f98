import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSlot } from '../../../runners/scheduler/slots.ts';
import { createFollower } from '../../../runners/scheduler/follow-checks.ts';
import { createSchedule } from '../../../runners/scheduler/schedule.ts';
import type { CheckSource } from '../../../runners/scheduler/check-source.ts';
import type { RunMessage } from '../../../runners/run-message.ts';
import { UNLIMITED } from '../../credits.ts';
import { groupCreated, groupDeleted, paused, resumed } from '../../domain/check-group/examples.ts';
import { CHECK, checkCreated, checkGrouped, checkUpdated, GROUP } from '../../domain/check/examples.ts';
import { rejects } from '../../rejects.ts';
import { begins, scheduled, stage, START } from './stage.ts';

const test = suite('the scheduler, with groups of checks');
type Stage = ReturnType<typeof stage>;

const member = scheduled(CHECK, { group_id: GROUP });
const slots = ({ offered }: Stage): number[] => offered.map(({ payload }) => (payload as RunMessage).slot);
const FIRST = nextSlot(CHECK, 60, START);
const TIMEOUT_MS = member.timeout * 1_000;

const staged = async (run: (given: Stage) => Promise<void>, ...from: Parameters<typeof stage>): Promise<void> => {
  const given = stage(...from);
  try {
    await given.start();
    await run(given);
  } finally {
    await given.scheduler.stop();
  }
};

test('the scheduler does not run the checks of a paused group, and reads none of their definitions', () =>
  staged(
    async (given) => {
      await given.happens(paused);
      await given.clock.advance(180_000);
      assert.equal(given.offered, []);
      assert.equal(given.read, []);
    },
    [member],
  ));

test('the scheduler knows after a restart which groups are paused', () =>
  staged(
    async (given) => {
      await given.clock.advance(180_000);
      assert.equal(given.offered, []);
      await given.happens(resumed);
      assert.equal(slots(given), [START + 180_000]);
    },
    [member],
    UNLIMITED,
    [GROUP],
  ));

test('the scheduler runs the checks of a resumed group immediately, then at their slots', () =>
  staged(
    async (given) => {
      await given.happens(paused);
      await given.happens(resumed);
      assert.equal(slots(given), [START]);
      given.finishAll();
      await given.clock.advance(60_000);
      assert.equal(slots(given), [START, FIRST]);
    },
    [member],
  ));

test('the scheduler changes nothing for a group that was already active', () =>
  staged(
    async (given) => {
      await given.happens(groupCreated());
      await given.happens(resumed);
      await given.clock.advance(begins(FIRST) - START);
      assert.equal(slots(given), [FIRST]);
    },
    [member],
  ));

test('the scheduler discards a partial load when reading the read models has failed', async () => {
  const schedule = createSchedule();
  const follower = createFollower({ schedule, clock: { now: () => START }, cancel: () => undefined });
  const other = scheduled('check0000002', { group_id: GROUP });
  const position = async (): Promise<bigint> => 1n;
  const get = async (): Promise<never[]> => [];
  const failing: CheckSource = {
    position,
    get,
    pausedGroups: async () => new Set([GROUP]),
    page: async (after) => {
      if (after !== null) throw new Error('The read model is being built.');
      return [member, other];
    },
  };
  await rejects(follower.load(failing, 1n), Error, /being built/);
  const pages = [[other], []];
  await follower.load(
    { position, get, pausedGroups: async () => new Set(), page: async () => pages.shift() ?? [] },
    2n,
  );
  assert.equal(
    [...schedule.all()].map((entry) => [entry.id, schedule.runs(entry)]),
    [[other.id, true]],
  );
});

test('the scheduler starts the checks of a large group one after another, the last within three seconds', () => {
  const schedule = createSchedule();
  schedule.pause(GROUP, START);
  for (let n = 0; n < 10_000; n++) {
    const id = `check${n.toString().padStart(7, '0')}`;
    // Because of the long interval, none of these checks becomes due by its schedule.
    const timing = { id, organizationId: 'org000000001', active: true, parked: false, group: GROUP, interval: 86_400 };
    schedule.add(timing, START, false);
  }
  assert.is(schedule.nextDue(), undefined);
  schedule.resume(GROUP, START);
  const bySecond = [1, 2, 3].map((second) => schedule.take(START + second * 1_000 - 1, Infinity).runs.length);
  assert.equal(bySecond, [3_334, 3_333, 3_333]);
});

test('the scheduler runs a check of an active group only if the check itself is active', () =>
  staged(
    async (given) => {
      await given.happens(paused);
      await given.happens(checkUpdated({ active: false }, { active: true }));
      await given.happens(resumed);
      await given.clock.advance(120_000);
      assert.equal(given.offered, []);
      await given.happens(checkUpdated({ active: true }, { active: false }));
      assert.is(given.offered.length, 1);
    },
    [member],
  ));

test('the scheduler activates no check of a paused group', () =>
  staged(
    async (given) => {
      await given.happens(checkUpdated({ active: true }, { active: false }));
      await given.happens(checkUpdated({ url: 'https://store.example/' }, { url: 'https://shop.example/' }));
      assert.equal(given.offered, []);
    },
    [{ ...member, active: false }],
    UNLIMITED,
    [GROUP],
  ));

test('the scheduler immediately runs a check that leaves a paused group, but not a check that enters a paused group', () =>
  staged(
    async (given) => {
      const none = { group_id: null, position: null };
      await given.happens(checkGrouped(none));
      assert.equal(slots(given), [START]);
      given.finishAll();
      await given.happens(checkGrouped());
      await given.clock.advance(120_000);
      assert.is(given.offered.length, 1);
    },
    [member],
    UNLIMITED,
    [GROUP],
  ));

test('the scheduler leaves the slots of a check that moves between active groups unchanged', () =>
  staged(
    async (given) => {
      await given.happens(checkGrouped());
      await given.clock.advance(begins(FIRST) - START);
      assert.equal(slots(given), [FIRST]);
    },
    [scheduled(CHECK)],
  ));

test('the scheduler soon repeats a check whose run may not have started when its group was paused', () =>
  staged(
    async (given) => {
      await given.clock.advance(begins(FIRST) - START);
      assert.equal(slots(given), [FIRST]);
      await given.happens(paused);
      await given.clock.advance(2 * TIMEOUT_MS);
      await given.happens(resumed);
      // The run may have started just before the pause. In that case, the check runs twice.
      assert.is(given.offered.length, 1);
      await given.clock.advance(1_000);
      assert.is(given.offered.length, 2);
    },
    [member],
  ));

test('the scheduler never runs a new check in a paused group', () =>
  staged(async (given) => {
    await given.happens(groupCreated({ active: false }));
    await given.happens(checkCreated({}, { group_id: GROUP, position: 1 }));
    await given.clock.advance(120_000);
    assert.equal(given.offered, []);
  }));

test('the scheduler runs the checks of a deleted paused group, because they are no longer in a group', () =>
  staged(
    async (given) => {
      await given.happens(groupDeleted);
      assert.equal(slots(given), [START]);
      given.finishAll();
      await given.clock.advance(60_000);
      assert.is(given.offered.length, 2);
    },
    [member],
    UNLIMITED,
    [GROUP],
  ));

test('the scheduler lets a current run end when its group is paused, and starts no other', () =>
  staged(
    async (given) => {
      await given.clock.advance(begins(FIRST) - START);
      const [run] = given.offered;
      assert.ok(run);
      await given.happens(paused);
      assert.equal(given.cancelled, []);
      assert.not(given.scheduler.wants(CHECK, run.run_id, false));
      assert.ok(given.scheduler.wants(CHECK, run.run_id, true));
    },
    [member],
  ));

test.run();
