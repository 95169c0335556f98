import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { followCutOff, type CutOffRegions, type ServingRunner } from '../../../service/remote/cut-off-regions.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

const runner = (region: string, fields: Partial<ServingRunner> = {}): ServingRunner => ({
  organization_id: 'org000000001',
  name: 'Runner',
  region,
  private: false,
  wasConnected: true,
  ...fields,
});

const staged = () => {
  const state = {
    runners: null as ServingRunner[] | null,
    present: [] as { region: string; last_contact: number }[],
    fails: false,
    asked: 0,
  };
  const troubles: unknown[] = [];
  const followed = followCutOff({
    runners: () => state.runners,
    presences: async () => {
      state.asked += 1;
      if (state.fails) throw new Error('MongoDB does not answer.');
      return state.present;
    },
    trouble: (error) => troubles.push(error),
  });
  return { state, troubles, followed };
};

interface Context {
  given: ReturnType<typeof staged>;
  followed: CutOffRegions;
}

const test = suite<Context>('the cut-off regions of remote runners');
test.before.each((context) => {
  context.given = staged();
  context.followed = context.given.followed;
});
test.after.each(({ followed }) => {
  followed.stop();
});

test('a region whose remote runners are all disconnected counts as cut off since the newest report of these runners', async ({
  given: { state },
  followed,
}) => {
  state.runners = [runner('EU, West'), runner('EU, West'), runner('IN, Mumbai')];
  state.present = [
    { region: 'EU, West', last_contact: NOW },
    { region: 'EU, West', last_contact: NOW - 5_000 },
    { region: 'IN, Mumbai', last_contact: NOW },
  ];
  await followed.poll();
  assert.equal(followed.cutOff(), []);
  assert.equal([...followed.expected()], ['EU, West', 'IN, Mumbai']);
  state.present = [{ region: 'IN, Mumbai', last_contact: NOW + 5_000 }];
  await followed.poll();
  assert.equal(followed.cutOff(), [{ region: 'EU, West', since: NOW }]);
});

test('cut-off regions are unknown until the remote runners are known, and while their connections cannot be read', async ({
  given,
  followed,
}) => {
  const { state, troubles } = given;
  await followed.poll();
  assert.is(followed.cutOff(), null);
  state.runners = [runner('EU, West')];
  state.fails = true;
  await followed.poll();
  assert.is(followed.cutOff(), null);
  assert.is(troubles.length, 1);
  state.fails = false;
  await followed.poll();
  assert.equal(followed.cutOff(), [{ region: 'EU, West', since: null }]);
});

test('a region whose runners have never connected waits for its first runner', async ({
  given: { state },
  followed,
}) => {
  state.runners = [runner('EU, West', { wasConnected: false })];
  await followed.poll();
  assert.equal(followed.cutOff(), [{ region: 'EU, West', since: null, waiting: true }]);
  state.present = [{ region: 'EU, West', last_contact: NOW }];
  await followed.poll();
  state.present = [];
  await followed.poll();
  assert.equal(followed.cutOff(), [{ region: 'EU, West', since: NOW }]);
});

test('a cut-off private location names its organization', async ({ given: { state }, followed }) => {
  const region = 'private-0123456789ab';
  const owned = { private: true, name: 'Office', organization_id: 'org000000002' };
  state.runners = [runner(region, owned)];
  await followed.poll();
  assert.equal(followed.cutOff(), [{ region, since: null, name: 'Office', organization_id: 'org000000002' }]);
});

test('no region is cut off if there are no remote runners, and then no connections are read', async ({
  given: { state },
  followed,
}) => {
  state.runners = [];
  await followed.poll();
  await followed.poll();
  assert.equal(followed.cutOff(), []);
  assert.is(state.asked, 0);
});

test.run();
