import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { coordinationContract } from '../../contracts/coordination.ts';

coordinationContract(
  'memory',
  async () => {
    const coordination = createMemoryCoordination();
    return { coordination, again: async () => coordination, dispose: () => coordination.close() };
  },
  { durable: false },
);
