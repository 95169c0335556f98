import { isIPv6 } from 'node:net';
import type { PortscanParameters } from '../../domain/check/types/portscan.ts';

/** How ports are probed: half-open TCP, full TCP connection, or UDP. */
export type ScanMethod = 'syn' | 'connect' | 'udp';

/** The parameters of one nmap call. */
export interface NmapScan {
  address: string;
  /** ports to exclude, although the check may request them */
  excludedPorts: readonly number[];
  method: ScanMethod;
  parameters: PortscanParameters;
  /** time limit for the host, whole milliseconds */
  timeLeft: number;
}

/** Only `connect` works without raw sockets. nmap opens those anyway as root, and doesn't try as another user. */
const WAYS: Readonly<Record<ScanMethod, readonly string[]>> = {
  syn: ['-sS', '--privileged'],
  connect: ['-sT', '--unprivileged'],
  udp: ['-sU', '--privileged'],
};

/** These timings send one probe at a time, and can't be combined with a parallelism. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['T0', 'T1', 'T2']);

/**
 * No name look-ups, and no host discovery: a host that ignores pings is scanned too. Every argument is a constant, a
 * number, or was validated by the schema of the parameters.
 */
const common = ({ method, address, parameters, timeLeft }: NmapScan): string[] => {
  const { timing = 'T3', min_parallelism: parallelism = 100, max_rtt_timeout: slowest } = parameters;
  return [
    ...['-n', '-Pn', '--disable-arp-ping', ...WAYS[method], `-${timing}`],
    ...['--host-timeout', `${Math.max(1, Math.round(timeLeft))}ms`],
    ...(ONE_AT_A_TIME.has(timing) ? [] : ['--min-parallelism', parallelism.toString()]),
    ...(slowest === undefined ? [] : ['--max-rtt-timeout', slowest]),
    ...(isIPv6(address) ? ['-6'] : []),
  ];
};

/** Scans the ports of the check and reports open ones as they are found (parsed by discovery.ts). */
export const discoveryArguments = (scan: NmapScan): string[] => {
  const { ports = 'top-ports:100' } = scan.parameters;
  const [top, count] = ports.split(':');
  const which = count === undefined ? ['-p', ports] : [`--${top ?? ''}`, count];
  const except = scan.excludedPorts.length === 0 ? [] : ['--exclude-ports', scan.excludedPorts.join(',')];
  return [...common(scan), '-v', ...which, ...except, '--', scan.address];
};

/** Scans a few ports again and reports each one's state and service as XML (parsed by report.ts). */
export const serviceDetectionArguments = (scan: NmapScan, ports: readonly number[], detecting: boolean): string[] => [
  ...common(scan),
  ...(detecting ? ['-sV'] : []),
  ...['-oX', '-', '-p', ports.join(','), '--', scan.address],
];
