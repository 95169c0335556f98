import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { readStoreContract } from '../../contracts/read-store.ts';

readStoreContract(
  'memory',
  async () => {
    const store = createMemoryReadStore();
    return { store, dispose: () => store.close() };
  },
  { durable: false },
);
