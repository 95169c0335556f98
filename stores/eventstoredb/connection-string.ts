import { existsSync, readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Endpoint } from '../connection-diagnosis.ts';

/** A valid connection string, and the parts of it that the adapters need. */
export interface ConnectionString {
  url: string;
  /** absent if the string names no user */
  credentials?: { username: string; password: string };
  tls: boolean;
  /** PEM files; relative paths are resolved against the working directory */
  files: { authority?: string; certificate?: string; key?: string };
  /** the hosts to connect to; for `esdb+discover://` with one host, the DNS name of the cluster */
  hosts: Endpoint[];
  /** whether to discover the leader of a cluster */
  discover: boolean;
  /** milliseconds between two pings of the connection */
  keepAliveInterval: number;
}

/** The connection string can't be used. The message is a sentence and never contains the password. */
export class BadConnectionString extends Error {
  constructor(why: string) {
    super(
      `The connection string of EventStoreDB ${why}; it looks like esdb://user:password@host:2113?tls=true, ` +
        'or esdb+discover://… for a cluster.',
    );
    this.name = 'BadConnectionString';
  }
}

/** Maximum time in milliseconds, slightly below the longest time that Node's timers allow. */
const LONGEST = 2_000_000_000;

/** A range of integers, both ends inclusive. */
interface Range {
  from: number;
  to: number;
}

/**
 * The accepted values of each option: an integer in a range, a boolean, a file, one of several keywords, or any text.
 */
const OPTIONS = new Map<string, Range | 'boolean' | 'file' | 'text' | readonly string[]>([
  ['tls', 'boolean'],
  ['tlsVerifyCert', 'boolean'],
  ['tlsCAFile', 'file'],
  ['userCertFile', 'file'],
  ['userKeyFile', 'file'],
  ['connectionName', 'text'],
  ['nodePreference', ['leader', 'follower', 'read_only_replica', 'random']],
  ['maxDiscoverAttempts', { from: 1, to: 1_000 }],
  ['discoveryInterval', { from: 1, to: LONGEST }],
  ['gossipTimeout', { from: 1, to: LONGEST }],
  ['defaultDeadline', { from: 1, to: LONGEST }],
  // The client documents -1 as "no pings", but gRPC would send a ping every millisecond. So -1 is not accepted.
  ['keepAliveInterval', { from: 1_000, to: LONGEST }],
  ['keepAliveTimeout', { from: 1, to: LONGEST }],
]);
const FLAT = new Map([...OPTIONS.keys()].map((name) => [name.toLowerCase(), name]));

const SHAPE = /^(esdb|esdb\+discover):\/\/(?:([^@/]*)@)?([^/?@]+)\/?(?:\?(.*))?$/;
const HOST = /^([a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const PORT = 2113;
const KEEP_ALIVE = 10_000;

/**
 * Validates a connection string before it is passed to the client library. Given a string with unknown parts, the
 * client would print them, including the password, and continue.
 *
 * @throws BadConnectionString
 */
export const parseConnectionString = (given: string): ConnectionString => {
  const url = given.trim();
  const parts = SHAPE.exec(url);
  if (!parts) throw new BadConnectionString("can't be read");
  const [, protocol, user, hosts = '', query = ''] = parts;
  const endpoints = hosts.split(',').map(endpointOf);
  const options = optionsOf(query);
  const credentials = user === undefined ? undefined : credentialsOf(user);
  if ((options.get('userCertFile') === undefined) !== (options.get('userKeyFile') === undefined)) {
    throw new BadConnectionString('names only one of userCertFile and userKeyFile');
  }
  return {
    url,
    ...(credentials && { credentials }),
    tls: options.get('tls') !== 'false',
    files: filesOf(options),
    hosts: protocol === 'esdb' ? endpoints : endpoints.slice(0, 1),
    discover: protocol === 'esdb+discover' || hosts.includes(','),
    keepAliveInterval: Number(options.get('keepAliveInterval') ?? KEEP_ALIVE),
  };
};

const endpointOf = (given: string): Endpoint => {
  const [, host, port] = HOST.exec(given) ?? [];
  if (given.startsWith('[')) {
    throw new BadConnectionString(`names the address ${given}, but IPv6 addresses need a name (DNS, /etc/hosts)`);
  }
  if (host === undefined) throw new BadConnectionString(`names the invalid host "${given}"`);
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    throw new BadConnectionString(`names the invalid port ${port}`);
  }
  return { host, port: port === undefined ? PORT : Number(port) };
};

const filesOf = (options: ReadonlyMap<string, string>): ConnectionString['files'] => {
  const file = (name: string): string | undefined => {
    const value = options.get(name);
    return value === undefined ? undefined : fileOf(name, value);
  };
  const [authority, certificate, key] = [file('tlsCAFile'), file('userCertFile'), file('userKeyFile')];
  if (certificate !== undefined && key !== undefined) checkPair(certificate, key);
  return {
    ...(authority !== undefined && { authority }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
  };
};

/** Returns the path of the PEM file that an option names. */
const fileOf = (name: string, value: string): string => {
  let file: string;
  try {
    file = decodeURIComponent(value);
  } catch {
    throw new BadConnectionString(`names a ${name} with an invalid "%" escape`);
  }
  if (!existsSync(file)) throw new BadConnectionString(`names a ${name} that does not exist`);
  if (!contentOf(name, file).includes('-----BEGIN ')) throw new BadConnectionString(`names a ${name} that is not PEM`);
  return file;
};

const contentOf = (name: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new BadConnectionString(`names a ${name} that can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

const checkPair = (certificate: string, key: string): void => {
  try {
    createSecureContext({ cert: readFileSync(certificate), key: readFileSync(key) });
  } catch {
    throw new BadConnectionString('names a userCertFile and a userKeyFile that are not a certificate and its key');
  }
};

const credentialsOf = (user: string): { username: string; password: string } => {
  const colon = user.indexOf(':');
  if (colon < 1 || colon === user.length - 1) throw new BadConnectionString('names a user without a password');
  try {
    return {
      username: decodeURIComponent(user.slice(0, colon)),
      password: decodeURIComponent(user.slice(colon + 1)),
    };
  } catch {
    throw new BadConnectionString('has a user or a password with an invalid "%" escape');
  }
};

const optionsOf = (query: string): Map<string, string> => {
  const options = new Map<string, string>();
  for (const part of query.split('&').filter(Boolean)) {
    const [key = '', value = ''] = part.split('=');
    const name = FLAT.get(key.toLowerCase().replace(/[_-]/g, ''));
    if (name === undefined) throw new BadConnectionString(`has an unknown option "${key}"`);
    checkOption(name, value);
    options.set(name, value);
  }
  return options;
};

const checkOption = (name: string, value: string): void => {
  const kind = OPTIONS.get(name);
  if (kind === 'boolean' && value !== 'true' && value !== 'false') {
    throw new BadConnectionString(`has the option ${name}, which takes true or false`);
  }
  if (name === 'tlsVerifyCert' && value === 'false') {
    throw new BadConnectionString(
      'has tlsVerifyCert=false, which is not supported (set tlsCAFile to the file of the authority)',
    );
  }
  if (typeof kind !== 'object') return;
  if ('from' in kind) {
    const { from, to } = kind;
    if (/^\d+$/.test(value) && Number(value) >= from && Number(value) <= to) return;
    throw new BadConnectionString(`has the option ${name}, which takes a whole number from ${from} to ${to}`);
  }
  if (!kind.includes(value.toLowerCase().replaceAll('-', '_'))) {
    throw new BadConnectionString(`has the option ${name}, which takes one of ${kind.join(', ')}`);
  }
};
