import { ConnectionString } from 'mongodb-connection-string-url';

/*
 * `MONGODB_URL` may name several hosts, or one whose servers are looked up (`mongodb+srv://`), a user, and options;
 * tests need it with other databases, and by way of a proxy.
 */

/** What only finding the servers of a cluster needs. */
const DISCOVERY = ['replicaSet', 'srvMaxHosts', 'srvServiceName', 'loadBalanced', 'directConnection'];

/**
 * The URL with another database.
 *
 * @param authSource where its user is known; without it the database that the URL names would be asked
 */
export const inDatabase = (url: string, name: string, authSource: string | null): string => {
  const parsed = new ConnectionString(url);
  parsed.pathname = `/${name}`;
  if (authSource !== null) parsed.searchParams.set('authSource', authSource);
  return parsed.toString();
};

/**
 * The URL by way of a proxy on this machine, before one of its servers.
 *
 * @param tls whether that speaks TLS, which a URL of servers that are looked up does not have to say
 */
export const byWayOf = ({ port }: { port: number }, url: string, tls: boolean): string => {
  const parsed = new ConnectionString(url.replace(/^mongodb\+srv:/, 'mongodb:'));
  parsed.hosts = [`127.0.0.1:${port.toString()}`];
  for (const option of DISCOVERY) parsed.searchParams.delete(option);
  // Else a member of a replica set would name itself, and be connected to past the proxy.
  parsed.searchParams.set('directConnection', 'true');
  if (tls) {
    parsed.searchParams.set('tls', 'true');
    parsed.searchParams.set('tlsAllowInvalidHostnames', 'true');
  }
  return parsed.toString();
};
