/** Limits on the connections of one run. */
export interface ProxyLimits {
  /** total number of bytes to and from targets */
  bytes: number;
  /**
   * maximum number of concurrent connections of the run to the proxy. Further connections receive an error response. If
   * there are more than twice this number, connections are closed without an error response.
   */
  concurrentConnections: number;
  /** maximum number of connection attempts to targets */
  connections: number;
  /**
   * maximum total number of connections to the proxy, requests and tunnels. Refused connections and requests count too,
   * because each costs time of a shared process. After twice this number, the proxy closes.
   */
  requests: number;
  /** maximum size of the head of a request or response, in bytes */
  head: number;
  /** time limit for the name look-up and connecting together, in milliseconds */
  connect: number;
  /** idle timeout of a connection, in milliseconds */
  idleTimeout: number;
  /** maximum number of concurrent name look-ups */
  lookups: number;
}

const MiB = 1_048_576;

/**
 * The default limits. For comparison: Chromium opens at most 32 connections to a proxy, and a modern page makes a few
 * hundred requests. The idle timeout is the maximum duration of a run.
 */
export const PROXY_LIMITS: ProxyLimits = {
  bytes: 100 * MiB,
  concurrentConnections: 256,
  connections: 5_000,
  requests: 20_000,
  head: 65_536,
  connect: 15_000,
  idleTimeout: 120_000,
  lookups: 8,
};
