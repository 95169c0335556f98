import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openInProcessQueue } from '../../../stores/work-queue/in-process.ts';
import { QueueFull } from '../../../stores/work-queue/port.ts';
import { workQueueContract } from '../../contracts/work-queue.ts';
import { rejects } from '../../rejects.ts';
import { eventually } from '../../waiting.ts';

const LIMIT = 50;

workQueueContract('The queue in memory', async () => {
  const queue = openInProcessQueue({ limit: LIMIT, retries: [1, 1, 1] });
  return { queue, limit: LIMIT, deliveries: 4, dispose: () => queue.close() };
});

const own = suite('the queue in memory');
const run = (id: string, notAfter = 1_000) => ({ run_id: id, region: 'r', not_after: notAfter, payload: {} });

own('a queue in memory makes room by dropping expired runs', async () => {
  let now = 0;
  const queue = openInProcessQueue({ limit: 2, now: () => now });
  await queue.offer(run('late'));
  await queue.offer(run('in time', 5_000));
  await rejects(queue.offer(run('third')), QueueFull);
  now = 2_000;
  await queue.offer(run('third', 5_000));
  const seen: string[] = [];
  const stop = new AbortController();
  const handle = async ({ run_id }: { run_id: string }) => {
    seen.push(run_id);
    if (seen.length === 2) stop.abort();
  };
  await queue.consume('r', handle, { concurrency: 1, signal: stop.signal });
  assert.equal(seen, ['in time', 'third']);
  await queue.close();
});

own('a queue in memory waits before each retry as configured', async () => {
  const waits: number[] = [];
  const queue = openInProcessQueue({
    retries: [10, 200, 3_000],
    after: (milliseconds, callback) => {
      waits.push(milliseconds);
      queueMicrotask(callback);
      return () => undefined;
    },
  });
  await queue.offer(run('fails'));
  const stop = new AbortController();
  const consumed = queue.consume(
    'r',
    async () => {
      throw new Error('never');
    },
    { concurrency: 1, signal: stop.signal },
  );
  await eventually(async () => (await queue.parked('r')).length > 0);
  stop.abort();
  await consumed;
  assert.equal(waits, [10, 200, 3_000]);
  await queue.close();
});

own('a queue in memory stores only the newest parked runs, up to a limit', async () => {
  const queue = openInProcessQueue({ retries: [], parkedLimit: 2 });
  const stop = new AbortController();
  for (const id of ['a', 'b', 'c']) await queue.offer(run(id));
  let failed = 0;
  const consumed = queue.consume(
    'r',
    async () => {
      failed += 1;
      if (failed === 3) stop.abort();
      throw new Error('never');
    },
    { concurrency: 1, signal: stop.signal },
  );
  await consumed;
  assert.equal(
    (await queue.parked('r')).map(({ run_id }) => run_id),
    ['b', 'c'],
  );
  await queue.close();
});

own('a queue in memory delivers ten thousand runs in order, and removes them in batches', async () => {
  const queue = openInProcessQueue();
  for (let i = 0; i < 10_000; i++) await queue.offer(run(i.toString()));
  const stop = new AbortController();
  let next = 0;
  const handle = async ({ run_id }: { run_id: string }) => {
    assert.is(run_id, next.toString());
    next += 1;
    if (next === 10_000) stop.abort();
  };
  await queue.consume('r', handle, { concurrency: 1, signal: stop.signal });
  assert.is((await queue.depths())[0]?.waiting, 0);
  await queue.close();
});

own('a closed queue in memory makes no further retries, so that the process can end', async () => {
  const queue = openInProcessQueue({ retries: [60_000] });
  await queue.offer(run('fails'));
  const stop = new AbortController();
  const handle = async () => {
    stop.abort();
    throw new Error('never');
  };
  await queue.consume('r', handle, { concurrency: 1, signal: stop.signal });
  await queue.close();
  assert.is((await queue.depths())[0]?.waiting, 0);
});

own.run();
