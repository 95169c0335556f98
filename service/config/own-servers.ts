import type { Config } from './config.ts';

/** A server of this service that is named by an environment variable. */
export interface OwnServer {
  /** a name or an IP address, without brackets */
  host: string;
  /** null: `host` is the name of SRV records, which contain hosts and ports */
  port: number | null;
}

export type OwnServersConfig = Pick<Config, 'eventStoreDbUrl' | 'mongoDbUrl' | 'smtpUrl' | 'mailFrom' | 'otlpEndpoint'>;

const EVENTSTOREDB_PORT = 2113;
const MONGODB_PORT = 27017;
const SMTP_PORT = 25;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/**
 * Returns the configured servers to which only this service itself may connect. A server with SRV records is
 * represented by the name of these records.
 */
export const ownServersOf = ({
  eventStoreDbUrl,
  mongoDbUrl,
  smtpUrl,
  mailFrom,
  otlpEndpoint,
}: OwnServersConfig): OwnServer[] => [
  ...(eventStoreDbUrl === null ? [] : hostsIn(eventStoreDbUrl, EVENTSTOREDB_PORT)),
  ...(mongoDbUrl === null ? [] : mongoDbServers(mongoDbUrl)),
  // The default mail server may not exist. If no e-mail is sent, it does not count as a server of this service.
  ...(mailFrom === null && smtpUrl.host === 'localhost' && smtpUrl.port === SMTP_PORT
    ? []
    : [{ host: smtpUrl.host, port: smtpUrl.port }]),
  ...(otlpEndpoint === null ? [] : hostsIn(otlpEndpoint, otlpEndpoint.startsWith('https:') ? HTTPS_PORT : HTTP_PORT)),
];

const mongoDbServers = (url: string): OwnServer[] => {
  const hosts = hostsIn(url, MONGODB_PORT);
  if (!url.startsWith('mongodb+srv:')) return hosts;
  const service = /[?&]srvServiceName=([\w-]+)/i.exec(url)?.[1] ?? 'mongodb';
  return hosts.map(({ host }) => ({ host: `_${service}._tcp.${host}`, port: null }));
};

/** Returns the hosts in `esdb://user:password@one:2113,two,[::1]:2114/path?query`. Omits Unix sockets. */
const hostsIn = (url: string, usual: number): { host: string; port: number }[] => {
  const authority = /^[^:]+:\/\/([^/?]*)/.exec(url)?.[1] ?? '';
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .split(',')
    .flatMap((server) => {
      const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]%]+))(?::(\d+))?$/.exec(server.trim()) ?? [];
      const host = inBrackets ?? plain;
      return host === undefined ? [] : [{ host, port: port === undefined ? usual : Number(port) }];
    });
};
