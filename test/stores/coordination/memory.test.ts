import { test } from 'uvu';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { coordinationContract } from '../../contracts/coordination.ts';
import { abandonedClaimContract } from './abandoned-claims.ts';

coordinationContract(
  'memory',
  async () => {
    const coordination = createMemoryCoordination();
    return { coordination, again: async () => coordination, dispose: () => coordination.close() };
  },
  { durable: false },
);

test('all claims of dead processes can be withdrawn from memory together, and stored responses stay', () =>
  abandonedClaimContract(createMemoryCoordination()));

test.run();
