import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestRetry } from '../../../reactors/engine/checkpoint.ts';
import { watchReactorRequests } from '../../../service/cluster/reactor-requests.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { eventually } from '../../waiting.ts';

const test = suite('requests of commands to reactors in a cluster');

test('one poll delivers requests to all reactors, including earlier requests and those made while a poll failed', async () => {
  const coordination = createMemoryCoordination();
  let [reads, fails] = [0, false];
  const listen = watchReactorRequests(
    {
      read: async (name) => {
        reads += 1;
        if (fails) throw new Error('The store does not answer.');
        return coordination.read(name);
      },
    },
    2,
  );
  await requestRetry(coordination, 'delivery', 'first');
  const requests = [0, 0];
  const ends = requests.map((_, index) =>
    listen(() => {
      requests[index] = (requests[index] ?? 0) + 1;
    }),
  );
  await eventually(() => requests.every((count) => count === 1));
  const before = reads;
  await eventually(() => reads > before + 2);
  assert.equal(requests, [1, 1]);
  fails = true;
  await requestRetry(coordination, 'maintenance', 'second');
  const failing = reads;
  await eventually(() => reads > failing);
  fails = false;
  await eventually(() => requests.every((count) => count === 2));
  for (const end of ends) end();
});

test.run();
