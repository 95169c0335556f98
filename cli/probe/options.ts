import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

/** An option of `uptrail probe` that sets a parameter of the check. */
export interface ParameterOption {
  /** as commander takes it: `--send-text <text>` */
  flags: string;
  /** the types that take it, and what it says */
  about: string;
  /** where it stands in `parameters`, from the top */
  path: readonly [string, ...string[]];
  /**
   * The value of the parameter, from the text and from what the option said before where it is repeated; the text
   * itself without it, or true.
   *
   * @throws InvalidArgumentError
   */
  read?: (text: string, former: unknown) => unknown;
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

const headers = (header: string, former: unknown): Record<string, string> => {
  const colon = header.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('A header is written "Name: value".');
  return { ...(former as object), [header.slice(0, colon).trim()]: header.slice(colon + 1).trim() };
};

const listed = (text: string, former: unknown): unknown[] => [...((former ?? []) as unknown[]), text];

const ports = (text: string, former: unknown): number[] => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be the number of a port.');
  return [...((former ?? []) as number[]), Number(text)];
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
  { flags: '--search-text <text>', about: 'web, api, tcp: must be in the answer', path: ['search_text'] },
  { flags: '--send-text <text>', about: 'tcp: written to the socket', path: ['send_text'] },
  {
    flags: '--no-follow-redirects',
    about: 'web, api: a redirect is the last response',
    path: ['follow_redirects'],
  },
  { flags: '--tls', about: 'tcp: over TLS', path: ['tls'] },
  {
    flags: '--record-type <type>',
    about: 'dns: type of the records, such as MX; A without it',
    path: ['record_type'],
    read: (text) => text.toUpperCase(),
  },
  {
    flags: '--server <server>',
    about:
      "dns: whom to ask, such as 192.0.2.53 or tls://dns.example.com; may be repeated; the system's servers without it",
    path: ['dns_servers'],
    read: listed,
  },
  {
    flags: '--expect <answer>',
    about: 'dns: must be among the answers; may be repeated',
    path: ['expected_answers'],
    read: listed,
  },
  {
    flags: '--validation-mode <mode>',
    about: 'dns: contains_all, or exact if there may be no other answers',
    path: ['validation_mode'],
  },
  { flags: '--whois', about: 'dns: also tell who has registered the domain, and until when', path: ['whois_lookup'] },
  {
    flags: '--starttls <protocol>',
    about: 'ssl: spoken before TLS begins, such as smtp or imap; by the port otherwise, none if it is "none"',
    path: ['starttls'],
  },
  {
    flags: '--ca-certificate <file>',
    about: 'certificates in PEM that are trusted instead of the usual ones',
    path: ['ca_certificate'],
    read: fileText,
  },
  { flags: '--count <n>', about: 'icmp: how many echo requests are sent', path: ['probe_count'], read: number },
  { flags: '--interval <seconds>', about: 'icmp: between two of them', path: ['probe_interval'], read: number },
  {
    flags: '--probe-timeout <seconds>',
    about: 'icmp: until an echo request counts as lost',
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
    about: 'as parameters.assertions, such as {"status_codes": [200]} for web',
    path: ['assertions'],
    read: json,
  },
  { flags: '--ports <ports>', about: 'portscan: such as 22,80,8000-8100 or top-ports:1000', path: ['ports'] },
  {
    flags: '--scan-type <type>',
    about: 'portscan: syn, connect or udp; syn and udp need the right to raw sockets',
    path: ['scan_type'],
  },
  {
    flags: '--no-service-detection',
    about: 'portscan: look for open ports only',
    path: ['service_detection'],
  },
  { flags: '--timing <template>', about: 'portscan: from T0, slow and quiet, to T5', path: ['timing'] },
  {
    flags: '--host-timeout <time>',
    about: 'portscan: how long all of it may take, such as 90s; 5m without it',
    path: ['host_timeout'],
  },
  // After --assertions, to which these add.
  {
    flags: '--expected-port <port>',
    about: 'portscan: must be open; may be repeated',
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
    about: 'portscan: fail where something should not be open',
    path: ['assertions', 'fail_on_vulnerabilities'],
  },
  {
    flags: '--min-risk-level <level>',
    about: 'portscan: critical, high, medium, low or info; medium without it',
    path: ['assertions', 'min_risk_level'],
  },
];

/** A JSON object. @throws InvalidArgumentError */
export const jsonObject = (text: string): Record<string, unknown> => {
  const value = json(text);
  if (value instanceof Object && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidArgumentError('It must be a JSON object.');
};
