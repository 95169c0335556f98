import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { QueuedRun } from '../../../../stores/work-queue/port.ts';
import { ownPrefix } from '../../../servers/eventstoredb/leftovers.ts';
import { openServer } from '../../event-store/eventstoredb/opened.ts';
import { openQueue } from './opened.ts';

const test = suite('queues on a shared EventStoreDB');
const server = await openServer();

test('the queues of two services are separate, even if the prefix of one service begins with the prefix of the other', async () => {
  const prefix = ownPrefix();
  const [one, other] = [openQueue(server, { prefix }), openQueue(server, { prefix: `${prefix}b.` })];
  const regions = async ({ queue }: typeof one) => (await queue.depths()).map(({ queue: name }) => name);
  const run = (region: string): QueuedRun => ({ run_id: region, region, not_after: Date.now() + 60_000, payload: {} });
  await one.queue.offer(run('eu-west1'));
  assert.equal([await regions(one), await regions(other)], [['eu-west1'], []]);
  await other.queue.offer(run('in-mum1'));
  assert.equal([await regions(one), await regions(other)], [['eu-west1'], ['in-mum1']]);
  await one.dispose();
  await other.dispose();
});

test.after(() => server.close());
test.run();
