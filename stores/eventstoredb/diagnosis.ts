import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { placeOf, troubleWith, type Endpoint, type Reaching } from '../connection-trouble.ts';
import type { ConnectionString } from './connection-string.ts';

/** Variables by which gRPC is led through a proxy. */
const PROXIES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/** What is known of a cluster whose nodes are asked who leads them. */
export interface Discovery {
  /** the one that was named last, where one was */
  node: Endpoint | null;
  /** whether none was named this time */
  undiscovered: boolean;
}

/**
 * Finds out why the client has no connection, of which it says little, and nothing where it asks several hosts.
 *
 * @returns sentences for operators; null when nothing is found to be wrong
 */
export const diagnose = async (
  connectionString: ConnectionString,
  { node, undiscovered }: Discovery,
  lookup?: LookupFunction,
): Promise<string | null> => {
  const { hosts } = connectionString;
  const reaching = reachingOf(connectionString, lookup);
  const isNamed = node !== null && hosts.some((host) => placeOf(host) === placeOf(node));
  const [ofHosts, ofNode] = await Promise.all([
    Promise.all(hosts.map((host) => troubleWith(host, reaching))),
    node && !isNamed ? troubleWith(node, reaching) : null,
  ]);
  const troubles = ofHosts.filter((trouble) => trouble !== null);
  if (ofNode !== null) troubles.push(`${ofNode} The cluster names that address as the one of its leader.`);
  if (troubles.length > 0) return troubles.join(' ');
  const proxy = PROXIES.find((name) => process.env[name]);
  if (proxy !== undefined) {
    return `Connections to EventStoreDB go through the proxy that ${proxy} names; no_proxy leaves hosts out.`;
  }
  return undiscovered
    ? `${hosts.map(placeOf).join(', ')} can be reached, but none names a node of the cluster that is ready.`
    : null;
};

const reachingOf = ({ tls, files }: ConnectionString, lookup: LookupFunction | undefined): Reaching => ({
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
  speaks: speaksHttp2,
  lookup,
});

const contentOf = (file: string | undefined): Buffer | undefined =>
  file === undefined ? undefined : readFileSync(file);

/** Whether the other end begins a connection of HTTP/2, which is what gRPC speaks. */
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
