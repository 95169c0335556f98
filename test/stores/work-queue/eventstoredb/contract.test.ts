import { suite } from 'uvu';
import { workQueueContract } from '../../../contracts/work-queue.ts';
import { openServer } from '../../event-store/eventstoredb/opened.ts';
import { openQueue } from './opened.ts';

const LIMIT = 50;
const server = await openServer();

workQueueContract('The queue in EventStoreDB', async () => {
  const { queue, dispose } = openQueue(server, { limit: LIMIT, retries: [1, 1, 1] });
  return { queue, limit: LIMIT, deliveries: 4, dispose };
});

const last = suite('the server of the contract');
last('the server of the contract is stopped', () => server.close());
last.run();
