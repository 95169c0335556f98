import { ConnectionString } from 'mongodb-connection-string-url';

/*
 * Tests need the URL in `MONGODB_URL` with other databases and through a proxy. The URL can contain a user, options,
 * and either several hosts or one DNS name by which servers are looked up (`mongodb+srv://`).
 */

/** Options that are needed only to discover the servers of a cluster. */
const DISCOVERY = ['replicaSet', 'srvMaxHosts', 'srvServiceName', 'loadBalanced', 'directConnection'];

/**
 * Returns a URL with another database.
 *
 * @param authSource the database in which the user in the URL is defined; without it, the driver would use the database
 * in the URL
 */
export const withDatabase = (url: string, name: string, authSource: string | null): string => {
  const parsed = new ConnectionString(url);
  parsed.pathname = `/${name}`;
  if (authSource !== null) parsed.searchParams.set('authSource', authSource);
  return parsed.toString();
};

/**
 * Returns a URL that goes through a proxy on this machine to one of the servers.
 *
 * @param tls whether the server uses TLS; needed because a mongodb+srv:// URL implies TLS without saying so
 */
export const throughProxy = ({ port }: { port: number }, url: string, tls: boolean): string => {
  const parsed = new ConnectionString(url.replace(/^mongodb\+srv:/, 'mongodb:'));
  parsed.hosts = [`127.0.0.1:${port}`];
  for (const option of DISCOVERY) parsed.searchParams.delete(option);
  // Without this option, a member of a replica set would tell the driver its own address, and the driver would bypass
  // the proxy.
  parsed.searchParams.set('directConnection', 'true');
  if (tls) {
    parsed.searchParams.set('tls', 'true');
    parsed.searchParams.set('tlsAllowInvalidHostnames', 'true');
  }
  return parsed.toString();
};
