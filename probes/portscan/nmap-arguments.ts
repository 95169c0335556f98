import { isIPv6 } from 'node:net';
import type { PortscanParameters } from '../../domain/check/types/portscan.ts';

/** How ports are probed: half-open TCP, full TCP connection, or UDP. */
export type ScanMethod = 'syn' | 'connect' | 'udp';

/** The parameters of one nmap call. */
export interface NmapScan {
  address: string;
  /** ports that are not scanned even if the check names them */
  excludedPorts: readonly number[];
  method: ScanMethod;
  parameters: PortscanParameters;
  /** time limit of the scan, in milliseconds */
  timeLeft: number;
}

/**
 * The options of each scan method. `syn` and `udp` need raw sockets. The second option tells nmap whether to use raw
 * sockets; by default, it uses them if and only if it runs as root.
 */
const WAYS: Readonly<Record<ScanMethod, readonly string[]>> = {
  syn: ['-sS', '--privileged'],
  connect: ['-sT', '--unprivileged'],
  udp: ['-sU', '--privileged'],
};

/** The nmap timings that send one probe at a time. They can't be combined with `--min-parallelism`. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['T0', 'T1', 'T2']);

/**
 * Returns the arguments that discovery and service detection have in common. nmap looks up no names and does no host
 * discovery, so that a host that ignores pings is scanned too. Every argument is a constant, a number, or was validated
 * by the schema of the parameters.
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

/** Returns the arguments to scan the ports of the check. nmap prints open ports during the scan (see discovery.ts). */
export const discoveryArguments = (scan: NmapScan): string[] => {
  const { ports = 'top-ports:100' } = scan.parameters;
  const [top, count] = ports.split(':');
  const which = count === undefined ? ['-p', ports] : [`--${top ?? ''}`, count];
  const except = scan.excludedPorts.length === 0 ? [] : ['--exclude-ports', scan.excludedPorts.join(',')];
  return [...common(scan), '-v', ...which, ...except, '--', scan.address];
};

/** Returns the arguments to scan some ports again and to report their states and services as XML (see report.ts). */
export const serviceDetectionArguments = (scan: NmapScan, ports: readonly number[], detecting: boolean): string[] => [
  ...common(scan),
  ...(detecting ? ['-sV'] : []),
  ...['-oX', '-', '-p', ports.join(','), '--', scan.address],
];
