import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { QueueFull, type HandleRun, type QueuedRun, type WorkQueue } from '../../stores/work-queue/port.ts';
import { rejects } from '../rejects.ts';
import { eventually } from '../waiting.ts';

export interface OpenedWorkQueue {
  queue: WorkQueue;
  /** maximum number of waiting runs of one region, beyond which the queue refuses runs */
  limit: number;
  /** total number of deliveries of a run before it is parked */
  deliveries: number;
  dispose: () => Promise<void>;
}

/** Creates a promise and the functions that settle it. */
const deferred = <T = void>() => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

/**
 * The contract of the port WorkQueue, for every adapter. The tests use only the port. A queue need not preserve the
 * order of runs. Each test has its own region.
 *
 * @param open opens a queue with short waits before retries
 */
export const workQueueContract = (name: string, open: () => Promise<OpenedWorkQueue>): void => {
  const contract = suite(`${name} fulfils the work queue contract`);
  let opened: OpenedWorkQueue;
  let regions = 0;
  contract.before(async () => {
    opened = await open();
  });
  contract.after(() => opened.dispose());

  const test = (
    sentence: string,
    run: (given: {
      queue: WorkQueue;
      region: string;
      offer: (id: string, payload?: object) => Promise<QueuedRun>;
      /** Consumes until the test ends. */
      consume: (handle: HandleRun, concurrency?: number) => { stop: () => Promise<void> };
      depth: () => Promise<{ waiting: number; in_flight: number; parked: number }>;
    }) => Promise<void>,
  ): void => {
    const region = `region-${++regions}`;
    contract(sentence, async () => {
      const { queue } = opened;
      const stops: (() => Promise<void>)[] = [];
      try {
        await run({
          queue,
          region,
          offer: async (id, payload = {}) => {
            const offered = { run_id: id, region, not_after: Date.now() + 60_000, payload };
            await queue.offer(offered);
            return offered;
          },
          consume: (handle, concurrency = 1) => {
            const stopping = new AbortController();
            const ended = queue.consume(region, handle, { concurrency, signal: stopping.signal });
            const stop = (): Promise<void> => {
              stopping.abort();
              return ended;
            };
            stops.push(stop);
            return { stop };
          },
          depth: async () => {
            const found = (await queue.depths()).find((one) => one.queue === region);
            return { waiting: found?.waiting ?? 0, in_flight: found?.in_flight ?? 0, parked: found?.parked ?? 0 };
          },
        });
      } finally {
        await Promise.all(stops.map((stop) => stop()));
      }
    });
  };

  test('a run is delivered with the same content as it was offered with', async ({ offer, consume }) => {
    const received = deferred<QueuedRun>();
    const offered = await offer('one', {
      text: 'Grüße, мир 🌍',
      nothing: null,
      nested: { list: [1, 2.5, 'x'.repeat(50_000)] },
    });
    consume(async (run) => {
      received.resolve(run);
    });
    assert.equal(await received.promise, offered);
  });

  test('runs offered before and after a consumer starts are delivered', async ({ offer, consume }) => {
    const seen = new Set<string>();
    await offer('before');
    consume(async ({ run_id }) => {
      seen.add(run_id);
    });
    await offer('after');
    await eventually(() => seen.size === 2);
    assert.equal([...seen].sort(), ['after', 'before']);
  });

  test('a run waits until a consumer starts', async ({ offer, consume, depth }) => {
    await offer('waits');
    await eventually(async () => (await depth()).waiting === 1);
    let handled = false;
    consume(async () => {
      handled = true;
    });
    await eventually(() => handled);
    await eventually(async () => {
      const { waiting, in_flight } = await depth();
      return waiting === 0 && in_flight === 0;
    });
  });

  test('a consumer gets only the runs of its region', async ({ queue, region, consume, offer }) => {
    const seen: string[] = [];
    consume(async ({ run_id }) => {
      seen.push(run_id);
    });
    const other = `${region}-other`;
    await queue.offer({ run_id: 'elsewhere', region: other, not_after: Date.now() + 60_000, payload: {} });
    await offer('here');
    await eventually(() => seen.length > 0);
    assert.equal(seen, ['here']);
    assert.is((await queue.depths()).find((one) => one.queue === other)?.waiting, 1);
  });

  test('a run with a queue of its own is delivered to the consumers of that queue only', async ({
    queue,
    region,
    offer,
    consume,
  }) => {
    const seen: string[] = [];
    consume(async ({ run_id }) => {
      seen.push(run_id);
    });
    const own = `${region}-own`;
    await queue.offer({ run_id: 'own', region, queue: own, not_after: Date.now() + 60_000, payload: {} });
    await offer('shared');
    await eventually(() => seen.length > 0);
    assert.equal(seen, ['shared']);
    const stopping = new AbortController();
    const received: string[] = [];
    const handle = async (run: QueuedRun): Promise<void> => {
      received.push(run.region, run.queue ?? '');
    };
    const ended = queue.consume(own, handle, { concurrency: 1, signal: stopping.signal });
    await eventually(() => received.length > 0);
    stopping.abort();
    await ended;
    assert.equal(received, [region, own]);
  });

  test('a consumer handles as many concurrent runs as its concurrency allows, and no more', async ({
    offer,
    consume,
  }) => {
    let running = 0;
    let most = 0;
    let done = 0;
    const gate = deferred();
    for (let i = 0; i < 10; i++) await offer(`run ${i}`);
    consume(async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
      done += 1;
    }, 3);
    await eventually(() => running === 3);
    gate.resolve();
    await eventually(() => done === 10);
    assert.is(most, 3);
  });

  test('several consumers share the runs, each delivered to one of them', async ({ offer, consume }) => {
    const seen: string[] = [];
    const busy = new Set<string>();
    const gate = deferred();
    const consumer = (id: string) => async (run: QueuedRun) => {
      busy.add(id);
      await gate.promise;
      seen.push(run.run_id);
    };
    consume(consumer('a'));
    consume(consumer('b'));
    for (let i = 0; i < 8; i++) await offer(i.toString());
    await eventually(() => busy.size === 2);
    gate.resolve();
    await eventually(() => seen.length >= 8);
    assert.equal(seen.sort(), ['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  test('a run whose handling failed is delivered again', async ({ offer, consume, depth }) => {
    let deliveries = 0;
    await offer('again');
    consume(async () => {
      deliveries += 1;
      if (deliveries === 1) throw new Error('not this time');
    });
    await eventually(() => deliveries === 2);
    await eventually(async () => (await depth()).in_flight === 0);
    assert.is((await depth()).parked, 0);
  });

  test('a run that is delivered again is marked as possibly handled before', async ({ offer, consume }) => {
    const output: boolean[] = [];
    await offer('again');
    consume(async (_, { mayBeRepeated }) => {
      output.push(mayBeRepeated());
      if (output.length === 1) throw new Error('not this time');
    });
    await eventually(() => output.length === 2);
    assert.is(output[1], true);
  });

  test('a run that another worker has returned is marked as possibly handled before', async ({ offer, consume }) => {
    const left = deferred();
    await offer('given back');
    const { stop } = consume(async () => {
      left.resolve();
      throw new Error('it may have been stored');
    });
    await left.promise;
    await stop();
    const output = deferred<boolean>();
    consume(async (_, { mayBeRepeated }) => {
      output.resolve(mayBeRepeated());
    });
    assert.is(await output.promise, true);
  });

  test('a run offered to running workers is marked as not handled before', async ({ offer, consume }) => {
    const output: boolean[] = [];
    consume(async (_, { mayBeRepeated }) => {
      output.push(mayBeRepeated());
    });
    // A queue may need a moment until it knows which runs were offered after the worker had joined.
    for (let run = 0; output.at(-1) !== false && run < 200; run++) {
      await offer(run.toString());
      await eventually(() => output.length > run);
    }
    assert.is(output.at(-1), false);
  });

  test('a failing run does not delay other runs', async ({ offer, consume }) => {
    const seen = new Set<string>();
    await offer('fails');
    await offer('works');
    consume(async ({ run_id }) => {
      if (run_id === 'fails') throw new Error('never');
      seen.add(run_id);
    });
    await eventually(() => seen.has('works'));
  });

  test('a run is parked after its last retry, and is then listed as parked', async ({
    queue,
    region,
    offer,
    consume,
    depth,
  }) => {
    let deliveries = 0;
    const offered = await offer('poisonous', { n: 1 });
    consume(async () => {
      deliveries += 1;
      throw new Error('never');
    });
    await eventually(async () => (await depth()).parked === 1);
    assert.is(deliveries, opened.deliveries);
    assert.equal(await queue.parked(region), [offered]);
    const { waiting, in_flight } = await depth();
    assert.equal({ waiting, in_flight }, { waiting: 0, in_flight: 0 });
  });

  test('a full queue refuses runs with an error message until there is room again', async ({
    region,
    offer,
    consume,
    depth,
  }) => {
    for (let i = 0; i < opened.limit; i++) await offer(i.toString());
    await rejects(
      offer('too many'),
      QueueFull,
      `The queue of region ${region} has ${opened.limit} runs and accepts no more.`,
    );
    let handled = 0;
    consume(async () => {
      handled += 1;
    }, 10);
    await eventually(() => handled === opened.limit);
    await eventually(async () => (await depth()).waiting === 0);
    await offer('fits again');
    await eventually(() => handled === opened.limit + 1);
  });

  test('a consumer whose signal aborts accepts no more runs, and waits for those in flight', async ({
    offer,
    consume,
    depth,
  }) => {
    const started = deferred();
    const gate = deferred();
    let finished = false;
    await offer('in flight');
    const { stop } = consume(async () => {
      started.resolve();
      await gate.promise;
      finished = true;
    });
    await started.promise;
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await offer('comes too late');
    assert.is(stopped, false);
    gate.resolve();
    await stopping;
    assert.is(finished, true);
    assert.is((await depth()).waiting, 1);
  });

  test('a run that its consumer did not finish is delivered to another consumer', async ({ offer, consume }) => {
    const first = deferred();
    await offer('abandoned');
    const { stop } = consume(async () => {
      first.resolve();
      throw new Error('the consumer ends');
    });
    await first.promise;
    await stop();
    const second = deferred<string>();
    consume(async ({ run_id }) => {
      second.resolve(run_id);
    });
    assert.is(await second.promise, 'abandoned');
  });

  test('a consumer whose signal has already aborted gets no runs', async ({ queue, region, offer, depth }) => {
    await offer('stays');
    const stopped = new AbortController();
    stopped.abort();
    const handle = async (): Promise<void> => {
      throw new Error('it was delivered');
    };
    await queue.consume(region, handle, { concurrency: 1, signal: stopped.signal });
    assert.is((await depth()).waiting, 1);
  });

  contract.run();
};
