import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSlot } from '../../../runners/scheduler/grid.ts';
import { createFollower } from '../../../runners/scheduler/follow.ts';
import { createSchedule } from '../../../runners/scheduler/schedule.ts';
import type { CheckSource } from '../../../runners/scheduler/source.ts';
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

test('does not run the checks of a paused group, and reads none of them', () =>
  staged(
    async (given) => {
      await given.happens(paused);
      await given.clock.advance(180_000);
      assert.equal(given.offered, []);
      assert.equal(given.read, []);
    },
    [member],
  ));

test('knows after a restart which groups are paused', () =>
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

test('runs the checks of a group at once that is paused no longer, then on their grid', () =>
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

test('changes nothing for a group that was active before', () =>
  staged(
    async (given) => {
      await given.happens(groupCreated());
      await given.happens(resumed);
      await given.clock.advance(begins(FIRST) - START);
      assert.equal(slots(given), [FIRST]);
    },
    [member],
  ));

test('forgets what it was told when the read models failed half-way', async () => {
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

test('begins the checks of a large group one by one, the last within three seconds', () => {
  const schedule = createSchedule();
  schedule.pause(GROUP, START);
  for (let n = 0; n < 10_000; n++) {
    const id = `check${n.toString().padStart(7, '0')}`;
    // None of them falls due by itself.
    const timing = { id, organizationId: 'org000000001', active: true, parked: false, group: GROUP, interval: 86_400 };
    schedule.add(timing, START, false);
  }
  assert.is(schedule.nextDue(), undefined);
  schedule.resume(GROUP, START);
  const bySecond = [1, 2, 3].map((second) => schedule.take(START + second * 1_000 - 1, Infinity).runs.length);
  assert.equal(bySecond, [3_334, 3_333, 3_333]);
});

test('runs a check only where its own switch is on too', () =>
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

test('activates no check of a paused group', () =>
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

test('runs a check at once that leaves a paused group, and none that comes into one', () =>
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

test('leaves a check on its grid that moves between groups that run', () =>
  staged(
    async (given) => {
      await given.happens(checkGrouped());
      await given.clock.advance(begins(FIRST) - START);
      assert.equal(slots(given), [FIRST]);
    },
    [scheduled(CHECK)],
  ));

test('runs a check again soon whose run may never have begun when its group was paused', () =>
  staged(
    async (given) => {
      await given.clock.advance(begins(FIRST) - START);
      assert.equal(slots(given), [FIRST]);
      await given.happens(paused);
      await given.clock.advance(2 * TIMEOUT_MS);
      await given.happens(resumed);
      // It may have begun at the last moment, and be repeated.
      assert.is(given.offered.length, 1);
      await given.clock.advance(1_000);
      assert.is(given.offered.length, 2);
    },
    [member],
  ));

test('runs a new check that is put into a paused group neither at once nor later', () =>
  staged(async (given) => {
    await given.happens(groupCreated({ active: false }));
    await given.happens(checkCreated({}, { group_id: GROUP, position: 1 }));
    await given.clock.advance(120_000);
    assert.equal(given.offered, []);
  }));

test('runs the checks of a paused group that is deleted: they are in none', () =>
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

test('lets a run end that is under way when its group is paused, and begins no other', () =>
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
