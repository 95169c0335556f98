import type { Comparison } from '../../projections/engine/generations/compare.ts';
import { rebuild } from '../../projections/engine/generations/rebuild.ts';
import { projections } from '../../projections/index.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { findProjection } from '../../service/find-projection.ts';
import { lockOut, takeOver } from './keep-engine-out.ts';
import { progressOf } from './progress.ts';
import { isClusterSite, openCoordination, openLog, openReadModels, siteOf } from '../../service/stores.ts';

export interface RebuildOptions {
  /** names of the projections to rebuild; empty: all */
  names: readonly string[];
  /** whether to compare the new documents with those in use before replacing them */
  verify: boolean;
  signal: AbortSignal;
}

/**
 * `uptrail rebuild`: rebuilds read models from the log. Works with or without a running service.
 *
 * @returns whether all compared documents were equal
 * @throws OperatorError the projection does not exist, or there is no data directory
 */
export const runRebuild = async (config: Config, options: RebuildOptions, output: Output): Promise<boolean> => {
  const site = siteOf(config);
  const chosen = options.names.length === 0 ? projections : options.names.map(findProjection);
  const readStore = await openReadModels(site, 'writer');
  const coordination = await openCoordination(site);
  let equal = true;
  try {
    for (const projection of chosen) {
      const store = await openLog(site, projection.log, 'appender');
      const progress = progressOf(projection.name, output);
      try {
        const { generation, events, comparison, set_aside } = await rebuild({
          projection,
          store,
          readStore,
          coordination,
          clock: Date.now,
          keepEngineOut: isClusterSite(site) ? takeOver(projection, coordination, options.signal) : () => lockOut(site),
          verify: options.verify,
          onProgress: progress.show,
          signal: options.signal,
        });
        progress.end();
        await output.line(`${projection.name}: generation ${generation} is in use, built from ${events} events.`);
        if (set_aside > 0) {
          await output.line(
            `${projection.name}: ${set_aside} set aside. Run uptrail projections --set-aside to list them.`,
          );
        }
        if (options.verify) equal = (await reportComparison(projection.name, comparison, output)) && equal;
      } finally {
        progress.end();
        await store.close();
      }
    }
  } catch (error) {
    if (options.signal.aborted) throw new OperatorError('Interrupted. The previous read model stays in use.');
    throw error;
  } finally {
    await readStore.close();
    await coordination.close();
  }
  return equal;
};

const reportComparison = async (name: string, comparison: Comparison | null, output: Output): Promise<boolean> => {
  if (!comparison) {
    await output.line(`${name}: nothing to compare with.`);
    return true;
  }
  const { compared, differences } = comparison;
  for (const { collection, id, live, rebuilt } of differences) {
    await output.line(`${name}: ${collection} ${id} differs`);
    await output.line(`  old  ${live ? JSON.stringify(live) : 'absent'}`);
    await output.line(`  new  ${rebuilt ? JSON.stringify(rebuilt) : 'absent'}`);
  }
  const equal = differences.length === 0;
  const sentence = equal ? 'all are equal' : `${differences.length} differ`;
  await output.line(`${name}: ${compared} documents compared, ${sentence}.`);
  return equal;
};
