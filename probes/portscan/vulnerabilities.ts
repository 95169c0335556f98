import type { PortscanMetadata } from '../../domain/check/types/portscan.ts';
import { RISK_LEVELS, type RiskLevel } from '../../domain/check/types/portscan-risk.ts';
import type { OpenPort } from './ports.ts';
import { ENDED_VERSIONS, SERVICE_RULES, type EndedVersions, type ServiceRule } from './risks.ts';

export type Vulnerability = PortscanMetadata['vulnerabilities'][number];

const FROM_WORST = new Map(RISK_LEVELS.map((level, index) => [level, index]));
const badness = (level: RiskLevel): number => -(FROM_WORST.get(level) ?? RISK_LEVELS.length);

/** Returns whether a risk level is `least` or higher. */
export const isAtLeast = (level: RiskLevel, least: RiskLevel): boolean => badness(level) >= badness(least);

/**
 * Returns the vulnerabilities of open ports, the worst first.
 *
 * @param now milliseconds since 1970, to determine which versions are no longer supported
 */
export const vulnerabilitiesOf = (ports: readonly OpenPort[], now: number): Vulnerability[] => {
  const today = new Date(now).toISOString().slice(0, 10);
  const found = ports.flatMap((port) => [...exposed(port), ...ended(port, today)]);
  return found.sort((a, b) => badness(b.risk_level) - badness(a.risk_level) || a.port - b.port);
};

const vulnerability = (port: OpenPort, risk_level: RiskLevel, description: string): Vulnerability => ({
  port: port.port,
  service: port.service,
  risk_level,
  description,
  detected_version: namedBy(port) || null,
});

/** Returns the product and version of a service: `OpenSSH 9.2p1`; empty if nothing is known. */
const namedBy = ({ product, version }: OpenPort): string =>
  [product, version].filter((text) => text !== null).join(' ');

/** Returns a vulnerability if the service on a port should not be open. */
const exposed = (port: OpenPort): Vulnerability[] => {
  const rule = SERVICE_RULES.find((one) => fits(one, port));
  if (!rule) return [];
  const is = isKnown(port) ? 'is open.' : 'usually uses this port; the service that is open here was not recognised.';
  return [vulnerability(port, rule.risk, `${rule.name} ${is} ${rule.advice}`)];
};

/**
 * Returns whether nmap recognised the service. A service that nmap recognised only as HTTP does not count, because nmap
 * does not distinguish etcd and the kubelet from other HTTP servers written in Go.
 */
const isKnown = ({ recognised, service, product }: OpenPort): boolean =>
  recognised && !(/^(?:ssl\/)?https?$/.test(service ?? '') && /^(?:Golang net\/http server|$)/.test(product ?? ''));

const fits = ({ protocol, ports, services, product, extrainfo, answers }: ServiceRule, port: OpenPort): boolean => {
  if (protocol && protocol !== port.protocol) return false;
  if (!isKnown(port)) return ports?.includes(port.port) ?? false;
  return (
    services.includes(port.service ?? '') &&
    (!product || product.test(namedBy(port))) &&
    (!extrainfo || extrainfo.test(port.extrainfo ?? '')) &&
    (answers !== true || port.version !== null)
  );
};

/** Returns a vulnerability if the version on a port receives no more fixes. */
const ended = (port: OpenPort, today: string): Vulnerability[] => {
  const product = ENDED_VERSIONS.find(
    (one) => one.product.test(port.product ?? '') && (!one.version || one.version.test(port.version ?? '')),
  );
  if (!product) return [];
  const numbers = numbersOf(product, port);
  const end = numbers && endOf(product, numbers);
  if (!end || today <= end.day) return [];
  const words = `${product.name} ${end.version} has had no security fixes from its developers since ${end.day}`;
  const advice = 'Upgrade to a maintained version, unless your distribution still patches this one';
  return [vulnerability(port, 'medium', `${words}. ${advice}.`)];
};

/** Returns the leading numbers of a version; null if nmap is unsure (`9.6.0 or later`, `3.X - 4.X`). */
const numbersOf = ({ product }: EndedVersions, port: OpenPort): number[] | null => {
  const text = product.exec(port.product ?? '')?.[1] ?? port.version ?? '';
  if (/ or later| - |X/i.test(text)) return null;
  // MariaDB writes `5.5.5-` before its version, for the sake of old clients.
  const [, version] = /^(?:5\.5\.5-(?=\d))?(\d{1,4}(?:\.\d{1,4})*)/.exec(text) ?? [];
  return version === undefined ? null : version.split('.').map(Number);
};

/** Returns the day on which support of a version ends, and the name of its series; null if unknown. */
const endOf = ({ ended }: EndedVersions, version: readonly number[]): { version: string; day: string } | null => {
  const known = ended.find(([series]) => compare(version, series) === 0);
  if (known) return { version: known[0], day: known[1] };
  const [first, day] = ended[0] ?? ['0', ''];
  return compare(version, first) < 0 ? { version: version.slice(0, 2).join('.'), day } : null;
};

/** Compares the beginning of a version with a series. Returns 0 for version 8.5.3 and series `8.5`. */
const compare = (version: readonly number[], series: string): number => {
  for (const [index, number] of series.split('.').map(Number).entries()) {
    const difference = (version[index] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
};
