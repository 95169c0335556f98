import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProbeContext } from '../../../runners/probes.ts';
import type { HandedRun } from '../../../runners/remote/protocol.ts';
import { openSpool, type Spool } from '../../../runners/remote/spool.ts';
import { nextSlot } from '../../../runners/scheduler/slots.ts';
import { fakeClock, type FakeClock } from '../../network/fake-clock.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { startFakeService, type FakeService } from './fake-service.ts';
import { DOWN, endless, OK, startRunner, type Staged } from './stage.ts';
import { MINUTE_MS } from '../../../domain/time.ts';

const test = suite('a remote runner without its service');

const START = Date.UTC(2026, 0, 5, 12);
const CHECK = 'check0000001';

interface World {
  clock: FakeClock;
  service: FakeService;
  spool: Spool;
  runner: ReturnType<typeof startRunner>['runner'];
  told: string[];
  /** Assigns a run, and waits for its result. */
  handed: (run?: Partial<HandedRun>) => Promise<void>;
  /** Stops the service, and advances the time until the runner considers this an outage. */
  cut: () => Promise<void>;
  /** Advances the time, and waits for disk operations. */
  pass: (milliseconds: number) => Promise<void>;
  /** Restarts the service, and waits until the runner is connected. */
  mend: () => Promise<FakeService>;
}

const cutOff = (body: (world: World) => Promise<void>, staged: Staged = {}) =>
  inTemporaryFolder(async (folder) => {
    // The clock of the runner's machine is an hour slow.
    const clock = fakeClock(START - 60 * MINUTE_MS);
    const now = (): number => clock.now() + 60 * MINUTE_MS;
    const service = await startFakeService({ now });
    const spool = await openSpool({
      folder,
      limit: 1_048_576,
      clock,
      dropped: () => undefined,
      trouble: (error) => {
        throw error;
      },
    });
    const { runner, reported, connected, stop } = startRunner(service.url, { clock, spool, ...staged });
    let latest = service;
    const pass = async (milliseconds: number): Promise<void> => {
      for (let left = milliseconds; left > 0; left -= 5_000) {
        await clock.advance(Math.min(left, 5_000));
        await spool.flush();
      }
    };
    try {
      await connected();
      await body({
        clock,
        service,
        spool,
        runner,
        told: reported,
        pass,
        handed: async (run = {}) => {
          const before = service.results().length;
          service.hand(run);
          await eventually(async () => {
            await clock.advance(250);
            return service.results().length > before;
          });
        },
        cut: async () => {
          await service.stop();
          await eventually(() => reported.includes('lost'));
          await pass(15_000);
        },
        mend: async () => {
          latest = await startFakeService({ port: service.port, now });
          latest.forgetSession();
          await eventually(async () => {
            await clock.advance(1_000);
            return runner.state().isConnected;
          });
          return latest;
        },
      });
    } finally {
      await stop();
      await spool.close();
      await latest.stop();
    }
  });

test(
  'an offline runner continues its known checks on schedule, and reports the results after the service is back',
  cutOff(async ({ handed, cut, pass, mend, told, spool, runner }) => {
    await handed();
    await cut();
    assert.ok(told.includes('offline: 1'));
    await pass(3 * MINUTE_MS);
    assert.ok(spool.bytes() > 0);
    const back = await mend();
    const first = nextSlot(CHECK, 60, START);
    await eventually(() => back.offline().length >= 3);
    for (const [index, { slot, ended_at, ticket, outcome }] of back.offline().slice(0, 3).entries()) {
      assert.is(slot, first + index * MINUTE_MS);
      assert.ok(ended_at >= slot && ended_at < slot + 30_000);
      assert.equal([ticket, outcome], ['ticket of d1', OK]);
    }
    await eventually(() => spool.bytes() === 0);
    assert.not(runner.state().isOffline);
    const before = back.offline().length;
    await pass(2 * MINUTE_MS);
    assert.is(back.offline().length, before);
  }),
);

test('a runner treats an open connection as lost after four heartbeats without a response', async () => {
  const clock = fakeClock(START);
  const service = await startFakeService({ now: () => clock.now(), heartbeat: 3_000 });
  const { reported, connected, stop } = startRunner(service.url, { clock });
  try {
    await connected();
    const beat = async (seconds: number): Promise<void> => {
      const before = service.reports().length;
      for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
      await eventually(() => service.reports().length > before);
    };
    for (let time = 0; time < 5; time += 1) await beat(3);
    assert.not(reported.includes('lost'));
    service.fallSilent();
    await beat(9);
    assert.not(reported.includes('lost'));
    for (let second = 0; second < 7; second += 1) await clock.advance(1_000);
    await eventually(() => reported.includes('lost'));
    await eventually(async () => {
      await clock.advance(1_000);
      return reported.filter((one) => one === 'connected').length === 2;
    });
  } finally {
    await stop();
    await service.stop();
  }
});

test(
  'a runner does not run checks offline during a short interruption',
  cutOff(async ({ handed, service, told, clock, runner }) => {
    await handed();
    service.dropStreams();
    await eventually(() => told.includes('lost'));
    await eventually(async () => {
      await clock.advance(1_000);
      return runner.state().isConnected;
    });
    assert.not(told.some((one) => one.startsWith('offline')));
  }),
);

test(
  'an offline runner does not continue checks that were assigned too long ago, have no schedule, or were forgotten',
  cutOff(async ({ handed, pass, cut, told, service }) => {
    await handed();
    await pass(11 * MINUTE_MS);
    await handed({ delivery: 'd2', check_id: 'check0000002', schedule: null });
    await handed({ delivery: 'd3', check_id: 'check0000003', schedule: { interval: 3_600, repeats: false } });
    await handed({ delivery: 'd4', check_id: 'check0000004' });
    service.send({ kind: 'forget', check_id: 'check0000004' });
    await handed({ delivery: 'd5', check_id: 'check0000005' });
    await cut();
    assert.ok(told.includes('offline: 2'));
  }),
);

test(
  'an offline runner stops after its time limit',
  cutOff(
    async ({ handed, cut, pass, told, mend }) => {
      await handed();
      await cut();
      await pass(4 * MINUTE_MS);
      assert.ok(told.includes('offline is over'));
      await pass(10 * MINUTE_MS);
      const back = await mend();
      await eventually(() => back.offline().length > 0);
      assert.is(back.offline().length, 2);
    },
    { offline: 2 * MINUTE_MS },
  ),
);

test(
  'a runner does not continue checks if offline mode is disabled',
  cutOff(
    async ({ handed, cut, pass, told, spool }) => {
      await handed();
      await cut();
      await pass(3 * MINUTE_MS);
      assert.not(told.some((one) => one.startsWith('offline')));
      assert.is(spool.bytes(), 0);
    },
    { offline: 0 },
  ),
);

let under = 0;
let most = 0;
const counted = async (check: Parameters<typeof endless>[0], requested: ProbeContext) => {
  under += 1;
  most = Math.max(most, under);
  try {
    return await endless(check, requested);
  } finally {
    under -= 1;
  }
};

test('an offline runner never runs a check twice at the same time', async () => {
  [under, most] = [0, 0];
  let isHanging = false;
  await cutOff(
    async ({ handed, cut, pass }) => {
      await handed();
      isHanging = true;
      await cut();
      await pass(5 * MINUTE_MS);
      assert.is(most, 1);
      assert.is(under, 1);
    },
    { run: async (check, requested) => (isHanging ? counted(check, requested) : OK) },
  )();
});

test('an offline runner repeats a failed run once if the check requests it', async () => {
  let runs = 0;
  let isOffline = false;
  await cutOff(
    async ({ handed, cut, pass, mend }) => {
      await handed({ schedule: { interval: 60, repeats: true } });
      isOffline = true;
      await cut();
      await pass(MINUTE_MS);
      const before = runs;
      const back = await mend();
      await eventually(() => back.offline().length > 0);
      assert.ok(before >= 2 && before % 2 === 0);
      assert.is(back.offline()[0]?.outcome.status, 'down');
    },
    {
      run: async () => {
        if (isOffline) runs += 1;
        return DOWN;
      },
    },
  )();
});

test('a runner stores results of runs that were assigned before an outage, and reports them in the next session', async () => {
  let end = (): void => undefined;
  const ending = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    await ending;
    return OK;
  };
  await cutOff(
    async ({ service, cut, pass, mend, runner, spool }) => {
      service.hand({ schedule: null });
      await eventually(() => runner.state().inFlight === 1);
      await cut();
      end();
      await pass(MINUTE_MS);
      assert.is(runner.state().inFlight, 0);
      assert.ok(spool.bytes() > 0);
      const back = await mend();
      const [result] = await eventually(() => back.results().length === 1 && back.results());
      assert.ok(result);
      assert.is(result.ticket, 'ticket of d1');
      assert.ok(result.age_ms > 30_000);
    },
    { run },
  )();
});

test.run();
