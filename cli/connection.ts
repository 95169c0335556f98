import type { Command } from 'commander';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { readVariables, type Config } from '../service/config/config.ts';
import { isLoopbackUrl, parseServerUrl, readCaFile } from '../service/config/server-option.ts';
import { readSecret } from '../service/embedded/data-directory.ts';
import { OperatorError } from '../service/operator-error.ts';
import type { Client } from './apply/client.ts';

/** Options of all commands that use the interface of a service. */
export interface ConnectionOptions {
  /** URL of the service */
  server?: string;
  /** path of a file with certificates */
  caFile?: string;
  /** whether the API key may be sent over plain http to another machine */
  allowHttp?: boolean;
}

const VARIABLES_READ = [
  'port',
  'host',
  'dataDir',
  'adminApiKey',
  'url',
  'apiKey',
] as const satisfies readonly (keyof Config)[];

/** The variables that a connection uses. */
export type ConnectionConfig = Pick<Config, (typeof VARIABLES_READ)[number]>;

/** Reads only the variables that a connection uses; the others may be invalid. @throws ConfigurationError */
export const readConnectionConfig = (environment: Readonly<Record<string, string | undefined>>): ConnectionConfig =>
  readVariables(environment, VARIABLES_READ);

/** Adds the options of {@link ConnectionOptions} to a command. */
export const connectionOptions = (command: Command): Command =>
  command
    .option('--server <url>', 'URL of the service; default: UPTRAIL_URL, or the service on this machine')
    .option('--ca-file <file>', 'file with certificates (PEM) to trust in addition to those of the system')
    .option('--allow-http', 'send the API key over plain http to another machine');

/**
 * Creates a client of the service that the options or the configuration name. The default is the service on this machine
 * with its admin key.
 *
 * @throws OperatorError an option is invalid, or there is no key
 */
export const connect = async (
  options: ConnectionOptions,
  config: ConnectionConfig,
  {
    signal,
    environment = process.env,
  }: { signal?: AbortSignal; environment?: Readonly<Record<string, string | undefined>> } = {},
): Promise<Client> => {
  const own = options.server === undefined && config.url === null;
  const server = own ? ownAddress(config) : serverOf(options, config);
  const trust = options.caFile === undefined ? [] : readCaFile(options.caFile);
  // Other commands do not load the HTTP client.
  const { createClient } = await import('./apply/client.ts');
  return createClient({ server, key: keyOf(config, server, own), trust, environment, ...(signal && { signal }) });
};

const ownAddress = ({ host, port }: ConnectionConfig): URL => {
  if (port === 0)
    throw new OperatorError('PORT is 0, so the port of the service is unknown. Use --server or UPTRAIL_URL.');
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new URL(`http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`);
};

const serverOf = ({ server, allowHttp = false }: ConnectionOptions, { url: configured }: ConnectionConfig): URL => {
  const from = server === undefined ? 'UPTRAIL_URL' : '--server';
  const text = server ?? configured ?? '';
  const url = parseServerUrl(text, from, 'https:// or http://');
  if (url.protocol === 'http:' && !isLoopbackUrl(url) && !allowHttp)
    throw new OperatorError(
      `${from} must begin with https://. With http://, the API key could be read on the way to ${url.host}. Use --allow-http in a network that you trust.`,
    );
  return url;
};

/**
 * Returns the API key. The admin key of this machine is sent only to the service on this machine, never to another
 * server.
 */
const keyOf = ({ apiKey, adminApiKey, dataDir }: ConnectionConfig, server: URL, own: boolean): string => {
  if (apiKey !== null) return apiKey;
  if (!own && !isLoopbackUrl(server))
    throw new OperatorError(`UPTRAIL_API_KEY must be set to an API key of ${server.host}.`);
  const file = join(resolve(dataDir), 'admin-api-key');
  const key = adminApiKey ?? secretIn(file);
  if (key !== null && key !== '') return key;
  throw new OperatorError(
    `There is no API key: set UPTRAIL_API_KEY. The admin key of a service on this machine would be in ${file}.`,
  );
};

const secretIn = (file: string): string | null => {
  try {
    return readSecret(file);
  } catch (error) {
    throw new OperatorError(
      `The admin key in ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). Set UPTRAIL_API_KEY.`,
    );
  }
};
