import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { regionOf } from '../../domain/check/regions.ts';
import { proxyOf } from '../../network/uplink.ts';
import { TYPES } from '../../probes/index.ts';
import { certificatesIn } from '../config/certificates.ts';
import { ConfigurationError, readVariables, type Config } from '../config/config.ts';
import { OperatorError } from '../operator-error.ts';

/** What `uptrail run --server` is called with. */
export interface RemoteRunOptions {
  server: string;
  token?: string;
  /** a file with the token */
  tokenFile?: string;
  /** id or alias */
  region?: readonly string[];
  /** a file with certificates */
  caFile?: string;
  /** the folder of results that can't be delivered */
  spool?: string;
  /** only checks of these types */
  type?: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that a remote runner goes by; what is wrong with the others does not matter. */
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
  /** whether other users of the machine can read the token in the list of processes */
  isTokenVisible: boolean;
  /** id or alias; null: whatever the token is for */
  region: string | null;
  types: readonly CheckTypeName[];
  /** certificates (PEM) that are trusted for the service besides those of the system */
  trust: readonly string[];
  proxy: URL | null;
  spool: string;
  /** whether requests for its health are answered: PORT is set */
  answersHealth: boolean;
}

/**
 * Reads and checks what a remote runner needs.
 *
 * @throws OperatorError an option is wrong
 * @throws ConfigurationError a variable is
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
    trust: options.caFile === undefined ? [] : certificatesOf(options.caFile),
    proxy: inWords(() => proxyOf(server, environment)),
    spool: options.spool ?? join(config.dataDir, 'runner-spool'),
    answersHealth: (environment['PORT'] ?? '') !== '',
  };
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const serverOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw new OperatorError(`--server must be a URL that begins with https://, not "${text}".`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new OperatorError('--server must have neither a user nor a query nor a fragment.');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new OperatorError(
      `--server must begin with https://: by http:// the token and the secrets of checks could be read on the way to ${url.host}. Plain http is for this machine only (localhost, 127.0.0.1, [::1]).`,
    );
  return url;
};

const tokenOf = (options: RemoteRunOptions, environment: Environment): string => {
  if (options.token !== undefined && options.tokenFile !== undefined)
    throw new OperatorError('Give --token or --token-file, not both.');
  const [text, from] =
    options.token !== undefined
      ? [options.token, '--token']
      : options.tokenFile !== undefined
        ? [contentOf(options.tokenFile), `The content of ${options.tokenFile}`]
        : [environment['UPTRAIL_RUNNER_TOKEN'] ?? '', 'UPTRAIL_RUNNER_TOKEN'];
  if (text.trim() === '')
    throw new OperatorError(
      'A token is needed: UPTRAIL_RUNNER_TOKEN, --token-file or --token. `uptrail runner create` makes one, and so does POST /v1/runners.',
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
      `--token-file must name a file that can be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
};

const certificatesOf = (file: string): readonly string[] => {
  try {
    return certificatesIn(file);
  } catch (error) {
    throw new OperatorError(`--ca-file ${(error as Error).message}`);
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
    throw new OperatorError('A remote runner serves one region; start another one for each further region.');
  if (!regionOf(name)) throw new OperatorError(`There is no region "${name}".`);
  return name;
};

const typeNamed = (name: string): CheckTypeName => {
  if (TYPES.includes(name)) return name;
  throw new OperatorError(`This release runs no checks of type "${name}", only ${TYPES.join(', ')}.`);
};
