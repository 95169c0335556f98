import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { contractEvents, eventStoreContract, type OpenedEventStore } from '../../contracts/event-store.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';

const opened = async (store: EventStore): Promise<OpenedEventStore> => ({ store, dispose: () => store.close() });

eventStoreContract('memory', () => opened(createMemoryEventStore('main')), { durable: false });
eventStoreContract(
  'a checked store',
  () => opened(createCheckedStore(createMemoryEventStore('main'), contractEvents)),
  {
    durable: false,
  },
);
