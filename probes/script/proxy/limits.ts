/** What the connections of one run may take. */
export interface ProxyLimits {
  /** to and from targets together, bytes */
  bytes: number;
  /** connections of the run to the proxy that are open at once; more are told so, and twice as many are not taken */
  atOnce: number;
  /** connections to targets that are tried in all */
  connections: number;
  /**
   * connections to the proxy, requests and tunnels in all, those that were refused included: each costs time of a
   * process that others share. After twice as many the proxy closes
   */
  requests: number;
  /** the head of a request or of an answer, bytes */
  head: number;
  /** how long looking a name up and connecting may take together, milliseconds */
  connect: number;
  /** how long a connection may be silent, milliseconds */
  idle: number;
  /** names that are looked up at once */
  lookups: number;
}

const MiB = 1_048_576;

/**
 * Chromium opens 32 connections to a proxy at most, and a page of today makes a few hundred requests. No run takes longer
 * than two minutes, so a connection that is silent for as long is not waited for by anybody.
 */
export const PROXY_LIMITS: ProxyLimits = {
  bytes: 100 * MiB,
  atOnce: 256,
  connections: 5_000,
  requests: 20_000,
  head: 65_536,
  connect: 15_000,
  idle: 120_000,
  lookups: 8,
};
