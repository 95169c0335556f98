import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { HealthPart } from '../../http/health.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { systemClock } from '../../network/clock.ts';
import { launch } from '../../runners/processes/launch.ts';
import { startLazily } from '../../runners/processes/lazy-processes.ts';
import { createProbeProcesses, type ProbeProcesses } from '../../runners/processes/pool.ts';
import type { ScriptPrograms } from '../../probes/script/programs.ts';
import type { ScriptKind } from '../../probes/script/protocol.ts';
import type { LimitedBy } from '../../probes/script/sandbox/limits/limits.ts';
import { whyNoSandbox } from '../../probes/script/sandbox/why-no-sandbox.ts';
import type { ScriptSettings } from '../../probes/script/settings.ts';
import type { Staging } from '../../probes/staging.ts';
import type { CheckRights } from '../../probes/tools.ts';
import type { Config } from '../config/config.ts';
import { SECRET_VARIABLES, settingsOf, processLogging, type ProbesOptions } from './probe-processes.ts';

type ScriptConfig = Pick<Config, 'runnerBrowsers' | 'scriptPorts' | 'scriptSandbox'>;

/** Starts a child process that runs scripts. */
export const launchScripts = (): ChildProcess =>
  launch('../../runners/processes/script-process', import.meta.url, SECRET_VARIABLES);

/** Returns the maximum number of scripts of a kind that run concurrently in this process. */
export const scriptConcurrency = (kind: ScriptKind, { runnerBrowsers }: Pick<Config, 'runnerBrowsers'>): number =>
  kind === 'synthetic'
    ? (runnerBrowsers ?? Math.max(1, Math.floor(availableParallelism() / 2)))
    : 2 * availableParallelism();

/** Returns the configured settings for scripts of a kind. */
export const scriptSettingsOf = (kind: ScriptKind, config: ScriptConfig, programs: ScriptPrograms): ScriptSettings => ({
  ...programs,
  sandbox: config.scriptSandbox,
  ports: config.scriptPorts,
  atOnce: { [kind]: scriptConcurrency(kind, config) },
});

/**
 * Returns functions that determine why scripts can't run on this machine. The sandbox is tested only once, and both
 * kinds of scripts share the result.
 */
export const scriptRights = (
  { scriptSandbox }: Pick<Config, 'scriptSandbox'>,
  { chromium }: Pick<ScriptPrograms, 'chromium'>,
): ReadonlyMap<CheckTypeName, CheckRights> => {
  let tried: Promise<string | null> | null = null;
  const sandbox: CheckRights = async () => {
    if (scriptSandbox === 'off') return null;
    tried ??= whyNoSandbox();
    return tried;
  };
  return new Map<CheckTypeName, CheckRights>([
    ['multistep', sandbox],
    ['synthetic', async () => (chromium === null ? 'Chromium is missing (apt-get install chromium).' : sandbox())],
  ]);
};

/**
 * Time after the time limit of a run at which the run counts as hanging, in milliseconds. It covers the wait for the
 * start of a sandbox, which is not part of the run.
 */
const PATIENCE_MS = 45_000;
/** Memory limit of the process, in bytes. The process buffers the output of sandboxes. */
const MAX_MEMORY = 512 * 1_048_576;

export interface ScriptsOptions extends Omit<ProbesOptions, 'config' | 'types'> {
  config: ProbesOptions['config'] & ScriptConfig;
  kind: ScriptKind;
  programs: ScriptPrograms;
  /** the area in which runs store their artifact files */
  staging: Pick<Staging, 'folder' | 'discard'>;
}

/**
 * Starts the process that runs the scripts of one kind. Other checks run in separate processes, so scripts can't delay
 * them. The process starts with the first run, so a service without scripts needs no memory for it.
 */
export const startScripts = (options: ScriptsOptions): ProbeProcesses => {
  const { config, kind, programs, reserved, staging, logger } = options;
  const settings = () => ({
    ...settingsOf(options),
    staging: staging.folder,
    scripts: scriptSettingsOf(kind, config, programs),
  });
  const concurrency = scriptConcurrency(kind, config);
  const processes = startLazily([kind], () =>
    createProbeProcesses({
      types: [kind],
      launch: options.launch,
      settings: settings(),
      most: 1,
      limits: {
        patience: PATIENCE_MS,
        memory: MAX_MEMORY,
        worn: MAX_MEMORY / 2,
        enough: concurrency,
        most: concurrency,
      },
      clock: systemClock,
      discarded: ({ files = [] }) => void staging.discard(files),
      ...processLogging(logger, 'a process that runs scripts'),
    }),
  );
  reserved.onChange(() => {
    processes.change(settings());
  });
  return processes;
};

/** Returns the state of scripts for `/health/ready`. If scripts run unprotected, the message always says so. */
export const scriptsPart = (
  { scriptSandbox }: Pick<Config, 'scriptSandbox'>,
  processes: readonly Pick<ProbeProcesses, 'state'>[],
  limitedBy: LimitedBy | null,
): HealthPart => {
  const states = processes.map(({ state }) => state());
  const trouble = states.find((state) => state.trouble !== null)?.trouble ?? null;
  const words = [
    ...(trouble === null ? [] : [`Scripts cannot run: ${trouble}.`]),
    scriptSandbox === 'on'
      ? `Scripts run in sandboxes, whose memory and processes are limited by ${limitedBy ?? 'nothing'}.`
      : 'SCRIPT_SANDBOX is off: scripts run unprotected, with all rights of this process.',
  ];
  return {
    name: 'scripts',
    ready: trouble === null,
    state: trouble !== null ? 'failing' : scriptSandbox === 'on' ? 'sandboxed' : 'unprotected',
    lag_seconds: null,
    message: words.join(' '),
    processes: states.reduce((sum, { running }) => sum + running, 0),
    restarts: states.reduce((sum, { restarts }) => sum + restarts, 0),
  };
};
