import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { HealthPart } from '../../http/health.ts';
import { systemClock } from '../../network/clock.ts';
import { openUplink } from '../../network/uplink.ts';
import { SCRIPT_TYPES } from '../../probes/index.ts';
import { openStaging } from '../../probes/staging.ts';
import { unavailableSentence } from '../../probes/tools.ts';
import { combineProbes } from '../../runners/probes.ts';
import { startLazily } from '../../runners/processes/lazy-processes.ts';
import { createRemoteRunner, type RemoteRunner } from '../../runners/remote/remote-runner.ts';
import { openSpool } from '../../runners/remote/spool.ts';
import type { Shutdown } from '../shutdown.ts';
import type { OwnServer } from '../config/own-servers.ts';
import { watchReserved } from '../reserved-endpoints.ts';
import { abilityOfMachine, type RunAbility } from '../run/ability.ts';
import { anchorsPart, startAnchors } from '../run/anchors.ts';
import { launchProbes, probesPart, startProbes, type ProbesOptions } from '../run/probe-processes.ts';
import { launchScripts, startScripts } from '../run/script-processes.ts';
import { connectionPart, serveHealth } from './health.ts';
import { createRunnerLog, type RunnerLog } from './log.ts';
import type { RemoteRunSettings } from './settings.ts';
import { takeSpoolFolder } from './spool-folder.ts';

const MiB = 1_048_576;

export interface RemoteRunAssembly {
  settings: RemoteRunSettings;
  /** version of this program */
  release: string;
  logger: Logger;
  closing: Shutdown;
  launchProbes?: ProbesOptions['launch'];
  launchScripts?: ProbesOptions['launch'];
}

/**
 * Creates a remote runner without starting it.
 *
 * @throws OperatorError see `takeSpoolFolder`, `serveHealth`
 * @throws Error this machine can't run any check
 */
export const openRemoteRun = async (assembly: RemoteRunAssembly): Promise<RemoteRunner> => {
  const { settings, release, logger, closing } = assembly;
  const { config, server, token, region, trust, proxy } = settings;
  const ability = await abilityOfMachine(config, settings.types, logger);
  const log = createRunnerLog(logger, systemClock, server);
  closing.add('the trouble log', log.stop);
  const spool = await openSpoolOf(settings, log, closing);
  const reserved = await watchReserved({ config: ownServersOf(settings), logger });
  closing.add('the lookup of the service’s addresses', reserved.stop);
  const { probes, staging, parts } = await startAll(assembly, ability, reserved);
  const anchors = startAnchors({ config, clock: systemClock, logger });
  if (anchors) {
    closing.add('the anchors', anchors.stop);
    parts.push(() => anchorsPart(anchors));
  }
  const uplink = openUplink({ server, trust, proxy });
  closing.add('the connections to the service', uplink.close);
  const runner = createRemoteRunner({
    uplink,
    token,
    about: {
      release,
      instance: randomBytes(12).toString('base64url'),
      region,
      lacking: ability.lacking.map((one) => ({ type: one.type, reason: unavailableSentence(one) })),
    },
    probes,
    staging,
    anchors,
    spool,
    capacity: config.runnerConcurrency,
    offline: config.runnerOfflineMinutes * 60_000,
    clock: systemClock,
    random: Math.random,
    observe: log,
  });
  parts.push(() => connectionPart(runner.state()));
  if (settings.servesHealth) {
    const health = await serveHealth(config, () => parts.map((part) => part()));
    closing.add('the health server', health.close);
    reserved.listening([health.endpoint]);
  }
  closing.add('the runs in progress', runner.stop);
  return runner;
};

/** Returns the servers that checks must not reach: the service, and the proxy to the service. */
const ownServersOf = ({ server, proxy }: Pick<RemoteRunSettings, 'server' | 'proxy'>): OwnServer[] =>
  [server, proxy]
    .filter((url) => url !== null)
    .map(({ protocol, hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    }));

const openSpoolOf = async (
  { config, spool: folder }: Pick<RemoteRunSettings, 'config' | 'spool'>,
  log: Pick<RunnerLog, 'dropped' | 'spoolTrouble'>,
  closing: Shutdown,
): ReturnType<typeof openSpool> => {
  const { path, release } = takeSpoolFolder(folder);
  closing.add('the folder of unreported results', release);
  const limit = config.runnerSpoolMb * MiB;
  const { dropped, spoolTrouble: trouble } = log;
  const spool = await openSpool({ folder: path, limit, clock: systemClock, dropped, trouble });
  closing.add('the unreported results', spool.close);
  return spool;
};

/** Prepares the child processes that run checks. Each starts with the first run that needs it. */
const startAll = async (
  { settings, logger, closing, ...launch }: RemoteRunAssembly,
  { types, lacking, programs }: RunAbility,
  reserved: ProbesOptions['reserved'],
) => {
  const { config } = settings;
  const kinds = SCRIPT_TYPES.filter((kind) => types.includes(kind));
  const others = types.filter((type) => !kinds.some((kind) => kind === type));
  const staging = await openStaging(systemClock);
  closing.add('the artifacts of runs', staging.close);
  const ordinary = startLazily(others, () =>
    startProbes({ config, types: others, launch: launch.launchProbes ?? launchProbes, reserved, logger }),
  );
  const scripts = kinds.map((kind) =>
    startScripts({ config, kind, programs, launch: launch.launchScripts ?? launchScripts, reserved, staging, logger }),
  );
  closing.add('the probe processes', async () => {
    await Promise.all([ordinary, ...scripts].map(({ stop }) => stop()));
  });
  const parts: (() => HealthPart)[] = [() => probesPart(ordinary, lacking)];
  return { probes: combineProbes([ordinary, ...scripts]), staging: kinds.length > 0 ? staging : null, parts };
};
