import type { PingPlan } from './plan.ts';

/** The outcome of one echo request. */
export interface EchoResult {
  address: string;
  /** index from 0 */
  probe: number;
  /** round-trip time, in milliseconds; null if the request was lost */
  latency: number | null;
}

/** An ICMP error of a router, which explains why requests to an address are lost. */
export interface IcmpError {
  address: string;
  router: string;
  /** `Host Unreachable`, `Time Exceeded` */
  words: string;
}

/** Interval between two packets of one fping process, in milliseconds. */
const PACE_MS = 1;

/**
 * Returns the maximum number of addresses for one fping process. Sending one packet to each address must take at most
 * half of the plan's interval.
 */
export const mostAddresses = ({ count, interval }: PingPlan): number =>
  count === 1 ? 100 : Math.min(100, Math.max(1, Math.floor(interval / PACE_MS / 2)));

/**
 * Returns the arguments for fping to ping addresses of one family.
 *
 * `-S` sets the default source address. Without this option, fping 5.1 (Debian 12) does not recognise the replies to
 * its requests, because it does not query the number of its ping socket
 * (https://github.com/schweikert/fping/issues/248).
 */
export const argumentsOf = (
  family: 4 | 6,
  { count, interval, timeout }: PingPlan,
  addresses: readonly string[],
): string[] => [
  ...(family === 4 ? ['-4', '-S', '0.0.0.0'] : ['-6', '-S', '::']),
  ...['-c', count.toString(), '-p', interval.toString(), '-t', timeout.toString(), '-i', PACE_MS.toString()],
  '--',
  ...addresses,
];

/**
 * Matches `10.0.0.1 : [0], 64 bytes, 0.034 ms (0.034 avg, 0% loss)` and
 * `10.0.0.1 : [1], timed out (0.034 avg, 50% loss)`.
 */
const PROBED = /^(\S+) +: \[(\d+)\], (?:\d+ bytes, ([\d.e+-]+) ms|timed out) /;

/** Matches `ICMP Host Unreachable from 10.0.0.254 for ICMP Echo sent to 10.0.0.1` */
const REFUSED = /ICMP ([\w ()-]{1,60}) from (\S+) for ICMP Echo sent to (\S+)/;

/** Parses a line of fping's standard output. */
export const parseEchoResult = (line: string): EchoResult | null => {
  const [, address, probe, latency] = PROBED.exec(line) ?? [];
  if (address === undefined) return null;
  return { address, probe: Number(probe), latency: latency === undefined ? null : Number(latency) };
};

/** Parses a line of fping's standard error. */
export const parseIcmpError = (line: string): IcmpError | null => {
  const [, words, router, address] = REFUSED.exec(line) ?? [];
  return words === undefined || router === undefined || address === undefined ? null : { address, router, words };
};

/** Splits text that arrives in pieces of any size into lines. */
export const byLine = (onLine: (line: string) => void): ((text: string) => void) => {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  };
};
