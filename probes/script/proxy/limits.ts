/** Limits of one run's connections. */
export interface ProxyLimits {
  /** total bytes to and from targets */
  bytes: number;
  /**
   * concurrent connections of the run to the proxy; further ones get an error response, and are not accepted beyond
   * twice as many
   */
  concurrentConnections: number;
  /** total number of connection attempts to targets */
  connections: number;
  /**
   * total number of connections to the proxy, requests and tunnels, including refused ones, since each costs time of a
   * shared process. The proxy closes after twice as many
   */
  requests: number;
  /** size of the head of a request or response, bytes */
  head: number;
  /** time limit for a name look-up and connecting together, milliseconds */
  connect: number;
  /** idle timeout of a connection, milliseconds */
  idleTimeout: number;
  /** concurrent name look-ups */
  lookups: number;
}

const MiB = 1_048_576;

/**
 * Chromium opens 32 connections to a proxy at most, and a modern page makes a few hundred requests. No run takes longer
 * than two minutes, so nothing waits for a connection that is idle for as long.
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
