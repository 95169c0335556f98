import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { regionOf } from '../../domain/check/regions.ts';
import { proxyOf } from '../../network/uplink.ts';
import { TYPES } from '../../probes/index.ts';
import { ConfigurationError, readVariables, type Config } from '../config/config.ts';
import { isLoopbackUrl, parseServerUrl, readCaFile } from '../config/server-option.ts';
import { OperatorError } from '../operator-error.ts';

/** Options of `uptrail run --server`. */
export interface RemoteRunOptions {
  server: string;
  token?: string;
  /** file with the token */
  tokenFile?: string;
  /** id or alias of a region */
  region?: readonly string[];
  /** path of a file with certificates */
  caFile?: string;
  /** path of the folder for unreported results */
  spool?: string;
  /** names of the check types to run; absent: all types that this machine can run */
  type?: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that a remote runner reads. The other variables need not be valid. */
const VARIABLES_READ = [
  'port',
  'host',
  'dataDir',
  'logLevel',
  'runnerConcurrency',
  'runnerProcesses',
  'runnerBrowsers',
  'runnerAnchors',
  'runnerOfflineMinutes',
  'runnerSpoolMb',
  'playwrightChromium',
  'scriptSandbox',
  'scriptPorts',
  'targetPolicy',
  'targetAllow',
  'targetDeny',
  'rdapBootstrapUrl',
  'whoisServer',
] as const satisfies readonly (keyof Config)[];

export type RemoteRunConfig = Pick<Config, (typeof VARIABLES_READ)[number]>;

export interface RemoteRunSettings {
  config: RemoteRunConfig;
  server: URL;
  token: string;
  /** whether other users of the machine can read the token in the process list */
  isTokenVisible: boolean;
  /** id or alias of the region; null: the region of the token */
  region: string | null;
  types: readonly CheckTypeName[];
  /** certificates (PEM) to trust for the service, in addition to those of the system */
  trust: readonly string[];
  proxy: URL | null;
  spool: string;
  /** whether the runner serves health requests, which it does if PORT is set */
  servesHealth: boolean;
}

/**
 * Reads and validates the settings of a remote runner.
 *
 * @throws OperatorError an option is invalid
 * @throws ConfigurationError a variable is invalid
 */
export const settingsOfRemoteRun = (options: RemoteRunOptions, environment: Environment): RemoteRunSettings => {
  const server = serverOf(options.server);
  const config = readVariables(environment, VARIABLES_READ);
  return {
    config,
    server,
    token: tokenOf(options, environment),
    isTokenVisible: options.token !== undefined,
    region: options.region === undefined ? null : regionNamed(options.region),
    types: options.type === undefined ? TYPES : options.type.map(typeNamed),
    trust: options.caFile === undefined ? [] : readCaFile(options.caFile),
    proxy: inWords(() => proxyOf(server, environment)),
    spool: options.spool ?? join(config.dataDir, 'runner-spool'),
    servesHealth: (environment['PORT'] ?? '') !== '',
  };
};

const serverOf = (text: string): URL => {
  const url = parseServerUrl(text, '--server');
  if (url.protocol === 'http:' && !isLoopbackUrl(url))
    throw new OperatorError(
      `--server must begin with https://. With http://, the token and the secrets of checks could be read on the way to ${url.host}. Plain http is allowed only to this machine (localhost, 127.0.0.1, [::1]).`,
    );
  return url;
};

const tokenOf = (options: RemoteRunOptions, environment: Environment): string => {
  if (options.token !== undefined && options.tokenFile !== undefined)
    throw new OperatorError('Use either --token or --token-file.');
  const [text, from] =
    options.token !== undefined
      ? [options.token, '--token']
      : options.tokenFile !== undefined
        ? [contentOf(options.tokenFile), `The content of ${options.tokenFile}`]
        : [environment['UPTRAIL_RUNNER_TOKEN'] ?? '', 'UPTRAIL_RUNNER_TOKEN'];
  if (text.trim() === '')
    throw new OperatorError(
      'A token is required: set UPTRAIL_RUNNER_TOKEN, --token-file or --token. Create one with `uptrail runner create` or POST /v1/runners.',
    );
  try {
    const { runnerToken } = readVariables({ UPTRAIL_RUNNER_TOKEN: text }, ['runnerToken']);
    return runnerToken ?? '';
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new OperatorError(error.message.replace('UPTRAIL_RUNNER_TOKEN', from));
  }
};

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `--token-file must name a readable file (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
};

const inWords = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
};

const regionNamed = (names: readonly string[]): string => {
  const [name = '', ...others] = names;
  if (others.length > 0)
    throw new OperatorError('A remote runner serves only one region. Start another runner for each further region.');
  if (!regionOf(name)) throw new OperatorError(`The region "${name}" does not exist.`);
  return name;
};

const typeNamed = (name: string): CheckTypeName => {
  if (TYPES.includes(name)) return name;
  throw new OperatorError(`This release cannot run checks of type "${name}", only ${TYPES.join(', ')}.`);
};
