import type { ConsoleWords } from '../../../messages/console-words/index.ts';
import type { Schemas } from '../../api/openapi.d.ts';

export type CheckTypeName = Schemas['Check']['type'];

/** All check types, most common first. */
export const CHECK_TYPES: readonly CheckTypeName[] = [
  'web',
  'api',
  'tcp',
  'ssl',
  'dns',
  'icmp',
  'portscan',
  'synthetic',
  'multistep',
];

/** The part of the form that contains a field. */
export type Part = 'what' | 'request' | 'judged' | 'where' | 'advanced';

/** How a parameter is edited and stored (values.ts). */
export type Kind =
  | { kind: 'text'; code?: boolean }
  | { kind: 'password' }
  | { kind: 'area'; code?: boolean }
  | {
      kind: 'number';
      min?: number;
      max?: number;
      step?: number;
      unit?: 'ms' | 'seconds' | 'percent' | 'days' | 'points';
    }
  /** a duration in seconds */
  | { kind: 'seconds' }
  | { kind: 'tick'; default: boolean }
  /** one of several options; if `default` is the first option, that option means "not set" */
  | { kind: 'choice'; options: readonly string[]; default: string }
  | { kind: 'list' }
  /** a list of texts, one per line */
  | { kind: 'lines' }
  | { kind: 'numbers' }
  /** status codes: numbers, and ranges such as `300-399` */
  | { kind: 'codes' }
  /** an object of texts by name */
  | { kind: 'pairs' }
  | { kind: 'json' }
  | { kind: 'headers' }
  | { kind: 'script' };

export type FieldName = keyof ConsoleWords['checkForm']['fields'];

/** A check parameter in the form. */
export interface FieldSpec {
  /** path in the check: `parameters.assertions.ssl_score` */
  path: string;
  /** key of the field's label */
  name: FieldName;
  part: Part;
  types: readonly CheckTypeName[];
  as: Kind;
  /** name of a checkbox that must be ticked for this parameter to apply */
  needs?: FieldName;
}

const HTTP = ['web', 'api'] as const;
const SCRIPTS = ['synthetic', 'multistep'] as const;

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'] as const;
const RECORD_TYPES = [
  ...['A', 'AAAA', 'CAA', 'CNAME', 'DNAME', 'DNSKEY', 'DS', 'HTTPS', 'MX', 'NAPTR', 'NS', 'PTR', 'SOA', 'SRV', 'SSHFP'],
  ...['SVCB', 'TLSA', 'TXT'],
];
/** Protocols for STARTTLS. The empty text selects the usual protocol for the port. */
const STARTTLS = ['', 'none', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgres', 'mysql', 'xmpp'] as const;

const inParameters = (
  types: readonly CheckTypeName[],
  part: Part,
  fields: readonly [path: string, name: FieldName, as: Kind, needs?: FieldName][],
): FieldSpec[] =>
  fields.map(([path, name, as, needs]) => ({
    path: `parameters.${path}`,
    name,
    part,
    types,
    as,
    ...(needs !== undefined && { needs }),
  }));

const isOff = { kind: 'tick', default: false } as const;
const isOn = { kind: 'tick', default: true } as const;

/** All documented parameters except the regions, in the order of the form. schedule-fields.tsx edits the regions. */
export const FIELDS: readonly FieldSpec[] = [
  ...inParameters(HTTP, 'request', [
    ['http_request.method', 'method', { kind: 'choice', options: METHODS, default: 'GET' }],
    ['http_request.headers', 'headers', { kind: 'pairs' }],
    ['http_request.body', 'body', { kind: 'area', code: true }],
    ['http_request.username', 'username', { kind: 'text' }],
    ['http_request.password', 'password', { kind: 'password' }],
    ['follow_redirects', 'followRedirects', isOn],
  ]),
  ...inParameters(HTTP, 'judged', [
    ['assertions.status_codes', 'statusCodes', { kind: 'codes' }],
    ['search_text', 'searchText', { kind: 'text' }],
    ['assertions.search_text_absent', 'searchTextAbsent', { kind: 'text' }],
    ['assertions.max_response_time', 'maxResponseTime', { kind: 'number', min: 1, max: 120_000, unit: 'ms' }],
    ['assertions.min_certificate_days', 'minCertificateDays', { kind: 'number', min: 0, max: 3_650, unit: 'days' }],
    ['assertions.json', 'json', { kind: 'json' }],
    ['assertions.headers', 'answerHeaders', { kind: 'headers' }],
  ]),
  ...inParameters(['tcp'], 'what', [
    ['tls', 'tls', isOff],
    ['tls.server_name', 'serverName', { kind: 'text', code: true }, 'tls'],
  ]),
  ...inParameters(['tcp'], 'judged', [
    ['send_text', 'sendText', { kind: 'area', code: true }],
    ['search_text', 'searchText', { kind: 'text' }],
  ]),
  ...inParameters(['ssl'], 'what', [['starttls', 'starttls', { kind: 'choice', options: STARTTLS, default: '' }]]),
  ...inParameters(['ssl'], 'judged', [
    ['assertions.expiration_threshold', 'expirationThreshold', { kind: 'seconds' }],
    ['assertions.ssl_score', 'sslScore', { kind: 'number', min: 0, max: 100, unit: 'points' }],
  ]),
  ...inParameters(['dns'], 'what', [
    ['record_type', 'recordType', { kind: 'choice', options: RECORD_TYPES, default: 'A' }],
    ['dns_servers', 'dnsServers', { kind: 'list' }],
  ]),
  ...inParameters(['dns'], 'judged', [
    ['expected_answers', 'expectedAnswers', { kind: 'lines' }],
    [
      'validation_mode',
      'validationMode',
      { kind: 'choice', options: ['contains_all', 'exact'], default: 'contains_all' },
    ],
    ['whois_lookup', 'whoisLookup', isOff],
    ['assertions.domain_expiration_threshold', 'domainExpiration', { kind: 'seconds' }, 'whoisLookup'],
  ]),
  ...inParameters(['icmp'], 'judged', [
    ['assertions.max_packet_loss', 'maxPacketLoss', { kind: 'number', min: 0, max: 100, step: 0.1, unit: 'percent' }],
  ]),
  ...inParameters(['icmp'], 'advanced', [
    ['ip_version', 'ipVersion', { kind: 'choice', options: ['auto', 'v4', 'v6'], default: 'auto' }],
    ['probe_count', 'probeCount', { kind: 'number', min: 1, max: 100 }],
    ['probe_interval', 'probeInterval', { kind: 'number', min: 0.001, max: 10, step: 0.001, unit: 'seconds' }],
    ['probe_timeout', 'probeTimeout', { kind: 'number', min: 0.1, max: 30, step: 0.1, unit: 'seconds' }],
  ]),
  ...inParameters(['portscan'], 'what', [['ports', 'ports', { kind: 'text', code: true }]]),
  ...inParameters(['portscan'], 'judged', [
    ['assertions.expected_open_ports', 'expectedOpenPorts', { kind: 'numbers' }],
    ['assertions.only_expected_ports', 'onlyExpectedPorts', isOff],
    ['assertions.fail_on_vulnerabilities', 'failOnVulnerabilities', isOff],
    [
      'assertions.min_risk_level',
      'minRiskLevel',
      { kind: 'choice', options: ['critical', 'high', 'medium', 'low', 'info'], default: 'medium' },
      'failOnVulnerabilities',
    ],
  ]),
  ...inParameters(['portscan'], 'advanced', [
    ['scan_type', 'scanType', { kind: 'choice', options: ['syn', 'connect', 'udp'], default: 'syn' }],
    ['service_detection', 'serviceDetection', isOn],
    ['timing', 'timing', { kind: 'choice', options: ['T0', 'T1', 'T2', 'T3', 'T4', 'T5'], default: 'T3' }],
    ['host_timeout', 'hostTimeout', { kind: 'text', code: true }],
    ['min_parallelism', 'minParallelism', { kind: 'number', min: 1, max: 1_000 }],
    ['max_rtt_timeout', 'maxRttTimeout', { kind: 'text', code: true }],
  ]),
  ...inParameters(SCRIPTS, 'what', [['pw_script', 'script', { kind: 'script' }]]),
  ...inParameters(['synthetic'], 'advanced', [['record_video', 'recordVideo', isOff]]),
  ...inParameters(CHECK_TYPES, 'where', [['retry_enabled', 'retry', isOff]]),
  ...inParameters(['web', 'api', 'tcp', 'ssl'], 'advanced', [
    ['ca_certificate', 'caCertificate', { kind: 'area', code: true }],
  ]),
];

/** The target fields of each check type (domain/check/types). */
export const TARGETS: Readonly<Record<CheckTypeName, readonly ('url' | 'host' | 'port')[]>> = {
  web: ['url'],
  api: ['url'],
  tcp: ['host', 'port'],
  ssl: ['host', 'port'],
  dns: ['host'],
  icmp: ['host'],
  portscan: ['host'],
  synthetic: ['url'],
  multistep: ['url'],
};

/** Returns the maximum timeout of a check type, in seconds. */
export const mostTimeout = (type: CheckTypeName): number => (type === 'synthetic' ? 120 : 30);

/** Returns whether runs of a type execute a script. */
export const isScript = (type: CheckTypeName): boolean => type === 'synthetic' || type === 'multistep';

/** Returns the fields of a type in a part of the form. */
export const fieldsOf = (type: CheckTypeName, part: Part): readonly FieldSpec[] =>
  FIELDS.filter((field) => field.part === part && field.types.includes(type));
