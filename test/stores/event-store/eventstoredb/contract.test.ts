import { suite } from 'uvu';
import { checked } from '../../../../stores/event-store/checked.ts';
import { contractEvents, eventStoreContract } from '../../../contracts/event-store.ts';
import { openMain, someServer } from './opened.ts';

const server = await someServer();

eventStoreContract('EventStoreDB', () => openMain(server), { durable: true });
eventStoreContract(
  'a checked EventStoreDB',
  async () => {
    const opened = await openMain(server);
    return { ...opened, store: checked(opened.store, contractEvents) };
  },
  { durable: true },
);

const last = suite('the server of the contract');
last('ends', () => server.close());
last.run();
