import { createMemoryArtifacts } from '../../../stores/artifacts/memory.ts';
import { artifactsContract } from '../../contracts/artifacts.ts';

artifactsContract('memory', async (limits) => {
  const artifacts = createMemoryArtifacts(limits);
  return { artifacts, again: async () => artifacts, dispose: () => artifacts.close() };
});
