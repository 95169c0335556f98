import { isIPv6 } from 'node:net';
import type { PortscanParameters } from '../../domain/check/types/portscan.ts';

/** How ports are asked: by half a TCP handshake, by a whole one, by UDP. */
export type Way = 'syn' | 'connect' | 'udp';

/** What a call of nmap scans. */
export interface Scan {
  address: string;
  way: Way;
  parameters: PortscanParameters;
  /** when nmap gives the host up by itself, whole milliseconds */
  timeLeft: number;
}

/** Only `connect` can do without raw sockets. As root nmap would open them anyway, as others it would not even try. */
const WAYS: Readonly<Record<Way, readonly string[]>> = {
  syn: ['-sS', '--privileged'],
  connect: ['-sT', '--unprivileged'],
  udp: ['-sU', '--privileged'],
};

/** These send one probe at a time, whatever else is said; nmap ends where it is told both. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['T0', 'T1', 'T2']);

/**
 * Nothing is looked up, and a host that answers no ping is scanned too. Every word is one of ours, a number, or was
 * held to a pattern by the schema of the parameters.
 */
const common = ({ way, address, parameters, timeLeft }: Scan): string[] => {
  const { timing = 'T3', min_parallelism: parallelism = 100, max_rtt_timeout: slowest } = parameters;
  return [
    ...['-n', '-Pn', '--disable-arp-ping', ...WAYS[way], `-${timing}`],
    ...['--host-timeout', `${Math.max(1, Math.round(timeLeft)).toString()}ms`],
    ...(ONE_AT_A_TIME.has(timing) ? [] : ['--min-parallelism', parallelism.toString()]),
    ...(slowest === undefined ? [] : ['--max-rtt-timeout', slowest]),
    ...(isIPv6(address) ? ['-6'] : []),
  ];
};

/** The ports of the check, told one by one as they are found open (read by discovery.ts). */
export const findingPorts = (scan: Scan): string[] => {
  const { ports = 'top-ports:100' } = scan.parameters;
  const [top, count] = ports.split(':');
  const which = count === undefined ? ['-p', ports] : [`--${top ?? ''}`, count];
  return [...common(scan), '-v', ...which, '--', scan.address];
};

/** A few ports again, each with its state and what serves it, as XML (read by report.ts). */
export const lookingCloser = (scan: Scan, ports: readonly number[], detecting: boolean): string[] => [
  ...common(scan),
  ...(detecting ? ['-sV'] : []),
  ...['-oX', '-', '-p', ports.join(','), '--', scan.address],
];
