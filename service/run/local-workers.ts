import type { Staging } from '../../probes/staging.ts';
import { createResultFiles } from '../../runners/worker/result-files.ts';
import type { Assembly } from '../assembly.ts';
import { boundSecrets } from './bound-secrets.ts';
import { parking } from './parking.ts';
import { runsOnDemand } from './runs-on-demand.ts';
import { createWorkers, type Workers } from './workers.ts';

/** Creates workers that store results in the stores of this process, wherever the runs are executed. */
export const createLocalWorkers = (assembly: Assembly, staging: Pick<Staging, 'read' | 'discard'>): Workers => {
  const { config, deployment, handle, readers, clock, facts, link, runners, metrics, logger, troubles } = assembly;
  const { artifacts, results, keys } = deployment;
  return createWorkers({
    config,
    results,
    keys,
    files: createResultFiles({
      artifacts,
      staging,
      clock,
      trouble: (error) => {
        troubles.report('Cannot store artifacts of runs.', error);
      },
    }),
    secretsOf: boundSecrets({ readers, handle }),
    link,
    runners,
    onDemand: runsOnDemand({ handle, readers, clock: clock.now, logger }),
    endedProcesses: parking({ handle, clock: facts.now, logger }),
    clock,
    metrics,
    logger,
  });
};
