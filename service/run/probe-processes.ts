import { availableParallelism } from 'node:os';
import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import type { HealthPart } from '../../http/health.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { systemClock } from '../../network/clock.ts';
import { launch } from '../../runners/processes/launch.ts';
import { unavailableSentence, type UnavailableType } from '../../probes/tools.ts';
import { createProbeProcesses, type ProbeProcesses, type ProbeProcessesOptions } from '../../runners/processes/pool.ts';
import type { Settings } from '../../runners/processes/messages.ts';
import type { CurrentReservedTargets } from '../../network/policy.ts';
import type { Config } from '../config/config.ts';
import { registriesOf } from '../config/registries.ts';
import { targetRulesOf } from '../config/target-policy.ts';
import { VARIABLES } from '../config/variables.ts';

/**
 * Returns the state of the processes that run checks, for `/health/ready`.
 *
 * @param lacking check types that the processes can't run; the part is ready even if there are such types
 */
export const probesPart = (
  { state }: Pick<ProbeProcesses, 'state'>,
  lacking: readonly UnavailableType[] = [],
): HealthPart => {
  const { running, restarts, trouble } = state();
  const words = [
    ...(trouble === null ? [] : [`No probe process can be started: ${trouble}.`]),
    ...lacking.map(unavailableSentence),
  ];
  return {
    name: 'probe processes',
    ready: trouble === null,
    state: trouble === null ? 'running' : 'failing',
    lag_seconds: null,
    message: words.length === 0 ? null : words.join(' '),
    processes: running,
    restarts,
  };
};

/**
 * Names of the service's own variables. They are removed from the environment of probes, because they contain keys and
 * passwords of stores.
 */
export const SECRET_VARIABLES = Object.values(VARIABLES).map(({ name }) => name);

/** Starts a process that runs checks of every type. */
export const launchProbes = (): ChildProcess =>
  launch('../../runners/processes/probe-process', import.meta.url, SECRET_VARIABLES);

export interface ProbesOptions {
  config: Pick<
    Config,
    'targetPolicy' | 'targetAllow' | 'targetDeny' | 'rdapBootstrapUrl' | 'whoisServer' | 'runnerProcesses'
  >;
  types: readonly CheckTypeName[];
  launch: () => ChildProcess;
  /** the addresses that checks must not reach; changes are passed on to the processes */
  reserved: CurrentReservedTargets;
  logger: Logger;
}

/** Returns the settings of the processes that run checks, from the configuration and the reserved addresses. */
export const settingsOf = ({ config, reserved }: Pick<ProbesOptions, 'config' | 'reserved'>): Settings => ({
  rules: targetRulesOf(config),
  reserved: reserved.now(),
  trust: [],
  registries: registriesOf(config),
});

/**
 * Returns functions that log the events of child processes.
 *
 * @param one name of such a process, with an article: `a probe process`
 */
export const processLogging = (
  logger: Logger,
  one: string,
): Pick<ProbeProcessesOptions, 'died' | 'cannotStart' | 'startedAgain'> => ({
  died: ({ cause, output, runs }, repeated) => {
    const fields = { suspects: runs.map(({ about }) => about), ...(output !== '' && { said: output }) };
    const consequence = repeated ? ' Its runs are repeated one at a time.' : '';
    logger.error(fields, `${one} was lost: ${cause}.${consequence}`);
  },
  cannotStart: ({ cause, output }) => {
    logger.error(
      { ...(output !== '' && { said: output }) },
      `${one} was not ready for runs: ${cause}. Starting others.`,
    );
  },
  startedAgain: (failures) => {
    logger.info({ failures }, `${one} is ready for runs again`);
  },
});

/** Starts the processes that run the checks of this process, as configured. */
export const startProbes = ({ config, types, launch, reserved, logger }: ProbesOptions): ProbeProcesses => {
  const probes = createProbeProcesses({
    types,
    launch,
    settings: settingsOf({ config, reserved }),
    most: config.runnerProcesses ?? availableParallelism(),
    clock: systemClock,
    ...processLogging(logger, 'a probe process'),
  });
  reserved.onChange(() => {
    probes.change(settingsOf({ config, reserved }));
  });
  return probes;
};
