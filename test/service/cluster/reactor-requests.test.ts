import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestRetry } from '../../../reactors/engine/checkpoint.ts';
import { watchReactorRequests } from '../../../service/cluster/reactor-requests.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { eventually } from '../../waiting.ts';

const test = suite('requests of commands to reactors in a cluster');

test('one poll delivers requests to all reactors, including earlier requests and those made while a poll failed', async () => {
  const coordination = createMemoryCoordination();
  let [looks, fails] = [0, false];
  const asked = watchReactorRequests(
    {
      read: async (name) => {
        looks += 1;
        if (fails) throw new Error('The store does not answer.');
        return coordination.read(name);
      },
    },
    2,
  );
  await requestRetry(coordination, 'delivery', 'first');
  const heard = [0, 0];
  const ends = heard.map((_, index) =>
    asked(() => {
      heard[index] = (heard[index] ?? 0) + 1;
    }),
  );
  await eventually(() => heard.every((count) => count === 1));
  const before = looks;
  await eventually(() => looks > before + 2);
  assert.equal(heard, [1, 1]);
  fails = true;
  await requestRetry(coordination, 'maintenance', 'second');
  const failing = looks;
  await eventually(() => looks > failing);
  fails = false;
  await eventually(() => heard.every((count) => count === 2));
  for (const end of ends) end();
});

test.run();
