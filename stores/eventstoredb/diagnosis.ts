import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatEndpoint, diagnoseConnection, type Endpoint, type ServerProfile } from '../connection-diagnosis.ts';
import type { ConnectionString } from './connection-string.ts';

/** Environment variables that make gRPC use a proxy. */
const PROXIES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/** The outcome of attempts to discover a cluster's leader. */
export interface ClusterDiscovery {
  /** the node that was most recently discovered as leader; null if no leader was ever discovered */
  node: Endpoint | null;
  /** whether the most recent discovery failed */
  undiscovered: boolean;
}

/**
 * Finds out why the client has no connection. The client library's own errors contain few details, and none if it tries
 * several hosts.
 *
 * @returns sentences for operators; null if no cause is found
 */
export const diagnose = async (
  connectionString: ConnectionString,
  { node, undiscovered }: ClusterDiscovery,
  lookup?: LookupFunction,
): Promise<string | null> => {
  const { hosts } = connectionString;
  const reaching = profileOf(connectionString, lookup);
  const isNamed = node !== null && hosts.some((host) => formatEndpoint(host) === formatEndpoint(node));
  const [ofHosts, ofNode] = await Promise.all([
    Promise.all(hosts.map((host) => diagnoseConnection(host, reaching))),
    node && !isNamed ? diagnoseConnection(node, reaching) : null,
  ]);
  const troubles = ofHosts.filter((trouble) => trouble !== null);
  if (ofNode !== null) troubles.push(`${ofNode} The cluster names that address as its leader's.`);
  if (troubles.length > 0) return troubles.join(' ');
  const proxy = PROXIES.find((name) => process.env[name]);
  if (proxy !== undefined) {
    return `Connections to EventStoreDB go through the proxy that ${proxy} names; no_proxy excludes hosts.`;
  }
  return undiscovered
    ? `${hosts.map(formatEndpoint).join(', ')} can be reached, but none of them names a ready node of the cluster.`
    : null;
};

const profileOf = ({ tls, files }: ConnectionString, lookup: LookupFunction | undefined): ServerProfile => ({
  variable: 'EVENTSTOREDB_URL',
  server: 'EventStoreDB',
  tls: tls
    ? {
        ca: contentOf(files.authority),
        cert: contentOf(files.certificate),
        key: contentOf(files.key),
        protocols: ['h2'],
      }
    : null,
  speaksProtocol: speaksHttp2,
  lookup,
});

const contentOf = (file: string | undefined): Buffer | undefined =>
  file === undefined ? undefined : readFileSync(file);

/** Returns whether the peer speaks HTTP/2, which gRPC uses. */
const speaksHttp2 = (socket: Duplex): Promise<boolean> =>
  new Promise((resolve) => {
    const session = connectHttp2('http://eventstoredb', { createConnection: () => socket });
    session.on('remoteSettings', () => {
      resolve(true);
      session.destroy();
    });
    session.on('error', () => {
      resolve(false);
    });
    session.on('close', () => {
      resolve(false);
    });
  });
