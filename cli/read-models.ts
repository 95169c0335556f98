import type { AnyProjection, Collections, Projection } from '../projections/engine/fold/define.ts';
import { liveGeneration } from '../projections/engine/generations/generations.ts';
import { projectionReader } from '../projections/engine/projection-reader.ts';
import type { ProjectionReader } from '../projections/readers.ts';
import type { Config } from '../service/config/config.ts';
import { OperatorError } from '../service/operator-error.ts';
import { openCoordination, openReadModels, siteOf } from '../service/stores.ts';

/** The current read models, with or without a running service. */
export interface ConfiguredReadModels {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  read: <C extends Collections>(projection: Projection<C, any>) => ProjectionReader<C>;
  close: () => Promise<void>;
}

/**
 * Opens the read models for a command. Each read uses the generation that is in use at that moment.
 *
 * @throws OperatorError there is no data directory; or, on a read, the first build is not complete
 */
export const openConfiguredReadModels = async (config: Config): Promise<ConfiguredReadModels> => {
  const site = siteOf(config);
  const readStore = await openReadModels(site, 'reader');
  const coordination = await openCoordination(site);
  const live = async (projection: AnyProjection) => {
    const generation = await liveGeneration(coordination, projection);
    if (generation) return generation;
    throw new OperatorError(`The read model ${projection.name} is not built yet. Start the service to build it.`);
  };
  return {
    read: (projection) => projectionReader(projection, readStore, async (question) => question(await live(projection))),
    close: async () => {
      await readStore.close();
      await coordination.close();
    },
  };
};
