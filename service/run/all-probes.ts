import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { HealthPart } from '../../http/health.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { SCRIPT_TYPES } from '../../probes/index.ts';
import { combineProbes, type Probes } from '../../runners/probes.ts';
import type { ScriptPrograms } from '../../probes/script/programs.ts';
import { limitsEnforcedBy } from '../../probes/script/sandbox/limits/cgroups.ts';
import type { UnavailableType } from '../../probes/tools.ts';
import type { Plan } from '../plan.ts';
import { observeProbes } from '../metrics/metrics.ts';
import { probesPart, startProbes, type ProbesOptions } from './probe-processes.ts';
import { scriptsPart, startScripts, type ScriptsOptions } from './script-processes.ts';

export interface AllProbesOptions {
  config: ProbesOptions['config'] & ScriptsOptions['config'];
  plan: Pick<Plan, 'launchProbes' | 'launchScripts'>;
  /** check types that this machine can run, including scripts */
  types: readonly CheckTypeName[];
  lacking: readonly UnavailableType[];
  programs: ScriptPrograms;
  reserved: ProbesOptions['reserved'];
  staging: ScriptsOptions['staging'];
  registry: Registry;
  logger: Logger;
}

/** Starts the processes that run the checks of this process. Scripts run in separate child processes. */
export const startAllProbes = async (
  options: AllProbesOptions,
): Promise<{ probes: Probes; parts: (() => HealthPart)[]; stop: () => Promise<void> }> => {
  const { config, plan, types, lacking, programs, reserved, staging, registry, logger } = options;
  const kinds = SCRIPT_TYPES.filter((kind) => types.includes(kind));
  const ordinary = startProbes({
    config,
    types: types.filter((type) => !(kinds as readonly CheckTypeName[]).includes(type)),
    launch: plan.launchProbes,
    reserved,
    logger,
  });
  observeProbes(registry, ordinary);
  const scripts = kinds.map((kind) =>
    startScripts({ config, kind, programs, launch: plan.launchScripts, reserved, staging, logger }),
  );
  const by = kinds.length > 0 ? await limitsEnforcedBy() : null;
  return {
    probes: combineProbes([ordinary, ...scripts]),
    parts: [() => probesPart(ordinary, lacking), ...(kinds.length > 0 ? [() => scriptsPart(config, scripts, by)] : [])],
    stop: async () => {
      await Promise.all([ordinary, ...scripts].map(({ stop }) => stop()));
    },
  };
};
