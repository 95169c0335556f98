import { BlockList, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/** The mail server to which the service hands over all e-mail. */
export interface Relay {
  /** a name, or an IP address without brackets */
  host: string;
  port: number;
  /**
   * `implicit`: TLS from the first byte; `required`: STARTTLS, and nothing is sent without it; `offered`: STARTTLS if
   * the relay offers it; `none`: never TLS
   */
  tls: 'implicit' | 'required' | 'offered' | 'none';
  auth: { user: string; password: string } | null;
  /** maximum number of concurrent connections */
  connections: number;
}

const CONNECTIONS = 5;
/**
 * Upper limit of `?connections=`. More connections would stay unused, because at most this many messages are sent to
 * one target at the same time.
 */
const MOST_CONNECTIONS = 10;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Returns whether a host (without brackets) is this machine: a loopback address, or a name that RFC 6761 reserves for
 * loopback.
 */
export const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? /^(?:.+\.)?localhost\.?$/i.test(host) : LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');

/**
 * Parses the URL of a relay: `smtp://user:password@mail.example.org:587`, or `smtps://…` for TLS from the first byte.
 * `?tls=required|offered|none` controls STARTTLS. The default is `none` for a relay on this machine. Otherwise it is
 * `required` for a URL with a password, and `offered` for a URL without a password. `?connections=` limits the number
 * of connections.
 *
 * @throws Error the message continues a sentence that begins with the name of the variable. It omits the URL, which may
 * contain a password.
 */
export const relayOf = (text: string): Relay => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^smtps?:\/\/[^/]/.test(text)) {
    throw new Error('must be a URL such as smtp://user:password@mail.example.org:587 or smtps://….');
  }
  if (url.hash !== '' || !['', '/'].includes(url.pathname)) {
    throw new Error('must have neither a path nor a fragment; in a password, / is written %2F and # is written %23.');
  }
  const host = hostOf(url);
  const auth = authOf(url);
  const { tls, connections } = parametersOf(url);
  const implicit = url.protocol === 'smtps:';
  if (implicit && tls !== null) throw new Error('uses TLS from the beginning with smtps://, so it takes no tls=.');
  if (auth && tls === 'offered') {
    throw new Error(
      'has a password, which tls=offered would not protect: take tls=required, or tls=none to do without.',
    );
  }
  const usual = isLoopback(host) ? 'none' : auth ? 'required' : 'offered';
  return {
    host,
    port: url.port === '' ? (implicit ? 465 : auth ? 587 : 25) : Number(url.port),
    tls: implicit ? 'implicit' : (tls ?? usual),
    auth,
    connections,
  };
};

/** Returns the decoded host. `URL` itself decodes hosts only for http and a few other schemes. */
const hostOf = ({ hostname }: URL): string => {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const host = isIP(bare) === 0 ? domainToASCII(decoded(bare)) : bare;
  if (host === '') throw new Error('must name a host, or an address, IPv6 in brackets.');
  return host;
};

const authOf = ({ username, password }: URL): Relay['auth'] => {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') throw new Error('must have both a user and a password, or neither.');
  return { user: decoded(username), password: decoded(password) };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % that is not followed by two hexadecimal digits; % itself is written %25.');
  }
};

const TLS = ['required', 'offered', 'none'] as const;

const parametersOf = ({ searchParams }: URL): { tls: (typeof TLS)[number] | null; connections: number } => {
  for (const name of searchParams.keys()) {
    if (name !== 'tls' && name !== 'connections') throw new Error('takes no parameters but tls and connections.');
  }
  const wanted = searchParams.get('tls');
  const tls = wanted === null ? null : TLS.find((value) => value === wanted);
  if (tls === undefined) throw new Error(`must have one of ${TLS.join(', ')} as tls.`);
  const connections = searchParams.get('connections') ?? CONNECTIONS.toString();
  if (!/^\d{1,2}$/.test(connections) || Number(connections) < 1 || Number(connections) > MOST_CONNECTIONS) {
    throw new Error(`must have a whole number from 1 to ${MOST_CONNECTIONS} as connections.`);
  }
  return { tls, connections: Number(connections) };
};
