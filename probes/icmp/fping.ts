import type { Plan } from './plan.ts';

/** What became of one echo request. */
export interface Probed {
  address: string;
  /** counted from 0 */
  probe: number;
  /** milliseconds; null: it was lost */
  latency: number | null;
}

/** A router's reason, sent by ICMP, why requests to an address are lost. */
export interface Refusal {
  address: string;
  router: string;
  /** `Host Unreachable`, `Time Exceeded` */
  words: string;
}

/** Milliseconds between two packets of one process. */
const PACE_MS = 1;

/** How many addresses one process can send to at this plan's interval, with time to spare. */
export const mostAddresses = ({ count, interval }: Plan): number =>
  count === 1 ? 100 : Math.min(100, Math.max(1, Math.floor(interval / PACE_MS / 2)));

/**
 * The arguments for fping to send to addresses of one family.
 *
 * `-S` names the default source: without it, fping 5.1 (Debian 12) does not ask the system for the number of its ping
 * socket, and does not recognise its answers (https://github.com/schweikert/fping/issues/248).
 */
export const argumentsOf = (
  family: 4 | 6,
  { count, interval, timeout }: Plan,
  addresses: readonly string[],
): string[] => [
  ...(family === 4 ? ['-4', '-S', '0.0.0.0'] : ['-6', '-S', '::']),
  ...['-c', count.toString(), '-p', interval.toString(), '-t', timeout.toString(), '-i', PACE_MS.toString()],
  '--',
  ...addresses,
];

/** `10.0.0.1 : [0], 64 bytes, 0.034 ms (0.034 avg, 0% loss)`, `10.0.0.1 : [1], timed out (0.034 avg, 50% loss)` */
const PROBED = /^(\S+) +: \[(\d+)\], (?:\d+ bytes, ([\d.e+-]+) ms|timed out) /;

/** `ICMP Host Unreachable from 10.0.0.254 for ICMP Echo sent to 10.0.0.1` */
const REFUSED = /ICMP ([\w ()-]{1,60}) from (\S+) for ICMP Echo sent to (\S+)/;

/** A line of fping's standard output. */
export const readProbed = (line: string): Probed | null => {
  const [, address, probe, latency] = PROBED.exec(line) ?? [];
  if (address === undefined) return null;
  return { address, probe: Number(probe), latency: latency === undefined ? null : Number(latency) };
};

/** A line of its standard error. */
export const readRefusal = (line: string): Refusal | null => {
  const [, words, router, address] = REFUSED.exec(line) ?? [];
  return words === undefined || router === undefined || address === undefined ? null : { address, router, words };
};

/** Passes on whole lines of a text that comes in pieces cut anywhere. */
export const byLine = (onLine: (line: string) => void): ((text: string) => void) => {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  };
};
