import type { PortscanMetadata } from '../../domain/check/types/portscan.ts';
import { fitMetadata, type Cut } from '../engine/fit-metadata.ts';
import type { OpenPort } from './ports.ts';
import type { Vulnerability } from './vulnerabilities.ts';

/** Maximum size of the metadata as JSON, in bytes. */
const MOST = 64 * 1024;

export interface PortscanFindings {
  target: string;
  /** the scanned address; null if nothing was scanned */
  address: string | null;
  /** whether any port responded, open or closed */
  answered: boolean;
  open: readonly OpenPort[];
  vulnerabilities: readonly Vulnerability[];
  notes: readonly string[];
  /** duration of the scan, in milliseconds */
  took: number;
}

/** Composes the metadata of a scan's result. */
export const metadataOf = (findings: PortscanFindings): PortscanMetadata => {
  const { target, address, answered, open, vulnerabilities, notes, took } = findings;
  const ports = [...open].sort((a, b) => a.port - b.port).map(shown);
  const up = answered ? 1 : 0;
  const hosts = address === null ? 0 : 1;
  const hostname = target === address ? null : target;
  const metadata: PortscanMetadata = {
    target,
    execution_time: Math.round(took / 10) / 100,
    scan_results:
      address === null
        ? []
        : [{ ip: address, hostname, state: answered ? 'up' : 'down', open_ports: ports, os_matches: [] }],
    summary: { total_hosts: hosts, hosts_up: up, hosts_down: hosts - up, total_open_ports: open.length },
    vulnerabilities: [...vulnerabilities],
    notes: [...notes],
  };
  return fitMetadata(metadata, MOST, [withoutExtras, fewerVulnerabilities, fewerPorts]);
};

type Ports = PortscanMetadata['scan_results'][number]['open_ports'];

const shown = ({ port, protocol, service, version, product, extrainfo }: OpenPort): Ports[number] => ({
  port,
  protocol,
  service,
  version,
  product,
  extrainfo,
});

const withPorts = (metadata: PortscanMetadata, change: (ports: Ports) => Ports): PortscanMetadata => ({
  ...metadata,
  scan_results: metadata.scan_results.map((host) => ({ ...host, open_ports: change(host.open_ports) })),
});

/** Removes the extra information of services. */
const withoutExtras: Cut<PortscanMetadata> = (metadata) =>
  metadata.scan_results.some(({ open_ports }) => open_ports.some(({ extrainfo }) => extrainfo !== null))
    ? withPorts(metadata, (ports) => ports.map((port) => ({ ...port, extrainfo: null })))
    : metadata;

/** Removes the last tenth of a list. */
const fewer = <T>(list: readonly T[]): T[] => list.slice(0, Math.floor(list.length * 0.9));

/** Removes the least severe tenth of the vulnerabilities, if there are more than a hundred. */
const fewerVulnerabilities: Cut<PortscanMetadata> = (metadata) =>
  metadata.vulnerabilities.length > 100 ? { ...metadata, vulnerabilities: fewer(metadata.vulnerabilities) } : metadata;

/** Removes the highest ports; the summary still contains the total. */
const fewerPorts: Cut<PortscanMetadata> = (metadata) =>
  metadata.scan_results.some(({ open_ports }) => open_ports.length > 0) ? withPorts(metadata, fewer) : metadata;
