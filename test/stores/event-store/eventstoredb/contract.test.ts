import { suite } from 'uvu';
import { createCheckedStore } from '../../../../stores/event-store/checked.ts';
import { contractEvents, eventStoreContract } from '../../../contracts/event-store.ts';
import { startDouble } from '../../../servers/eventstoredb/server.ts';
import { openMain, openServer } from './opened.ts';

const server = await openServer();

eventStoreContract('EventStoreDB', () => openMain(server), { durable: true });
eventStoreContract(
  'a checked EventStoreDB',
  async () => {
    const opened = await openMain(server);
    return { ...opened, store: createCheckedStore(opened.store, contractEvents) };
  },
  { durable: true },
);

if (!server.real) {
  // Simulates a cluster of three nodes, in which concurrent appends can swap places.
  const shuffling = await startDouble();
  shuffling.faults.shuffles = true;
  eventStoreContract(
    'EventStoreDB where concurrent appends swap places',
    () => openMain({ url: shuffling.url, real: false }),
    { durable: true },
  );
  const end = suite('the server whose appends swap places');
  end('the server whose appends swap places is stopped', () => shuffling.close());
  end.run();
}

const last = suite('the server of the contract');
last('the server of the contract is stopped', () => server.close());
last.run();
