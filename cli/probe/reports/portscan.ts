import type { PortscanMetadata } from '../../../domain/check/types/portscan.ts';
import { table } from '../../../service/output.ts';
import type { Report } from './report.ts';

type Host = PortscanMetadata['scan_results'][number];

/**
 * Formats a portscan run for a terminal: the host, a table of its open ports, the problems, and statistics of the scan.
 */
export const portscanReport: Report = ({ status, error_message, check_metadata }) => {
  const { scan_results, summary, vulnerabilities, notes, execution_time, truncated } =
    check_metadata as unknown as PortscanMetadata;
  return [
    error_message === null ? status : `${status}: ${error_message}`,
    ...scan_results.flatMap((host) => [
      '',
      `${nameOf(host)} is ${host.state}: ${counted(summary.total_open_ports, 'open port')} after ${execution_time} s`,
      ...tableOf(host, vulnerabilities),
    ]),
    ...vulnerabilities.flatMap(({ port, risk_level, description }) => [
      '',
      `${risk_level}: port ${port}`,
      `  ${description}`,
    ]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(truncated === true ? ['', 'Long lists and texts were truncated.'] : []),
  ];
};

const nameOf = ({ ip, hostname }: Host): string => (hostname === null ? ip : `${hostname} (${ip})`);

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

const tableOf = ({ open_ports: ports }: Host, vulnerabilities: PortscanMetadata['vulnerabilities']): string[] => {
  if (ports.length === 0) return [];
  const rows = ports.map(({ port, protocol, service, product, version, extrainfo }) => [
    `${port}/${protocol}`,
    service ?? '–',
    [product, version, extrainfo === null ? null : `(${extrainfo})`].filter((text) => text !== null).join(' ') || '–',
    // The most severe problem comes first.
    vulnerabilities.find((one) => one.port === port)?.risk_level ?? '',
  ]);
  return ['', ...table(['port', 'service', 'version', 'risk'], rows)];
};
