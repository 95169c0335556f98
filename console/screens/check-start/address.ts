import type { CheckTypeName } from '../check-form/fields.ts';

/** Check types that need no configuration except an address. */
export type ProposedType = Extract<CheckTypeName, 'web' | 'api' | 'tcp' | 'ssl' | 'dns' | 'icmp'>;

/** A parsed address. */
export interface Address {
  /** http or https URL without user name and password; null: the address is not such a URL */
  url: string | null;
  host: string;
  /** null: the address has no port, and its scheme has no default port */
  port: number | null;
  /** user name in the URL. It is removed from the URL and sent with the request */
  username: string;
  password: string;
  /** whether the connection starts with TLS */
  tls: boolean;
  /** the best matching type */
  type: ProposedType;
  /** possible types, best match first */
  types: readonly ProposedType[];
}

/** Default ports of common protocols, and whether they start with TLS. */
const SCHEMES: Readonly<Record<string, readonly [port: number, tls: boolean]>> = {
  ssh: [22, false],
  ftp: [21, false],
  ftps: [990, true],
  smtp: [25, false],
  smtps: [465, true],
  pop3: [110, false],
  pop3s: [995, true],
  imap: [143, false],
  imaps: [993, true],
  ldap: [389, false],
  ldaps: [636, true],
  postgres: [5432, false],
  postgresql: [5432, false],
  mysql: [3306, false],
  mariadb: [3306, false],
  mongodb: [27017, false],
  redis: [6379, false],
  rediss: [6379, true],
  amqp: [5672, false],
  amqps: [5671, true],
  mqtt: [1883, false],
  mqtts: [8883, true],
  ws: [80, false],
  wss: [443, true],
};

/** Common HTTP ports. */
const WEB_PORTS: ReadonlyMap<number, 'http' | 'https'> = new Map([
  [80, 'http'],
  [443, 'https'],
  [3000, 'http'],
  [8000, 'http'],
  [8080, 'http'],
  [8443, 'https'],
  [8888, 'http'],
]);

const TLS_PORTS: ReadonlySet<number> = new Set([465, 636, 853, 990, 993, 995, 5671, 8883]);

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** Returns whether a host is an IP address; IPv6 addresses may be in brackets. */
const isAddress = (host: string): boolean => IPV4.test(host) || host.includes(':');

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

const canBe = (host: string, first: ProposedType, ...more: ProposedType[]): readonly ProposedType[] => {
  const all: ProposedType[] = [first, ...more, 'icmp'];
  if (!isAddress(host)) all.push('dns');
  return [...new Set(all)];
};

const isApi = ({ hostname, pathname }: URL): boolean =>
  /(?:^|\.)api\./i.test(hostname) ||
  /(?:^|\/)(?:api|graphql|health|healthz|ready|readyz|status\.json|v\d+)(?:\/|$)|\.json$/i.test(pathname);

const ofUrl = (text: string): Address | null => {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, username, password } = url;
  const isSecure = protocol === 'https:';
  const host = bare(url.hostname);
  if (host === '') return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  const [first, second]: ProposedType[] = isApi(url) ? ['api', 'web'] : ['web', 'api'];
  return {
    url: url.href,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    username: decoded(username),
    password: decoded(password),
    tls: isSecure,
    type: first ?? 'web',
    types: canBe(host, first ?? 'web', second ?? 'api', 'tcp', ...(isSecure ? (['ssl'] as const) : [])),
  };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const ofPort = (host: string, port: number, tls: boolean): Address => ({
  url: null,
  host: bare(host),
  port,
  username: '',
  password: '',
  tls,
  type: 'tcp',
  types: tls ? canBe(bare(host), 'tcp', 'ssl') : canBe(bare(host), 'tcp'),
});

/**
 * Parses a URL of a protocol other than HTTP, such as `postgres://me:secret@db.example.com/shop`. The credentials are
 * dropped, because a port check does not need them.
 */
const ofScheme = (scheme: string, text: string): Address | null => {
  const [port, tls] = SCHEMES[scheme] ?? [null, false];
  const rest = `http://${text.slice(text.indexOf('://') + 3)}`;
  if (!URL.canParse(rest)) return null;
  const { hostname, port: named } = new URL(rest);
  const given = named === '' ? port : Number(named);
  return hostname === '' || given === null ? null : ofPort(hostname, given, tls);
};

/**
 * Parses an address: a URL, a host, a host with a port, an IP address, or a URL of another protocol.
 *
 * @returns null if the text is none of these
 */
export const addressOf = (text: string): Address | null => {
  const given = text.trim();
  if (given === '' || /\s/.test(given)) return null;
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given) ?? [];
  const protocol = scheme?.toLowerCase();
  if (protocol === 'http' || protocol === 'https') return ofUrl(given);
  if (protocol !== undefined) return ofScheme(protocol, given);
  if (/^[0-9a-f:]+:[0-9a-f:.]*$/i.test(given) && (given.match(/:/g) ?? []).length > 1) return ofHost(`[${given}]`);
  const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[^/:?#@[\]]+)(?::(\d{1,5}))?$/i.exec(given) ?? [];
  if (host === '') return ofUrl(`https://${given}`);
  if (port === undefined) return ofHost(host);
  const number = Number(port);
  if (number < 1 || number > 65_535) return null;
  const web = WEB_PORTS.get(number);
  return web ? ofUrl(`${web}://${host}:${port}/`) : ofPort(host, number, TLS_PORTS.has(number));
};

/** Parses a host without a port. A host name is treated as a website, and an IP address as a host of unknown kind. */
const ofHost = (host: string): Address | null => {
  if (!isAddress(bare(host))) return host.includes('.') || host === 'localhost' ? ofUrl(`https://${host}/`) : null;
  const site = ofUrl(`http://${host}/`);
  return site && { ...site, type: 'icmp', types: ['icmp', 'web', 'tcp'] };
};

/** Returns an address without user name and password, for use in a URL of the console. */
export const addressWithoutCredentials = ({ url, host, port }: Address): string => {
  if (url !== null) return url;
  const place = host.includes(':') ? `[${host}]` : host;
  return port === null ? place : `${place}:${port}`;
};
