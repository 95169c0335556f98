import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../../stores/event-store/port.ts';
import { connect } from '../../../../stores/eventstoredb/connection.ts';
import { createQueue, GROUP, streamOfRegion } from '../../../../stores/work-queue/eventstoredb/region-queue.ts';
import type { HandleRun, QueuedRun, WorkQueue } from '../../../../stores/work-queue/port.ts';
import { startOwnEventStoreDb } from '../../../servers/eventstoredb/started.ts';
import { startDouble, type Double } from '../../../servers/eventstoredb/server.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { openQueue } from './opened.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('the queue in a faulty EventStoreDB');

const REGION = 'eu-west1';
const run = (id: string): QueuedRun => ({ run_id: id, region: REGION, not_after: Date.now() + 60_000, payload: {} });

/** Offers a run until the queue accepts it. */
const insist = async (queue: WorkQueue, id: string): Promise<void> => {
  await eventually(async () => {
    try {
      await queue.offer(run(id));
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      throw error;
    }
  });
};

type Opened = ReturnType<typeof openQueue>;

/** `lost`: the reasons why workers lost their connections */
type Given = Opened & { server: Double; lost: string[] };

const withDouble = (work: (given: Given) => Promise<void>) => async (): Promise<void> => {
  const server = await startDouble();
  const lost: string[] = [];
  const onLost = (_region: string, reason: string): void => {
    lost.push(reason);
  };
  const opened = openQueue({ url: server.url, real: false }, { retries: [1, 1, 1], patience: 100, onLost });
  try {
    await work({ ...opened, server, lost });
  } finally {
    await opened.dispose();
    await server.close();
  }
};

/** Starts a worker in the background, and records the runs delivered to it. */
const working = (queue: WorkQueue, handle: HandleRun = async () => undefined, concurrency = 2) => {
  const stopping = new AbortController();
  const seen: string[] = [];
  const ended = queue.consume(
    REGION,
    async (given, delivery) => {
      seen.push(given.run_id);
      await handle(given, delivery);
    },
    { concurrency, signal: stopping.signal },
  );
  return {
    seen,
    stop: (): Promise<void> => {
      stopping.abort();
      return ended;
    },
  };
};

test(
  'the group of a region is created with its settings, and the stream with its maximum age',
  withDouble(async ({ queue, prefix, server }) => {
    await queue.offer(run('first'));
    const { client, close } = connect(server.url);
    const stream = streamOfRegion(prefix, REGION);
    const { settings } = await client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
    assert.equal(
      [settings.startFrom, settings.messageTimeout, settings.maxRetryCount, settings.consumerStrategyName],
      ['start', 1_260_000, 3, 'RoundRobin'],
    );
    assert.is((await client.getStreamMetadata(stream)).metadata?.maxAge, 3_600);
    await close();
  }),
);

test(
  'a group created by an older release gets a longer message time-out, and its other settings stay unchanged',
  withDouble(async ({ queue, prefix, server }) => {
    await queue.offer(run('first'));
    const connection = connect(server.url);
    const { client, close } = connection;
    const stream = streamOfRegion(prefix, REGION);
    const settings = async () => (await client.getPersistentSubscriptionToStreamInfo(stream, GROUP)).settings;
    const older = { ...(await settings()), messageTimeout: 150_000, maxRetryCount: 7 };
    await client.updatePersistentSubscriptionToStream(stream, GROUP, older);
    const longer = { messageTimeout: 1_260_000, retries: 3, deadline: 10_000 };
    await createQueue(connection, stream, longer);
    assert.equal(await settings(), { ...older, messageTimeout: 1_260_000 });
    // If the present time-out is longer, it is not shortened.
    await createQueue(connection, stream, { ...longer, messageTimeout: 1_000 });
    assert.is((await settings()).messageTimeout, 1_260_000);
    await close();
  }),
);

for (const [what, harm] of [
  ['closes its queues', 'closeSubscriptions'],
  ['loses its connections', 'dropConnections'],
] as const) {
  test(
    `workers resume when the server ${what}, and no run is handled twice`,
    withDouble(async ({ queue, server }) => {
      const gate = { open: (): void => undefined };
      const opened = new Promise<void>((resolve) => (gate.open = resolve));
      const { seen, stop } = working(queue, () => opened);
      await insist(queue, 'a');
      await insist(queue, 'b');
      await eventually(() => seen.length === 2);
      server[harm]();
      await insist(queue, 'c');
      gate.open();
      await eventually(() => seen.includes('c'));
      await eventually(async () => {
        const [depth] = await queue.depths().catch(() => []);
        return depth?.waiting === 0 && depth.in_flight === 0;
      });
      assert.equal(seen, ['a', 'b', 'c']);
      await stop();
    }),
  );
}

test(
  'workers resume when a silent EventStoreDB responds again',
  withDouble(async ({ queue, server }) => {
    const { seen, stop } = working(queue);
    await insist(queue, 'before');
    await eventually(() => seen.length === 1);
    server.faults.goSilent();
    server.faults.endSilence();
    await insist(queue, 'after');
    await eventually(() => seen.length === 2);
    await stop();
  }),
);

test('a worker stops soon although EventStoreDB is silent, even if the time limit for silence is long', async () => {
  const server = await startDouble();
  const options = { deadline: 120_000, patience: 120_000 };
  const { queue, dispose } = openQueue({ url: server.url, real: false }, options);
  const { seen, stop } = working(queue);
  await queue.offer(run('before'));
  await eventually(() => seen.length === 1);
  server.faults.goSilent();
  await stop();
  server.faults.endSilence();
  await dispose();
  await server.close();
});

test(
  'a deleted group is created again, and no run is handled twice',
  withDouble(async ({ queue, prefix, server, lost }) => {
    const gate = { open: (): void => undefined };
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    const { seen, stop } = working(queue, ({ run_id }) => (run_id === 'under way' ? opened : Promise.resolve()));
    await queue.offer(run('before'));
    await queue.offer(run('under way'));
    await eventually(() => seen.length === 2);
    const { client, close } = connect(server.url);
    await client.deletePersistentSubscriptionToStream(streamOfRegion(prefix, REGION), GROUP);
    await close();
    await insist(queue, 'after');
    await eventually(() => seen.includes('after'));
    gate.open();
    await eventually(async () => {
      const [depth] = await queue.depths().catch(() => []);
      return depth?.waiting === 0 && depth.in_flight === 0;
    });
    assert.equal(seen, ['before', 'under way', 'after']);
    // On a busy machine, the list can contain earlier lost connections with other reasons.
    assert.match(lost.join('\n'), /Subscription group workers on stream \S+ was dropped/);
    await stop();
  }),
);

test('a run that takes too long is delivered to another worker', async () => {
  const server = await startDouble();
  // Until the second worker joins, the run is delivered to the first worker again and again.
  const retries = Array<number>(100).fill(1);
  const { queue, again, dispose } = openQueue({ url: server.url, real: false }, { retries, messageTimeout: 50 });
  const gate = { open: (): void => undefined };
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  const slow = working(queue, () => opened, 1);
  await queue.offer(run('stuck'));
  await eventually(() => slow.seen.length === 1);
  const other = working(again(), undefined, 1);
  await eventually(() => other.seen.length === 1);
  gate.open();
  await Promise.all([slow.stop(), other.stop()]);
  await dispose();
  await server.close();
});

test(
  'waiting runs are counted in all regions, including regions that this process has never used',
  withDouble(async ({ queue, again }) => {
    const other = again();
    await other.offer({ ...run('one'), region: 'us-east1' });
    await other.offer(run('two'));
    const depths = (await queue.depths()).sort((a, b) => (a.queue < b.queue ? -1 : 1));
    assert.equal(depths, [
      { queue: 'eu-west1', waiting: 1, in_flight: 0, parked: 0 },
      { queue: 'us-east1', waiting: 1, in_flight: 0, parked: 0 },
    ]);
  }),
);

test('offered runs survive kill -9 of EventStoreDB, and delivery continues when the server is back', async () => {
  const { directory, remove } = temporaryDirectory();
  const server = await startOwnEventStoreDb(directory);
  const url = `esdb://127.0.0.1:${server.port}?tls=false`;
  const { queue, dispose } = openQueue({ url, real: false }, { retries: [1, 1, 1], patience: 500 });
  const offered = Array.from({ length: 60 }, (_, index) => index.toString());
  for (const id of offered.slice(0, 30)) await insist(queue, id);
  const { seen, stop } = working(queue);
  await eventually(() => seen.length > 5);
  await server.end('SIGKILL');
  await server.again();
  for (const id of offered.slice(30)) await insist(queue, id);
  await eventually(() => new Set(seen).size === offered.length);
  await stop();
  await dispose();
  await server.end('SIGTERM');
  remove();
});

/**
 * Whether another worker might handle the same run: `atFirst` when the run is delivered, `now` while it is in progress.
 */
interface Said {
  atFirst: boolean;
  now: () => boolean;
}

/** Offers runs until the worker receives a run that no other worker can have received before. */
const sureOf = async (queue: WorkQueue, output: Map<string, Said>): Promise<void> => {
  for (let number = 0; number < 500; number++) {
    const id = `warm ${number}`;
    await insist(queue, id);
    await eventually(() => output.has(id));
    if (output.get(id)?.atFirst === false) return;
  }
  throw new Error('It is never sure.');
};

/**
 * Creates a handler that records for each delivery whether another worker might handle the run too. Runs wait until the
 * gate opens.
 */
const asking = () => {
  const output = new Map<string, Said>();
  const gate = { open: (): void => undefined };
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  const handle: HandleRun = async ({ run_id }, { mayBeRepeated }) => {
    output.set(run_id, { atFirst: mayBeRepeated(), now: mayBeRepeated });
    if (!run_id.startsWith('warm')) await opened;
  };
  return { said: output, handle, gate };
};

test(
  'a run in progress might be repeated by another worker after the connection of its worker was lost',
  withDouble(async ({ queue, server }) => {
    const { said: output, handle, gate } = asking();
    const { stop } = working(queue, handle);
    await sureOf(queue, output);
    await queue.offer(run('under way'));
    await eventually(() => output.has('under way'));
    assert.is(output.get('under way')?.now(), false);
    server.dropConnections();
    await eventually(() => output.get('under way')?.now() === true);
    gate.open();
    await stop();
  }),
);

test('a run that takes almost as long as the message time-out might be repeated by another worker', async () => {
  const server = await startDouble();
  const opened = openQueue({ url: server.url, real: false }, { retries: [1], messageTimeout: 1_000, patience: 5_000 });
  const { said: output, handle, gate } = asking();
  const { stop } = working(opened.queue, handle);
  await sureOf(opened.queue, output);
  await opened.queue.offer(run('slow'));
  await eventually(() => output.has('slow'));
  await eventually(() => output.get('slow')?.now() === true);
  gate.open();
  await stop();
  await opened.dispose();
  await server.close();
});

test('a run that is delivered again after kill -9 of EventStoreDB might have been handled before, because its acknowledgement may have been lost', async () => {
  const { directory, remove } = temporaryDirectory();
  const server = await startOwnEventStoreDb(directory);
  const url = `esdb://127.0.0.1:${server.port}?tls=false`;
  const { queue, again, dispose } = openQueue({ url, real: false }, { retries: [1, 1, 1], patience: 500 });
  const first = asking();
  const one = working(queue, first.handle);
  await sureOf(queue, first.said);
  await one.stop();
  await server.end('SIGKILL');
  await server.again();
  const second = asking();
  const other = working(again(), second.handle);
  await insist(queue, 'warm, and new');
  await eventually(() => second.said.has('warm, and new'));
  for (const [id, { atFirst }] of second.said) {
    if (first.said.has(id)) assert.is(atFirst, true, id);
  }
  await other.stop();
  await dispose();
  await server.end('SIGTERM');
  remove();
});

test.run();
