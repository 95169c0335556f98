import { ConnectionString } from 'mongodb-connection-string-url';

/*
 * `MONGODB_URL` may name several hosts, or one DNS name whose servers are looked up (`mongodb+srv://`), a user, and
 * options. Tests need it with other databases, and through a proxy.
 */

/** Options that are needed only to discover the servers of a cluster. */
const DISCOVERY = ['replicaSet', 'srvMaxHosts', 'srvServiceName', 'loadBalanced', 'directConnection'];

/**
 * The URL with another database.
 *
 * @param authSource the database in which its user is defined; without it, the URL's database would be used
 */
export const withDatabase = (url: string, name: string, authSource: string | null): string => {
  const parsed = new ConnectionString(url);
  parsed.pathname = `/${name}`;
  if (authSource !== null) parsed.searchParams.set('authSource', authSource);
  return parsed.toString();
};

/**
 * The URL through a proxy on this machine, before one of its servers.
 *
 * @param tls whether the server uses TLS, which a mongodb+srv:// URL need not say
 */
export const throughProxy = ({ port }: { port: number }, url: string, tls: boolean): string => {
  const parsed = new ConnectionString(url.replace(/^mongodb\+srv:/, 'mongodb:'));
  parsed.hosts = [`127.0.0.1:${port}`];
  for (const option of DISCOVERY) parsed.searchParams.delete(option);
  // Otherwise a member of a replica set would name itself, and the driver would bypass the proxy.
  parsed.searchParams.set('directConnection', 'true');
  if (tls) {
    parsed.searchParams.set('tls', 'true');
    parsed.searchParams.set('tlsAllowInvalidHostnames', 'true');
  }
  return parsed.toString();
};
