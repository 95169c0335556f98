import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import { liveGeneration, readIntactCheckpointOf } from '../../projections/engine/generations/generations.ts';
import { rebuild } from '../../projections/engine/generations/rebuild.ts';
import { projections } from '../../projections/index.ts';
import type { Config } from '../../service/config/config.ts';
import { findProjection } from '../../service/find-projection.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { isClusterSite, openCoordination, openLog, openReadModels, siteOf, type Site } from '../../service/stores.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import { lockOutVersion, takeOver } from './keep-engine-out.ts';
import { progressOf } from './progress.ts';

export interface AheadOptions {
  /** names of the projections to build; empty: all */
  names: readonly string[];
  signal: AbortSignal;
}

/** The opened stores of a command. */
interface Opened {
  site: Site;
  readStore: ReadStore;
  coordination: Coordination;
}

type KeepEngineOut = () => Promise<(() => Promise<void>) | null>;

/** The state of a read model of this release. */
interface Found {
  projection: AnyProjection;
  state: 'live' | 'being built' | 'missing';
  keepEngineOut: KeepEngineOut;
}

/**
 * `uptrail rebuild --ahead`: builds the read models that this release needs and that do not exist yet, while another
 * release serves its own. Does not change the read models of other releases. When this release starts, its read models
 * only have to catch up.
 *
 * @throws OperatorError a projection does not exist, or there is no data directory
 */
export const runRebuildAhead = async (config: Config, options: AheadOptions, output: Output): Promise<void> => {
  const site = siteOf(config);
  const chosen = options.names.length === 0 ? projections : options.names.map(findProjection);
  const readStore = await openReadModels(site, 'writer');
  const coordination = await openCoordination(site);
  const opened = { site, readStore, coordination };
  try {
    for (const found of await findAll(chosen, opened, options.signal)) {
      const { name, version } = found.projection;
      if (found.state === 'missing') await build(found, opened, options.signal, output);
      else if (found.state === 'live') await output.line(`${name}: version ${version} is already built.`);
      else await output.line(`${name}: version ${version} is being built by a running process of this release.`);
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
    throw new OperatorError('Interrupted. Completed read models remain. Run the command again to build the others.');
  } finally {
    await readStore.close();
    await coordination.close();
  }
};

const findAll = async (chosen: readonly AnyProjection[], opened: Opened, signal: AbortSignal): Promise<Found[]> => {
  const { site, coordination } = opened;
  // In a cluster, it takes seconds to find out that the holder of a lease is alive. So all leases are tried at once.
  if (isClusterSite(site)) {
    return Promise.all(
      chosen.map((projection) => find(projection, opened, takeOver(projection, coordination, signal), signal)),
    );
  }
  const all: Found[] = [];
  for (const projection of chosen) {
    all.push(await find(projection, opened, () => lockOutVersion(site, projection), signal));
  }
  return all;
};

const find = async (
  projection: AnyProjection,
  opened: Opened,
  keepEngineOut: KeepEngineOut,
  signal: AbortSignal,
): Promise<Found> => {
  if (await isLive(projection, opened)) return { projection, state: 'live', keepEngineOut };
  if (!(await isEngineAtWork(keepEngineOut, signal))) return { projection, state: 'missing', keepEngineOut };
  // A build might have finished since the catalogue was read.
  return { projection, state: (await isLive(projection, opened)) ? 'live' : 'being built', keepEngineOut };
};

const build = async (
  { projection, keepEngineOut }: Found,
  { site, readStore, coordination }: Opened,
  signal: AbortSignal,
  output: Output,
): Promise<void> => {
  const { name, version, log } = projection;
  const store = await openLog(site, log, 'appender');
  const progress = progressOf(name, output);
  try {
    const { generation, events, set_aside } = await rebuild({
      projection,
      store,
      readStore,
      coordination,
      clock: Date.now,
      keepEngineOut,
      onProgress: progress.show,
      signal,
    });
    progress.end();
    await output.line(`${name}: version ${version} is built: generation ${generation}, from ${events} events.`);
    if (set_aside > 0) await output.line(`${name}: ${set_aside} set aside.`);
  } finally {
    progress.end();
    await store.close();
  }
};

/** Tests whether this release's version of a read model is complete. If it is damaged, the service builds it again. */
const isLive = async (projection: AnyProjection, { readStore, coordination }: Opened): Promise<boolean> => {
  const live = await liveGeneration(coordination, projection);
  return live !== null && (await readIntactCheckpointOf(readStore, live)) !== null;
};

/** Tests whether a process of this release keeps the projection up to date, or is about to. */
const isEngineAtWork = async (keepEngineOut: KeepEngineOut, signal: AbortSignal): Promise<boolean> => {
  // The second attempt waits until the lease of a dead process has expired.
  for (let attempts = 0; attempts < 2; attempts++) {
    const letIn = await keepEngineOut();
    if (!letIn) continue;
    await letIn();
    return false;
  }
  // An interrupted attempt has found out nothing.
  signal.throwIfAborted();
  return true;
};
