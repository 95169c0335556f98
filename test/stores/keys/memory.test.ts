import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { keysContract, movableKeysContract } from '../../contracts/keys.ts';

keysContract(
  'memory',
  async () => {
    const keys = createMemoryKeys();
    return { keys, again: async () => keys, dispose: () => keys.close() };
  },
  { durable: false },
);

movableKeysContract('memory', async () => {
  const keys = createMemoryKeys();
  return { keys, dispose: () => keys.close() };
});
