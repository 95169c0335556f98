import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

/** An option of `uptrail probe` that sets a parameter of the check. */
export interface ParameterOption {
  /** as commander takes it: `--send-text <text>` */
  flags: string;
  /** the types that take it, and what it means */
  about: string;
  /** its path in `parameters` */
  path: readonly [string, ...string[]];
  /**
   * The value of the parameter, from the text and, where the option is repeated, its previous value. Absent: the value
   * is the text itself, or true.
   *
   * @throws InvalidArgumentError
   */
  read?: (text: string, previous: unknown) => unknown;
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
};

const number = (text: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number.');
};

const fileText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`The file can't be read: ${(error as Error).message}`);
  }
};

const headers = (header: string, previous: unknown): Record<string, string> => {
  const colon = header.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('A header is written "Name: value".');
  return { ...(previous as object), [header.slice(0, colon).trim()]: header.slice(colon + 1).trim() };
};

const listed = (text: string, previous: unknown): unknown[] => [...((previous ?? []) as unknown[]), text];

const ports = (text: string, previous: unknown): number[] => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a port number.');
  return [...((previous ?? []) as number[]), Number(text)];
};

/** Every parameter that has an option of its own; the others are given with `--parameters`. */
export const PARAMETER_OPTIONS: readonly ParameterOption[] = [
  {
    flags: '--method <method>',
    about: 'web, api: method of the request',
    path: ['http_request', 'method'],
    read: (text) => text.toUpperCase(),
  },
  {
    flags: '--header <header>',
    about: 'web, api: a header of the request as "Name: value"; may be repeated',
    path: ['http_request', 'headers'],
    read: headers,
  },
  { flags: '--body <text>', about: 'web, api: body of the request', path: ['http_request', 'body'] },
  { flags: '--search-text <text>', about: 'web, api, tcp: text that the answer must contain', path: ['search_text'] },
  { flags: '--send-text <text>', about: 'tcp: text to write to the socket', path: ['send_text'] },
  {
    flags: '--no-follow-redirects',
    about: 'web, api: a redirect is the last response',
    path: ['follow_redirects'],
  },
  { flags: '--tls', about: 'tcp: over TLS', path: ['tls'] },
  {
    flags: '--record-type <type>',
    about: 'dns: record type, such as MX; A by default',
    path: ['record_type'],
    read: (text) => text.toUpperCase(),
  },
  {
    flags: '--server <server>',
    about:
      "dns: server to ask, such as 192.0.2.53 or tls://dns.example.com; may be repeated; the system's servers by default",
    path: ['dns_servers'],
    read: listed,
  },
  {
    flags: '--expect <answer>',
    about: 'dns: an answer that must be there; may be repeated',
    path: ['expected_answers'],
    read: listed,
  },
  {
    flags: '--validation-mode <mode>',
    about: 'dns: contains_all, or exact to allow no other answers',
    path: ['validation_mode'],
  },
  { flags: '--whois', about: 'dns: also look up who registered the domain, and until when', path: ['whois_lookup'] },
  {
    flags: '--starttls <protocol>',
    about: 'ssl: protocol before TLS, such as smtp or imap, or "none"; chosen by the port by default',
    path: ['starttls'],
  },
  {
    flags: '--ca-certificate <file>',
    about: 'PEM file of certificates to trust instead of the usual ones',
    path: ['ca_certificate'],
    read: fileText,
  },
  { flags: '--count <n>', about: 'icmp: how many echo requests to send', path: ['probe_count'], read: number },
  {
    flags: '--interval <seconds>',
    about: 'icmp: time between two echo requests',
    path: ['probe_interval'],
    read: number,
  },
  {
    flags: '--probe-timeout <seconds>',
    about: 'icmp: time until an echo request counts as lost',
    path: ['probe_timeout'],
    read: number,
  },
  { flags: '--ip-version <version>', about: 'icmp: v4, v6 or auto', path: ['ip_version'] },
  {
    flags: '--max-packet-loss <percent>',
    about: 'icmp: how many echo requests may be lost',
    path: ['assertions', 'max_packet_loss'],
    read: number,
  },
  {
    flags: '--assertions <json>',
    about: 'parameters.assertions as JSON, such as {"status_codes": [200]} for web',
    path: ['assertions'],
    read: json,
  },
  {
    flags: '--ports <ports>',
    about: 'portscan: ports to scan, such as 22,80,8000-8100 or top-ports:1000',
    path: ['ports'],
  },
  {
    flags: '--scan-type <type>',
    about: 'portscan: syn, connect or udp; syn and udp need raw sockets',
    path: ['scan_type'],
  },
  {
    flags: '--no-service-detection',
    about: 'portscan: look for open ports only',
    path: ['service_detection'],
  },
  { flags: '--timing <template>', about: 'portscan: from T0 (slow and quiet) to T5 (fast)', path: ['timing'] },
  {
    flags: '--host-timeout <time>',
    about: 'portscan: how long the whole scan may take, such as 90s; 5m by default',
    path: ['host_timeout'],
  },
  { flags: '--record-video', about: 'synthetic: record a video of each page', path: ['record_video'] },
  // After --assertions, since these add to it.
  {
    flags: '--expected-port <port>',
    about: 'portscan: a port that must be open; may be repeated',
    path: ['assertions', 'expected_open_ports'],
    read: ports,
  },
  {
    flags: '--only-expected-ports',
    about: 'portscan: no other port may be open',
    path: ['assertions', 'only_expected_ports'],
  },
  {
    flags: '--fail-on-vulnerabilities',
    about: 'portscan: fail if something is open that should not be',
    path: ['assertions', 'fail_on_vulnerabilities'],
  },
  {
    flags: '--min-risk-level <level>',
    about: 'portscan: lowest risk that fails the check: critical, high, medium, low or info; medium by default',
    path: ['assertions', 'min_risk_level'],
  },
];

/** A JSON object. @throws InvalidArgumentError */
export const jsonObject = (text: string): Record<string, unknown> => {
  const value = json(text);
  if (value instanceof Object && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidArgumentError('It must be a JSON object.');
};

/** `NAME=value`, besides those before. @throws InvalidArgumentError */
export const namedValue = (text: string, previous: Record<string, string> = {}): Record<string, string> => {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]{0,99})=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('A variable is written NAME=value.');
  return { ...previous, [name]: value };
};
