import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../../commands/engine/handle.ts';
import { createHeartbeat, updateHeartbeat } from '../../../domain/heartbeat/decide.ts';
import { publicNameOf } from '../../../domain/heartbeat/identity.ts';
import type { Reception } from '../../../domain/heartbeat/reception.ts';
import { heartbeatDecider } from '../../../domain/heartbeat/state.ts';
import { secondsLater } from '../../../domain/heartbeat/expectation.ts';
import type { NewEvent } from '../../../domain/event.ts';
import type { HeartbeatFields } from '../../../domain/heartbeat/events.ts';
import type { HeartbeatPinged, Timing } from '../../../domain/heartbeat-pings/events.ts';
import {
  afterPing,
  afterRescheduling,
  downAtOf,
  INITIAL_PING_STATE,
  type PingState,
} from '../../../domain/heartbeat-pings/state.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import type {
  AwaitedHeartbeatDocument,
  HeartbeatStateDocument,
} from '../../../projections/heartbeat-pings/projection.ts';
import { createDueElsewhereWork } from '../../../reactors/engine/due-elsewhere.ts';
import {
  HEARTBEAT_LATENESS,
  createLateHandler,
  type LatenessDependencies,
} from '../../../reactors/heartbeats/lateness.ts';
import type { DueList } from '../../../reactors/engine/lists.ts';
import { createSettle } from '../../../reactors/heartbeats/settle.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { aContext } from '../../commands/simulated-processes.ts';
import { at, fields, HEARTBEAT, NOON, ORGANIZATION, ping, timing } from '../../domain/heartbeat/examples.ts';
import { createList } from '../engine/in-memory-list.ts';
import { shortPause, createReactorHarness } from '../reactor-harness.ts';

const test = suite('the heartbeat-lateness reactor');
const NAME = publicNameOf(HEARTBEAT);

/** Creates a heartbeat with pings, the list of awaited heartbeats, and a log of pings that can lag. */
const stage = async () => {
  const office = createReactorHarness();
  const { list, put } = createList(office);
  const main = createMemoryEventStore('main');
  const clock = () => office.now;
  const context = aContext({ organizationId: ORGANIZATION, now: NOON });
  const handle = () => createHandle({ store: main, clock, pause: () => Promise.resolve() });
  await handle()(HEARTBEAT, heartbeatDecider, (state) => createHeartbeat(state, HEARTBEAT, fields(), NOON), context);
  const appended: NewEvent[] = [];
  let document: HeartbeatStateDocument | null = null;
  const world = {
    office,
    appended,
    caughtUp: true,
    marks: 0,
    reception: null as Reception | null,
    /** called just before the reactor records that a heartbeat is down */
    meanwhile: (): void => undefined,
    /** Records a ping, and folds it into the list. */
    ping: (clock_: string, changes: Partial<HeartbeatPinged> = {}, by = timing()): void => {
      world.fold(clock_, (before) => afterPing(before, ping(clock_, changes, by)));
    },
    /** Changes the schedule, and folds the change into the list. */
    reschedule: async (clock_: string, changes: Partial<HeartbeatFields>): Promise<Timing> => {
      const { number } = await handle()(
        HEARTBEAT,
        heartbeatDecider,
        (state) => updateHeartbeat(state, changes, at(clock_)),
        aContext({ organizationId: ORGANIZATION, now: at(clock_) }),
      ).then(({ state }) => (state.status === 'live' ? state.timing : timing()));
      const changed = timing({ ...changes, number, from: at(clock_) });
      const data = { heartbeat_id: HEARTBEAT, organization_id: ORGANIZATION, number, timing: changed };
      world.fold(clock_, (before) => afterRescheduling(before, data));
      return changed;
    },
    /** Folds a change into the list. */
    fold: (clock_: string, change: (before: PingState) => PingState): void => {
      const kept_at = at(clock_);
      const changed_position = (office.position ?? 0) + 1;
      const known = change(document ?? INITIAL_PING_STATE);
      document = {
        ...known,
        id: NAME,
        heartbeat_id: HEARTBEAT,
        organization_id: ORGANIZATION,
        kept_at,
        said_by: null,
        changed_position,
      };
      const due = secondsLater(downAtOf(known)?.at ?? kept_at, 1);
      put(NAME, (millisecondsOf(due) - office.now) / 1_000, changed_position);
      office.move();
    },
    /** Makes the heartbeat due on the list now. */
    lookNow: (): void => {
      put(NAME, 0, office.position ?? 0);
    },
    /** Sets the clock to a time of the day, as if the reception of pings had been recorded up to then. */
    goTo: async (clock_: string): Promise<void> => {
      office.now = millisecondsOf(at(clock_));
      if (world.reception) world.reception = { ...world.reception, until: office.now };
      office.move();
      await shortPause();
    },
    begin: (changed: Partial<LatenessDependencies> = {}) => {
      const act = createLateHandler({
        handle: handle(),
        clock,
        readState: async () => document,
        reception: async () => world.reception,
        caughtUp: async () => {
          world.marks += 1;
          world.meanwhile();
          return world.caughtUp;
        },
        appendResult: async (_, event) => ({ position: BigInt(appended.push(event)) }),
        ...changed,
      });
      const work = createDueElsewhereWork(
        HEARTBEAT_LATENESS,
        office.todo,
        list as unknown as DueList<AwaitedHeartbeatDocument>,
        (item, { now }) => act(item, now),
      );
      return office.start(work);
    },
    settle: () => createSettle('heartbeat-verdicts', { handle: handle(), clock, readState: async () => document }),
    standing: () => document,
    happened: async () =>
      (await main.readStream(`heartbeat-${HEARTBEAT}`)).slice(1).map(({ type, data }) => {
        const { down_at, recovered_at } = data as { down_at?: string; recovered_at?: string };
        return `${type} ${(down_at ?? recovered_at ?? '').slice(11, 19)}`;
      }),
  };
  world.reception = { since: millisecondsOf(NOON), until: office.now };
  await world.goTo('13:00');
  world.ping('13:00');
  return world;
};

test('a late heartbeat goes down in the second in which it becomes late, and only once, whatever happens to the process', async () => {
  const world = await stage();
  const stop = world.begin();
  await world.goTo('14:10:00');
  assert.equal(await world.happened(), []);
  await world.goTo('14:10:01');
  assert.equal(await world.happened(), ['HeartbeatWentDown 14:10:00']);
  world.office.dead = true;
  await stop();
  world.office.dead = false;
  world.begin();
  await world.goTo('14:20');
  assert.equal(await world.happened(), ['HeartbeatWentDown 14:10:00']);
  await world.office.close();
});

test('if the list lags, no heartbeat goes down wrongly, and no late heartbeat is skipped', async () => {
  const world = await stage();
  world.caughtUp = false;
  world.begin();
  await world.goTo('14:10:01');
  await world.goTo('14:11');
  assert.ok(world.marks > 0);
  assert.equal(await world.happened(), []);
  world.caughtUp = true;
  await world.goTo('14:12');
  assert.equal(await world.happened(), ['HeartbeatWentDown 14:10:00']);
  await world.office.close();
});

test('a heartbeat recovers if a ping arrives while the heartbeat is being recorded as down', async () => {
  const world = await stage();
  const state = world.standing();
  assert.ok(state);
  world.ping('14:10:02');
  await world.settle()(state, { at: at('14:10'), because: 'late' });
  assert.equal(await world.happened(), ['HeartbeatWentDown 14:10:00', 'HeartbeatRecovered 14:10:02']);
  await world.office.close();
});

test('a heartbeat that is down while its period is extended recovers with its next ping, and goes down when it is late again', async () => {
  const world = await stage();
  const stop = world.begin();
  await world.goTo('14:10:01');
  const by = await world.reschedule('14:20', { grace_seconds: 3_600 });
  await world.goTo('14:21');
  assert.equal(await world.happened(), ['HeartbeatWentDown 14:10:00', 'HeartbeatUpdated ']);
  await stop();
  world.begin();
  world.ping('14:30', {}, by);
  const state = world.standing();
  assert.ok(state);
  await world.settle()(state, null);
  await world.goTo('16:30:01');
  assert.equal((await world.happened()).slice(2), ['HeartbeatRecovered 14:30:00', 'HeartbeatWentDown 16:30:00']);
  await world.office.close();
});

test('the grace period of a heartbeat restarts when the service is back', async () => {
  const world = await stage();
  world.reception = null;
  const stop = world.begin();
  await world.goTo('15:00');
  assert.equal(await world.happened(), [], 'nobody receives pings');
  await stop();
  world.reception = { since: millisecondsOf(at('15:00')), until: 0 };
  world.begin();
  await world.goTo('15:09:59');
  assert.equal(await world.happened(), []);
  await world.goTo('15:10:01');
  assert.equal(await world.happened(), ['HeartbeatWentDown 15:10:00']);
  await world.office.close();
});

test('a ping that was stored but not folded yet keeps a heartbeat up', async () => {
  const world = await stage();
  // The list folds the ping only when the reactor is about to record that the heartbeat is down.
  world.meanwhile = () => {
    world.ping('14:09:59');
  };
  world.begin();
  await world.goTo('14:10:01');
  assert.equal(await world.happened(), []);
  await world.office.close();
});

test('the state of a heartbeat whose next ping is far in the future is recorded again before the retention removes it', async () => {
  const world = await stage();
  const down_at = '2026-11-27T14:10:00.000000';
  world.ping('13:05', { expected_at: '2026-11-27T14:00:00.000000', down_at });
  world.lookNow();
  world.begin();
  await world.goTo('13:06');
  const [again] = world.appended;
  assert.is(again?.type, 'HeartbeatRescheduled');
  assert.is((again?.data as { known?: { down_at: string } }).known?.down_at, down_at);
  assert.equal(await world.happened(), []);
  await world.office.close();
});

test.run();
