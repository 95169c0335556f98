import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RunAborted, type Run } from '../../../probes/engine/check-type.ts';
import type { RunMessage } from '../../../runners/run-message.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { openInProcessQueue } from '../../../stores/work-queue/in-process.ts';
import { QueueFull, type QueuedRun } from '../../../stores/work-queue/port.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';
import { forgetfulStore } from '../../stores/event-store/forgetful-store.ts';
import { good, message, stage, START, type Staged } from './stage.ts';

const long = suite('long runs on a worker');

/** Returns the message of a portscan, which by default may take five minutes. */
const scan = (host: string, parameters: Record<string, unknown> = {}, more: Partial<RunMessage> = {}): RunMessage =>
  message({ definition: { type: 'portscan', url: null, host, port: null, timeout: 10, parameters }, ...more });

/** Returns the message of a check with short runs. */
const ping = (host: string): RunMessage =>
  message({ definition: { type: 'icmp', url: null, host, port: null, timeout: 10, parameters: {} } });

/** Starts a worker whose portscans last until they are released, and whose pings end immediately. */
const staged = (more: Staged = {}) => {
  const begun: string[] = [];
  const reported: string[] = [];
  const ends = new Map<string, () => void>();
  const run: Run = ({ type, host }, { signal }) => {
    begun.push(host ?? '');
    if (type === 'icmp') return Promise.resolve(good);
    return new Promise((resolve, reject) => {
      ends.set(host ?? '', () => {
        resolve(good);
      });
      signal.addEventListener('abort', () => {
        reject(new RunAborted());
      });
    });
  };
  const began = async ({ run_id }: QueuedRun): Promise<void> => {
    reported.push(run_id);
  };
  const given = stage(run, { concurrency: 8, types: ['portscan', 'icmp'], began, ...more });
  return {
    ...given,
    /** hosts of the started runs, in order */
    begun,
    /** ids of the runs that were reported as started */
    told: reported,
    /** Ends a run, and stores its result. */
    letGo: async (host: string): Promise<void> => {
      ends.get(host)?.();
      await settled();
      await given.flush();
    },
  };
};

long(
  'a worker takes runs of a type with a separate queue from that queue, up to the concurrency of the type',
  async () => {
    const given = staged({
      types: ['synthetic', 'multistep', 'icmp'],
      concurrency: 1,
      concurrencyOf: { synthetic: 2 },
    });
    const script = (type: string, host: string): RunMessage =>
      message({ definition: { type, url: null, host, port: null, timeout: 100, parameters: {} } });
    for (const host of ['page0', 'page1', 'page2'])
      await given.offer(script('synthetic', host), { queue: 'eu-west1-synthetic' });
    await given.offer(script('multistep', 'steps0'), { queue: 'eu-west1-multistep' });
    await given.offer(script('multistep', 'steps1'), { queue: 'eu-west1-multistep' });
    await given.offer(ping('ping'));
    assert.equal(given.begun, ['page0', 'page1', 'steps0', 'ping']);
    await given.letGo('page0');
    assert.equal(given.begun.at(-1), 'page2');
    await given.end();
  },
);

long(
  'a worker uses at most a quarter of its slots for long runs, and executes other runs at the same time',
  async () => {
    const given = staged();
    for (let i = 0; i < 20; i++) await given.offer(scan(`scan${i}`));
    assert.equal(given.begun, ['scan0', 'scan1']);
    await given.offer(ping('ping'));
    // The six other slots return further scans to the queue one after another, until the ping behind the eighteen scans
    // starts.
    await given.clock.advance(3_000);
    assert.equal(given.begun, ['scan0', 'scan1', 'ping']);
    await given.flush();
    await given.end();
  },
);

long('a worker executes at least one long run at a time', async () => {
  const given = staged({ concurrency: 2 });
  await given.offer(scan('first'));
  await given.offer(scan('second'));
  await given.offer(ping('ping'));
  await given.clock.advance(2_000);
  assert.equal(given.begun, ['first', 'ping']);
  await given.letGo('first');
  await given.clock.advance(1_000);
  assert.equal(given.begun, ['first', 'ping', 'second']);
  await given.end();
});

long('a worker does not count a run as long if its timeout is as short as that of ordinary checks', async () => {
  const given = staged();
  for (let i = 0; i < 5; i++) await given.offer(scan(`scan${i}`, { host_timeout: '30s' }));
  assert.is(given.begun.length, 5);
  for (let i = 5; i < 8; i++) await given.offer(scan(`scan${i}`, { host_timeout: '31s' }));
  assert.is(given.begun.length, 7);
  await given.end();
});

long('a worker eventually executes all long runs, each once, and stores one result of each', async () => {
  const given = staged();
  const hosts = Array.from({ length: 12 }, (_, i) => `scan${i}`);
  for (const host of hosts) await given.offer(scan(host), { not_after: START + 300_000 });
  for (let ended = 0; ended < hosts.length; ended++) {
    await given.letGo(given.begun[ended] ?? '');
    await given.clock.advance(3_000);
    assert.is(given.begun.length, Math.min(ended + 3, hosts.length));
  }
  assert.equal([...given.begun].sort(), [...hosts].sort());
  assert.is(new Set(given.told).size, 12);
  assert.is(given.told.length, 12);
  assert.is(new Set(given.received.finished).size, 12);
  assert.equal(given.received.outcomes, Array<string>(12).fill('stored'));
  assert.is((await given.stored()).length, 12);
  assert.equal([given.received.dropped, given.received.troubles], [[], []]);
  assert.equal(await given.queue.depths(), [{ queue: 'eu-west1', waiting: 0, in_flight: 0, parked: 0 }]);
  await given.end();
});

long('a worker reports nothing about a waiting long run until the run is late', async () => {
  const given = staged({ concurrency: 4 });
  await given.offer(scan('first'));
  await given.offer(scan('second'), { not_after: START + 10_000 });
  await given.clock.advance(10_000);
  assert.equal([given.received.finished, given.told, given.received.dropped], [[], ['run000000000'], []]);
  await given.clock.advance(1_000);
  assert.equal(given.received.dropped, ['late']);
  assert.equal([given.received.finished, given.received.outcomes], [['run000000001'], ['none']]);
  assert.is(given.worker.inFlight(), 1);
  assert.is(given.clock.pending(), 0);
  await given.end();
});

long('a worker drops a waiting long run that is no longer wanted', async () => {
  const unwanted = new Set<string>();
  const given = staged({ concurrency: 4, wanted: ({ run_id }) => !unwanted.has(run_id) });
  await given.offer(scan('first'));
  await given.offer(scan('second'));
  unwanted.add('run000000001');
  await given.clock.advance(1_000);
  assert.equal([given.received.dropped, given.received.outcomes], [['unwanted'], ['none']]);
  await given.end();
});

long('a worker ends a waiting long run when it is cancelled, even after it was returned to the queue', async () => {
  for (const waited of [0, 1_500]) {
    const given = staged({ concurrency: 4 });
    await given.offer(scan('first'));
    await given.offer(scan('second'));
    await given.clock.advance(waited);
    given.worker.cancel('run000000001');
    await settled();
    assert.equal([given.received.dropped, given.received.finished], [['aborted'], ['run000000001']]);
    assert.is(given.clock.pending(), 0);
    await given.letGo('first');
    await given.clock.advance(5_000);
    assert.equal(given.begun, ['first']);
    await given.end();
  }
});

long('a worker can stop while a long run waits, and leaves the run to another worker', async () => {
  const given = staged({ concurrency: 4 });
  await given.offer(scan('first'));
  await given.offer(scan('second'));
  await given.worker.stop();
  assert.is(given.worker.inFlight(), 0);
  assert.equal(given.begun, ['first']);
  const other = staged({ queue: given.queue });
  await given.clock.advance(1_000);
  assert.equal(other.begun.sort(), ['first', 'second']);
  await other.end();
  await given.end();
});

/** Starts a worker whose queue fails to take back a run. */
const failing = (failure: () => Error | null) => {
  const clock = fakeClock(START);
  const inner = openInProcessQueue({ retries: [], after: clock.after, now: clock.now });
  const queue = {
    ...inner,
    offer: async (run: QueuedRun): Promise<void> => {
      const error = failure();
      if (error) throw error;
      await inner.offer(run);
    },
  };
  const given = staged({ concurrency: 4, queue, clock });
  const offer = (host: string, run_id: string): Promise<void> =>
    inner.offer({ run_id, region: 'eu-west1', not_after: START + 30_000, payload: scan(host) }).then(settled);
  return { ...given, clock, inner, offer };
};

long(
  'a worker keeps a long run that cannot be returned to the queue, without dead-lettering it, until the run starts or is late',
  async () => {
    for (const frees of [true, false]) {
      const given = failing(() => new StoreUnavailable('EventStoreDB is not available.'));
      await given.offer('first', 'one');
      await given.offer('second', 'two');
      await given.clock.advance(20_000);
      assert.is(given.received.troubles.length, 20);
      if (frees) await given.letGo('first');
      await given.clock.advance(11_000);
      assert.equal(given.begun, frees ? ['first', 'second'] : ['first']);
      assert.equal(given.received.dropped, frees ? [] : ['late']);
      assert.equal(await given.inner.parked('eu-west1'), []);
      await given.end();
    }
  },
);

long('a worker drops a long run that a full queue does not take back', async () => {
  const given = failing(() => new QueueFull('eu-west1', 1));
  await given.offer('first', 'one');
  await given.offer('second', 'two');
  await given.clock.advance(1_000);
  assert.equal([given.received.dropped, given.received.finished], [['refused'], ['two']]);
  assert.equal(await given.inner.parked('eu-west1'), []);
  await given.end();
});

long('a worker stores one result of a run that was returned to the queue and then delivered again', async () => {
  const log = forgetfulStore(createMemoryEventStore('results'));
  const offered: QueuedRun[] = [];
  const queue = openInProcessQueue();
  const first = staged({
    concurrency: 4,
    queue: {
      ...queue,
      offer: async (run) => {
        offered.push(run);
      },
    },
    log,
  });
  const run = { run_id: 'two', region: 'eu-west1', not_after: START + 30_000, payload: scan('second') };
  await queue.offer({ ...run, run_id: 'one', payload: scan('first') });
  await queue.offer(run);
  await settled();
  await first.clock.advance(1_000);
  assert.equal(
    offered.map(({ run_id }) => run_id),
    ['two'],
  );
  let repeats = 0;
  const others = [run, ...offered].map(async (message) => {
    const other = staged({ log, observe: { repeated: () => repeats++ } });
    await other.queue.offer(message);
    await settled();
    return other;
  });
  for (const other of await Promise.all(others)) {
    await other.letGo('second');
    await other.end();
  }
  const stored = await log.readStream('check_results-eu-west1');
  assert.is(stored.filter(({ data }) => (data as { run_id: string }).run_id === 'two').length, 1);
  assert.is(repeats, 1);
  await Promise.all([first.end(), queue.close()]);
});

long.run();
