import type { Fields } from '../../../configuration/model.ts';
import { hostOf, portOf, serverOf } from '../../url.ts';
import { isRow, json, number, text } from '../../rows.ts';
import type { Draft, Monitor, MonitorMapping } from './draft.ts';
import { timeLimitOf } from './time-limit.ts';

const DEFAULT_PACKET_SIZE = 56;

/** Returns the host of a monitor, or null with a remark if it has none. */
export const hostNameOf = ({ row, name, remarks }: Monitor): string | null => {
  const host = hostOf(text(row, 'hostname'));
  if (host === null) remarks.about(name, 'was not imported, because it names no host.');
  return host;
};

/** Returns a check that connects to a port. */
export const tcpDraft = (
  monitor: Monitor,
  { host, port }: { host: string; port: number },
  parameters: Fields = {},
): Draft => ({ type: 'tcp', host, port, timeout: timeLimitOf(monitor), parameters });

/** Maps a monitor of the type `port`. */
export const port: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const host = hostNameOf(monitor);
  if (host === null) return null;
  const number = portOf(row['port']);
  if (number === null) {
    remarks.about(name, 'was not imported, because it names no port.');
    return null;
  }
  const security = text(row, 'smtp_security');
  if (security === 'starttls' || !['', 'none'].includes(text(row, 'expected_tls_alert'))) {
    remarks.about(name, 'only connects to the port. An ssl check examines TLS, also after STARTTLS.');
  }
  return tcpDraft(monitor, { host, port: number }, security === 'secure' ? { tls: true } : {});
};

/** Maps a monitor of the type `ping`. */
export const ping: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const host = hostNameOf(monitor);
  if (host === null) return null;
  if (![null, 0, DEFAULT_PACKET_SIZE].includes(number(row, 'packet_size'))) {
    remarks.about(name, 'sends packets of the usual size; their size cannot be set.');
  }
  return icmpDraft(monitor, host);
};

/** Returns a check that sends echo requests. One answer is enough, as for Uptime Kuma. */
export const icmpDraft = (monitor: Monitor, host: string): Draft => {
  const count = number(monitor.row, 'ping_count') ?? 1;
  const wait = number(monitor.row, 'ping_per_request_timeout') ?? 0;
  const version = { ipv4: 'v4', ipv6: 'v6' }[text(monitor.row, 'ip_family')];
  return {
    type: 'icmp',
    host,
    timeout: timeLimitOf(monitor),
    parameters: {
      probe_count: Math.min(100, Math.max(1, Math.round(count))),
      ...(wait > 0 && { probe_timeout: Math.min(30, Math.max(0.1, wait)) }),
      ...(version !== undefined && { ip_version: version }),
    },
  };
};

const RECORD_TYPES = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT']);
const MAX_SERVERS = 10;
const DNS_PORT = 53;

/** Maps a monitor of the type `dns`. */
export const dns: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const host = hostNameOf(monitor);
  if (host === null) return null;
  const type = text(row, 'dns_resolve_type').toUpperCase() || 'A';
  if (!RECORD_TYPES.has(type)) {
    remarks.about(name, `was not imported, because Uptrail looks up no records of its type.`);
    return null;
  }
  const servers = dnsServersOf(monitor);
  const expected = expectedAnswersOf(monitor);
  return {
    type: 'dns',
    host,
    timeout: timeLimitOf(monitor),
    parameters: {
      record_type: type,
      ...(servers.length > 0 && { dns_servers: servers }),
      ...(expected !== null && expected.length > 0 && { expected_answers: expected }),
    },
    ...(expected === null && { paused: true }),
  };
};

const dnsServersOf = ({ row }: Monitor): string[] => {
  const defaultPort = portOf(row['port']) ?? DNS_PORT;
  return text(row, 'dns_resolve_server')
    .split(',')
    .flatMap((entry) => {
      const server = serverOf(entry);
      const host = server?.host ?? hostOf(entry);
      if (host === null) return [];
      const number = server?.port ?? defaultPort;
      const address = host.includes(':') ? `[${host}]` : host;
      return [number === DNS_PORT ? host : `${address}:${number}`];
    })
    .slice(0, MAX_SERVERS);
};

/**
 * Maps conditions on the records. Returns null if one of them cannot be mapped: only "a record equals a text" can, and
 * conditions joined by "and".
 */
const expectedAnswersOf = ({ row, name, remarks }: Monitor): string[] | null => {
  const conditions = json(row, 'conditions');
  if (!Array.isArray(conditions)) return [];
  const answers = conditions.map((condition: unknown, index) =>
    isRow(condition) &&
    text(condition, 'type') === 'expression' &&
    text(condition, 'variable') === 'record' &&
    text(condition, 'operator') === 'equals' &&
    (index === 0 || text(condition, 'andOr') !== 'or')
      ? text(condition, 'value')
      : null,
  );
  if (answers.every((answer) => answer !== null)) return answers.filter((answer) => answer !== '').slice(0, 100);
  remarks.about(
    name,
    'was imported paused without its conditions. A dns check compares whole answers: list them in expected_answers.',
  );
  return null;
};
