import { systemClock } from '../../network/clock.ts';
import { findScriptPrograms } from '../../probes/script/programs.ts';
import { openStaging } from '../../probes/staging.ts';
import type { Region } from '../../domain/check/regions.ts';
import type { RunnerRegistry } from '../remote/registry.ts';
import type { Assembly } from '../assembly.ts';
import type { FoundationOptions } from '../foundation.ts';
import { abilityOfMachine, type RunAbility } from './ability.ts';
import { startAllProbes } from './all-probes.ts';
import { anchorsPart, startAnchors } from './anchors.ts';
import { createLocalRegions } from './local-regions.ts';
import { createLocalWorkers } from './local-workers.ts';

/**
 * Determines which check types this machine can run. Without the duty `run`, returns all types without checking.
 *
 * @throws Error the machine can run none of the requested types; the message explains why
 */
export const abilityOf = async ({
  config,
  plan,
  logger,
}: Pick<FoundationOptions, 'config' | 'plan' | 'logger'>): Promise<RunAbility> =>
  plan.duties.has('run')
    ? abilityOfMachine(config, plan.types, logger)
    : {
        types: plan.types,
        lacking: [],
        programs: await findScriptPrograms({ chromium: config.playwrightChromium }),
      };

/**
 * Runs checks and stores their results.
 *
 * @param remoteRunners knows which regions are left to remote runners; null: none are
 */
export const startRun = async (
  assembly: Assembly,
  ability: RunAbility,
  remoteRunners: RunnerRegistry | null,
): Promise<void> => {
  const { config, plan, logger, closing, deployment, clock, regions, parts } = assembly;
  const { queue, runnerIdentity: identity } = deployment;
  const ownRegions = plan.regions ?? regions;
  const staging = await openStaging(systemClock);
  closing.add('the artifacts of runs', staging.close);
  const { reserved, registry } = assembly;
  const all = await startAllProbes({ config, plan, ...ability, reserved, staging, registry, logger });
  closing.add('the probe processes', all.stop);
  parts.push(...all.parts);
  const anchors = startAnchors({ config, clock, logger });
  if (anchors) {
    closing.add('the anchors', anchors.stop);
    parts.push(() => anchorsPart(anchors));
  }
  const workers = createLocalWorkers(assembly, staging);
  closing.add('the trouble log of runs', workers.stop);
  const { runnerConcurrency: concurrency } = config;
  const own = createLocalRegions({ workers, identity, probes: all.probes, queue, anchors, concurrency });
  closing.add('the workers', own.stop);
  const served = (): readonly Region[] => {
    const left = remoteRunners?.remoteRegions();
    return left ? ownRegions.filter(({ id }) => !left.has(id)) : ownRegions;
  };
  const serve = (): void => {
    own.serve(served());
  };
  if (remoteRunners) {
    // Serve regions only after the regions of remote runners are known. Before that, this process might run checks of a
    // region that a remote runner serves.
    void remoteRunners.loaded.then(serve);
    remoteRunners.onChange(serve);
  } else serve();
  deployment.announce(served, ability.types);
};
