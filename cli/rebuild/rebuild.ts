import { SingleBar } from 'cli-progress';
import type { Comparison } from '../../projections/engine/generations/compare.ts';
import { projectionKey, type AnyProjection } from '../../projections/engine/fold/define.ts';
import { rebuild, type RebuildProgress } from '../../projections/engine/generations/rebuild.ts';
import { projections } from '../../projections/index.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import type { Config } from '../../service/config/config.ts';
import type { DataDirectory } from '../../service/embedded/data-directory.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { findProjection } from '../../service/find-projection.ts';
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

/**
 * Locks the data directory. Returns null if a service holds the lock. Projections are being updated only while a
 * service holds the lock.
 */
const lockOut = async ({ path }: DataDirectory): Promise<(() => Promise<void>) | null> => {
  try {
    const lock = lockService(path);
    return async () => {
      lock.release();
    };
  } catch (error) {
    if (error instanceof DirectoryInUse) return null;
    throw error;
  }
};

/**
 * Time limits for acquiring a lease, in milliseconds. `FREE_MS` suffices if the lease is free, and `TAKEOVER_MS`
 * if its holder has died.
 */
const FREE_MS = 500;
const TAKEOVER_MS = 10_000;

/**
 * Acquires the lease that a process holds while it updates the projection. The first attempt is short: if a process
 * holds the lease, this command soon asks that process to switch to the new generation. Later attempts are longer,
 * because the lease of a dead process has to expire first.
 */
const takeOver = (projection: AnyProjection, coordination: Coordination, signal: AbortSignal) => {
  let patience = FREE_MS;
  return async (): Promise<(() => Promise<void>) | null> => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    patience = TAKEOVER_MS;
    const lease = await coordination.acquire(`projection:${projectionKey(projection)}`, ended).catch(() => null);
    if (!lease) return null;
    // Release the lease immediately, because switching to the new generation acquires it again. If a service starts in
    // between, that service performs the switch.
    await lease.release();
    return async () => undefined;
  };
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

const STEPS: Record<RebuildProgress['step'], string> = {
  folding: 'reading the log',
  indexing: 'building indexes',
  comparing: 'comparing',
  switching: 'switching',
};

const PLAIN_EVERY_MS = 2_000;

/** Shows a progress bar on a terminal. Elsewhere, prints a line at intervals. */
const progressOf = (name: string, output: Output) => {
  let ended = false;
  if (!output.terminal) {
    let last = performance.now();
    let step: RebuildProgress['step'] | null = null;
    return {
      show: (progress: RebuildProgress): void => {
        const now = performance.now();
        if (progress.step === step && now - last < PLAIN_EVERY_MS) return;
        last = now;
        step = progress.step;
        void output.line(`${name}: ${STEPS[step]}, ${percentOf(progress)} %, ${progress.events} events`);
      },
      end: (): void => undefined,
    };
  }
  const bar = new SingleBar({
    format: `${name} {bar} {percentage} % | {events} events | {step}`,
    barsize: 30,
    hideCursor: true,
    stream: process.stdout,
  });
  bar.start(100, 0, { events: 0, step: STEPS.folding });
  return {
    show: (progress: RebuildProgress): void => {
      bar.update(percentOf(progress), { events: progress.events, step: STEPS[progress.step] });
    },
    end: (): void => {
      if (!ended) bar.stop();
      ended = true;
    },
  };
};

/** Returns how much of the log has been folded, in whole percent. */
const percentOf = ({ position, target }: RebuildProgress): number =>
  target === 0n ? 100 : Number((position * 100n) / target);
