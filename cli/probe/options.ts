import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

/** An option of `uptrail probe` that sets a parameter of the check. */
export interface ParameterOption {
  /** the option in the syntax of commander: `--send-text <text>` */
  flags: string;
  /** the check types that accept the option, and its meaning */
  about: string;
  /** the path of the parameter in `parameters` */
  path: readonly [string, ...string[]];
  /**
   * Parses the value of the option. For an option that can be repeated, `previous` is the value so far. If this
   * function is absent, the parameter is the text itself, or true for an option without a value.
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
    throw new InvalidArgumentError(`Cannot read the file: ${(error as Error).message}`);
  }
};

const headers = (header: string, previous: unknown): Record<string, string> => {
  const colon = header.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('Write a header as "Name: value".');
  return { ...(previous as object), [header.slice(0, colon).trim()]: header.slice(colon + 1).trim() };
};

const listed = (text: string, previous: unknown): unknown[] => [...((previous ?? []) as unknown[]), text];

const ports = (text: string, previous: unknown): number[] => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a port number.');
  return [...((previous ?? []) as number[]), Number(text)];
};

/** All parameters that have an option of their own. The other parameters are set with `--parameters`. */
export const PARAMETER_OPTIONS: readonly ParameterOption[] = [
  {
    flags: '--method <method>',
    about: 'web, api: request method',
    path: ['http_request', 'method'],
    read: (text) => text.toUpperCase(),
  },
  {
    flags: '--header <header>',
    about: 'web, api: request header as "Name: value"; may be repeated',
    path: ['http_request', 'headers'],
    read: headers,
  },
  { flags: '--body <text>', about: 'web, api: request body', path: ['http_request', 'body'] },
  { flags: '--search-text <text>', about: 'web, api, tcp: text that the response must contain', path: ['search_text'] },
  { flags: '--send-text <text>', about: 'tcp: text to write to the socket', path: ['send_text'] },
  {
    flags: '--no-follow-redirects',
    about: 'web, api: do not follow redirects',
    path: ['follow_redirects'],
  },
  { flags: '--tls', about: 'tcp: use TLS', path: ['tls'] },
  {
    flags: '--record-type <type>',
    about: 'dns: record type, such as MX; default: A',
    path: ['record_type'],
    read: (text) => text.toUpperCase(),
  },
  {
    flags: '--server <server>',
    about:
      "dns: server to query, such as 192.0.2.53 or tls://dns.example.com; may be repeated; default: the system's servers",
    path: ['dns_servers'],
    read: listed,
  },
  {
    flags: '--expect <answer>',
    about: 'dns: an answer that must be present; may be repeated',
    path: ['expected_answers'],
    read: listed,
  },
  {
    flags: '--validation-mode <mode>',
    about: 'dns: contains_all, or exact to allow no other answers',
    path: ['validation_mode'],
  },
  { flags: '--whois', about: 'dns: also look up the domain’s registration and expiry date', path: ['whois_lookup'] },
  {
    flags: '--starttls <protocol>',
    about: 'ssl: protocol before TLS, such as smtp or imap, or "none"; default: chosen by port',
    path: ['starttls'],
  },
  {
    flags: '--ca-certificate <file>',
    about: 'PEM file of certificates to trust instead of the system’s',
    path: ['ca_certificate'],
    read: fileText,
  },
  { flags: '--count <n>', about: 'icmp: number of echo requests', path: ['probe_count'], read: number },
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
    about: 'icmp: percentage of echo requests that may be lost',
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
    about: 'portscan: report only open ports',
    path: ['service_detection'],
  },
  { flags: '--timing <template>', about: 'portscan: from T0 (slow and quiet) to T5 (fast)', path: ['timing'] },
  {
    flags: '--host-timeout <time>',
    about: 'portscan: time limit of the whole scan, such as 90s; default: 5m',
    path: ['host_timeout'],
  },
  { flags: '--record-video', about: 'synthetic: record a video of each page', path: ['record_video'] },
  // These options come after --assertions, because they extend the object that --assertions sets.
  {
    flags: '--expected-port <port>',
    about: 'portscan: a port that must be open; may be repeated',
    path: ['assertions', 'expected_open_ports'],
    read: ports,
  },
  {
    flags: '--only-expected-ports',
    about: 'portscan: fail if any other port is open',
    path: ['assertions', 'only_expected_ports'],
  },
  {
    flags: '--fail-on-vulnerabilities',
    about: 'portscan: fail if an unexpected port is open',
    path: ['assertions', 'fail_on_vulnerabilities'],
  },
  {
    flags: '--min-risk-level <level>',
    about: 'portscan: lowest risk level that fails the check: critical, high, medium, low or info; default: medium',
    path: ['assertions', 'min_risk_level'],
  },
];

/** Parses a JSON object. @throws InvalidArgumentError */
export const jsonObject = (text: string): Record<string, unknown> => {
  const value = json(text);
  if (value instanceof Object && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidArgumentError('It must be a JSON object.');
};

/** Parses `NAME=value` and adds it to the previous variables. @throws InvalidArgumentError */
export const namedValue = (text: string, previous: Record<string, string> = {}): Record<string, string> => {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]{0,99})=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write a variable as NAME=value.');
  return { ...previous, [name]: value };
};
