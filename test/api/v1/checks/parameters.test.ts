import { rootCertificates } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DNS_SERVER_SENTENCE } from '../../../../domain/check/dns-server.ts';
import { JSON_OPERATORS } from '../../../../domain/check/types/assertions.ts';
import { JSON_PATH_SENTENCE } from '../../../../domain/check/types/json-path.ts';
import type { CheckTypeName } from '../../../../domain/check/events.ts';
import { CHECK_TYPE_NAMES } from '../../../../domain/check/types/index.ts';
import type { Reply } from '../../http.ts';
import { startService } from '../../service.ts';

/**
 * Tests the parameters of each check type (docs/reference/checks.md#types), in a region whose runner can run all types.
 */
const test = suite('the parameters of checks');

const service = await startService();
test.after(() => service.stop());

type Json = Record<string, unknown>;

const SCRIPT = { pw_script: "test('x', async () => {});" };
const TARGETS: Record<CheckTypeName, Json> = {
  web: { url: 'http://127.0.0.1:9/' },
  api: { url: 'http://127.0.0.1:9/' },
  tcp: { host: 'shop.example', port: 25 },
  ssl: { host: 'shop.example' },
  icmp: { host: 'shop.example' },
  dns: { host: 'shop.example' },
  portscan: { host: 'shop.example' },
  multistep: { parameters: SCRIPT },
  synthetic: { parameters: SCRIPT },
};

/** Looks up a type in a table, which must contain every type. */
const entryOf = <T>(table: Readonly<Record<CheckTypeName, T>>, type: CheckTypeName): T => {
  const found = table[type];
  if (found === undefined) throw new Error(`Nothing is said of ${type}.`);
  return found;
};

const bodyOf = (type: CheckTypeName, parameters: Json = {}): Json => {
  const target = entryOf(TARGETS, type);
  return {
    name: type,
    type,
    interval: 60,
    ...target,
    parameters: { ...(target['parameters'] as Json), ...parameters },
  };
};

const post = (type: CheckTypeName, parameters?: Json): Promise<Reply> =>
  service.request('POST', '/v1/checks', { body: bodyOf(type, parameters) });
const fieldsOf = (reply: Reply): unknown => (reply.json() as { errors: { json: unknown } }).errors.json;

const http_request = {
  method: 'POST',
  headers: { Accept: 'application/json' },
  body: '{}',
  username: 'user',
  password: 'secret',
};

const CERTIFICATES = 'Must be one to 20 certificates in PEM, and nothing else.';
const [ROOT = ''] = rootCertificates;
/** Refused values: no certificate, an invalid certificate, one certificate too many, and a certificate with its key. */
const NO_CERTIFICATES = [
  '',
  'certificate',
  ROOT.replace(/\n[^\n]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'),
  rootCertificates.slice(0, 21).join('\n'),
  `${ROOT}\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----`,
];

/** Accepted parameters, by check type. Together they contain every key at its limits. */
const GOOD: Record<CheckTypeName, Json[]> = {
  web: [
    { http_request, search_text: 'ok' },
    { http_request: {} },
    { follow_redirects: false, ca_certificate: ROOT, assertions: {} },
    {
      assertions: {
        status_codes: [200, '300-399', '404-404'],
        search_text_absent: 'Error',
        max_response_time: 1,
        min_certificate_days: 0,
        json: [
          { path: '$.status' },
          { path: '$.status', value: null },
          { path: "$.list[?@.name == 'db' && @.healthy].load", operator: 'less_than', value: 0.5 },
          { path: '$..error', operator: 'not_exists' },
          { path: '$.tags', operator: 'contains', value: { any: ['JSON'] } },
        ],
        headers: { 'Content-Type': { contains: 'json' }, 'X-Frame-Options': 'DENY', Server: null },
      },
    },
    {
      assertions: {
        max_response_time: 120_000,
        min_certificate_days: 3_650,
        json: Array.from({ length: 20 }, () => ({ path: `$.${'a'.repeat(498)}` })),
      },
    },
  ],
  api: [{ http_request, search_text: 'ok' }],
  tcp: [
    { search_text: '220', send_text: 'EHLO uptrail\r\n' },
    { tls: true, ca_certificate: rootCertificates[0] },
    { tls: false },
    { tls: { server_name: 'mail.example' }, ca_certificate: rootCertificates.slice(0, 20).join('\n') },
    { tls: {} },
  ],
  ssl: [
    { assertions: { ssl_score: 0, expiration_threshold: 0 } },
    { assertions: { ssl_score: 99.5, expiration_threshold: 604_800 } },
    { assertions: {} },
  ],
  icmp: [
    { probe_count: 1, ip_version: 'v4', probe_interval: 0.001, probe_timeout: 0.1, assertions: { max_packet_loss: 0 } },
    {
      probe_count: 100,
      ip_version: 'auto',
      probe_interval: 10,
      probe_timeout: 30,
      assertions: { max_packet_loss: 100 },
    },
    { ip_version: 'v6' },
  ],
  dns: [
    {
      record_type: 'MX',
      dns_servers: ['127.0.0.1', '[::1]:5353', 'ns.example', 'tls://ns.example', 'https://ns.example/dns-query'],
      expected_answers: ['10 mail.example'],
      validation_mode: 'exact',
      whois_lookup: true,
      assertions: { domain_expiration_threshold: 2_592_000 },
    },
    ...['A', 'AAAA', 'TXT', 'CNAME', 'NS', 'SOA', 'SRV'].map((record_type) => ({ record_type })),
    { validation_mode: 'contains_all', dns_servers: [], expected_answers: [] },
  ],
  portscan: [
    {
      ports: 'top-ports:100',
      scan_type: 'syn',
      service_detection: false,
      timing: 'T0',
      host_timeout: '5m',
      min_parallelism: 100,
      max_rtt_timeout: '100ms',
      assertions: { fail_on_vulnerabilities: true, min_risk_level: 'critical', expected_open_ports: [1, 65_535] },
    },
    { ports: '22', scan_type: 'connect', timing: 'T5', max_rtt_timeout: '2s' },
    { ports: '22,80,8000-65535,9-9', scan_type: 'udp', host_timeout: '10m' },
  ],
  multistep: [SCRIPT, { pw_script: 'x'.repeat(65_536) }],
  synthetic: [SCRIPT, { ...SCRIPT, record_video: true }],
};

/** Refused values, by check type: key, value and error message. */
const BAD: Record<CheckTypeName, [key: string, value: unknown, sentence: string][]> = {
  web: [
    ['http_request', 'GET', 'Must be an object.'],
    ['http_request.method', 'TRACE', 'Must be one of: GET, POST, PUT, DELETE, HEAD, OPTIONS, PATCH.'],
    ['http_request.headers', ['Accept'], 'Must be an object.'],
    ['http_request.body', {}, 'Must be a string.'],
    ['http_request.password', 1, 'Must be a string.'],
    ['search_text', 'x'.repeat(1_001), 'Must have at most 1000 characters.'],
    ...NO_CERTIFICATES.map((text): [string, unknown, string] => ['ca_certificate', text, CERTIFICATES]),
    ['ca_certificate', true, 'Must be a string.'],
    ['follow_redirects', 'no', 'Must be a boolean.'],
    ['assertions', [], 'Must be an object.'],
    ['assertions.status_codes', 200, 'Must be an array.'],
    ['assertions.status_codes', [], 'Must have at least 1 item.'],
    ...[99, 600, '200', '399-300', '2xx', '100-600'].map((code): [string, unknown, string] => [
      'assertions.status_codes.0',
      code,
      'Must be a status code such as 200, or a range such as "300-399".',
    ]),
    ['assertions.status_codes.0', 200.5, 'Must be an integer or a string.'],
    ['assertions.search_text_absent', 'x'.repeat(1_001), 'Must have at most 1000 characters.'],
    ['assertions.max_response_time', 0, 'Must be greater than or equal to 1.'],
    ['assertions.max_response_time', 120_001, 'Must be less than or equal to 120000.'],
    ['assertions.min_certificate_days', -1, 'Must be greater than or equal to 0.'],
    ['assertions.min_certificate_days', 1.5, 'Must be an integer.'],
    ['assertions.json', { path: '$' }, 'Must be an array.'],
    ['assertions.json', Array.from({ length: 21 }, () => ({ path: '$' })), 'Must have at most 20 items.'],
    ['assertions.json.0', '$.status', 'Must be an object.'],
    ['assertions.json.0.path', 'status', JSON_PATH_SENTENCE],
    ['assertions.json.0.path', "$[?match(@.a, '(a+)+')]", JSON_PATH_SENTENCE],
    ['assertions.json.0.path', '$..a..b', JSON_PATH_SENTENCE],
    ['assertions.json.0.path', 1, 'Must be a string.'],
    ['assertions.headers', ['Server'], 'Must be an object.'],
    ['assertions.headers.Se rver', 'x', 'Is not the name of an HTTP header.'],
    ['assertions.headers.Server', 1, 'Must be a string or an object or null.'],
    ['assertions.headers.Server.contains', 1, 'Must be a string.'],
  ],
  api: [
    ['http_request.username', true, 'Must be a string.'],
    ['search_text', null, 'Must be a string.'],
  ],
  tcp: [
    ['search_text', 220, 'Must be a string.'],
    ['send_text', ['EHLO'], 'Must be a string.'],
    ['send_text', 'x'.repeat(65_537), 'Must have at most 65536 characters.'],
    ['tls', 'yes', 'Must be a boolean or an object.'],
    ['tls.server_name', 'mail.example:25', 'Must be a host name or an IPv4 address.'],
    ['tls.server_name', '', 'Must be a host name or an IPv4 address.'],
    ['ca_certificate', NO_CERTIFICATES[0], CERTIFICATES],
  ],
  ssl: [
    ['assertions', [], 'Must be an object.'],
    ['assertions.ssl_score', -1, 'Must be greater than or equal to 0.'],
    ['assertions.ssl_score', 101, 'Must be less than or equal to 100.'],
    ['assertions.ssl_score', 'A', 'Must be a number.'],
    ['assertions.expiration_threshold', -1, 'Must be greater than or equal to 0.'],
    ['assertions.expiration_threshold', 1.5, 'Must be an integer.'],
  ],
  icmp: [
    ['probe_count', 0, 'Must be greater than or equal to 1.'],
    ['probe_count', 101, 'Must be less than or equal to 100.'],
    ['probe_count', 1.5, 'Must be an integer.'],
    ['ip_version', 'v5', 'Must be one of: v4, v6, auto.'],
    ['probe_interval', 0, 'Must be greater than or equal to 0.001.'],
    ['probe_interval', 10.1, 'Must be less than or equal to 10.'],
    ['probe_timeout', 0.05, 'Must be greater than or equal to 0.1.'],
    ['probe_timeout', 31, 'Must be less than or equal to 30.'],
    ['assertions.max_packet_loss', -1, 'Must be greater than or equal to 0.'],
    ['assertions.max_packet_loss', 101, 'Must be less than or equal to 100.'],
  ],
  dns: [
    ['dns_servers', '127.0.0.1', 'Must be an array.'],
    ['dns_servers.0', 'a b', DNS_SERVER_SENTENCE],
    ['dns_servers.0', 'http://ns.example/dns-query', DNS_SERVER_SENTENCE],
    ['expected_answers', 'x', 'Must be an array.'],
    ['expected_answers.0', 1, 'Must be a string.'],
    ['validation_mode', 'any', 'Must be one of: contains_all, exact.'],
    ['whois_lookup', 'yes', 'Must be a boolean.'],
    ['assertions.domain_expiration_threshold', -1, 'Must be greater than or equal to 0.'],
    ['assertions.domain_expiration_threshold', 86_400, 'Requires parameters.whois_lookup.'],
  ],
  portscan: [
    ...['', 'all', '0', '65536', '22,', '1-2-3', '100-1', '22,81-80', 'top-ports:0'].map(
      (ports): [string, unknown, string] => [
        'ports',
        ports,
        'Must be top-ports:100, or ports and ranges such as 22,80,8000-8100.',
      ],
    ),
    ['scan_type', 'ack', 'Must be one of: syn, connect, udp.'],
    ['service_detection', 1, 'Must be a boolean.'],
    ['timing', 'T6', 'Must be one of: T0, T1, T2, T3, T4, T5.'],
    ...['5', '999ms', '601s'].map((time): [string, unknown, string] => [
      'host_timeout',
      time,
      'Must be a time from 1s to 10m, such as 90s or 5m.',
    ]),
    ['min_parallelism', 0, 'Must be greater than or equal to 1.'],
    ['max_rtt_timeout', 100, 'Must be a string.'],
    ['max_rtt_timeout', '4ms', 'Must be a time from 5ms to 10m, such as 100ms or 2s.'],
    ['assertions.fail_on_vulnerabilities', 'no', 'Must be a boolean.'],
    ['assertions.min_risk_level', 'severe', 'Must be one of: critical, high, medium, low, info.'],
    ['assertions.expected_open_ports', 22, 'Must be an array.'],
    ['assertions.expected_open_ports.0', 65_536, 'Must be less than or equal to 65535.'],
    ['assertions.only_expected_ports', 'yes', 'Must be a boolean.'],
  ],
  multistep: [
    ['pw_script', '', 'Must not be empty.'],
    ['pw_script', '\n\u200b', 'Must not be blank.'],
    ['pw_script', {}, 'Must be a string.'],
    ['pw_script', 'x'.repeat(65_537), 'Must have at most 65536 characters.'],
  ],
  synthetic: [
    ['pw_script', null, 'Must be a string.'],
    ['record_video', 'yes', 'Must be a boolean.'],
  ],
};

/** Returns `{ a: { b: value } }` for `a.b`, and `{ a: [value] }` for `a.0`. */
const nested = (path: string, value: unknown): Json => {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { [first]: value };
  if (rest[0] !== '0') return { [first]: nested(rest.join('.'), value) };
  return { [first]: [rest.length === 1 ? value : nested(rest.slice(1).join('.'), value)] };
};

test('checks of every type can be created, and every parameter is returned unchanged', async () => {
  for (const type of CHECK_TYPE_NAMES) {
    for (const parameters of entryOf(GOOD, type)) {
      const reply = await post(type, { ...parameters, another: [1, { two: 3 }] });
      assert.is(reply.status, 201, `${type}: ${reply.text}`);
      assert.equal((reply.json() as { parameters: Json }).parameters, { ...parameters, another: [1, { two: 3 }] });
    }
  }
});

test('a parameter out of range is 422 and names its field, in creations and changes', async () => {
  for (const type of CHECK_TYPE_NAMES) {
    const { id } = (await post(type)).json() as { id: string };
    for (const [key, value, sentence] of entryOf(BAD, type)) {
      const parameters = nested(key, value);
      const expected = { [`parameters.${key}`]: [sentence] };
      const label = `${type} ${key} ${JSON.stringify(value).slice(0, 40)}`;
      const creation = await post(type, parameters);
      assert.is(creation.status, 422, label);
      assert.equal(fieldsOf(creation), expected, label);
      const body = { parameters: { ...(entryOf(TARGETS, type)['parameters'] as Json), ...parameters } };
      const change = await service.request('PATCH', `/v1/checks/${id}`, { body });
      assert.is(change.status, 422, label);
      assert.equal(fieldsOf(change), expected, label);
    }
  }
});

test('a JSON assertion without a value is refused if its operator needs a value', async () => {
  const broken: [Json, Json][] = [
    [{ operator: 'equals' }, { value: ['Missing required field.'] }],
    [{ operator: 'contains' }, { value: ['Missing required field.'] }],
    [{ operator: 'less_than', value: '1' }, { value: ['Must be a number.'] }],
    [{ operator: 'matches', value: '(a+)+' }, { operator: [`Must be one of: ${JSON_OPERATORS.join(', ')}.`] }],
    [{ value: 'x'.repeat(1_000) }, { value: ['Must have at most 1000 characters as JSON.'] }],
  ];
  for (const [fields, sentence] of broken) {
    const reply = await post('api', { assertions: { json: [{ path: '$' }, { path: '$.a', ...fields }] } });
    const [[name, sentences] = []] = Object.entries(sentence);
    assert.equal(
      fieldsOf(reply),
      { [`parameters.assertions.json.1.${String(name)}`]: sentences },
      JSON.stringify(fields),
    );
  }
});

test('a check type ignores parameters of other types', async () => {
  assert.is((await post('icmp', { search_text: 7, record_type: 'X' })).status, 201);
});

test('an unknown DNS record type is 422', async () => {
  const { 'parameters.record_type': errors } = fieldsOf(await post('dns', { record_type: 'B' })) as Record<
    string,
    string[]
  >;
  assert.match(errors?.[0] ?? '', /^Must be one of: A, AAAA, /);
});

test('the error for a change of parameters names all invalid fields', async () => {
  const { id } = (await post('icmp')).json() as { id: string };
  const body = {
    interval: 1,
    parameters: { probe_count: 0, regions: 'EU, West', assertions: { max_packet_loss: 200 } },
  };
  assert.equal(fieldsOf(await service.request('PATCH', `/v1/checks/${id}`, { body })), {
    interval: ['Must be greater than or equal to 30.'],
    'parameters.probe_count': ['Must be greater than or equal to 1.'],
    'parameters.regions': ['Must be an array.'],
    'parameters.assertions.max_packet_loss': ['Must be less than or equal to 100.'],
  });
});

test('a multi-region check needs an execution mode, and the mode `random_n` needs a valid number of regions', async () => {
  const parallel = (multi_region_execution: Json) => post('web', { regions: ['RU, Moscow'], multi_region_execution });
  const field = 'parameters.multi_region_execution';
  assert.is((await parallel({ enabled: true, execution_mode: 'all' })).status, 201);
  assert.is((await parallel({ enabled: true, execution_mode: 'random_n', count: 1 })).status, 201);
  assert.equal(fieldsOf(await parallel({})), {
    [`${field}.enabled`]: ['Missing required field.'],
    [`${field}.execution_mode`]: ['Missing required field.'],
  });
  assert.equal(fieldsOf(await parallel({ enabled: true, execution_mode: 'random_n' })), {
    [`${field}.count`]: ['Missing required field.'],
  });
  assert.equal(fieldsOf(await parallel({ enabled: true, execution_mode: 'random_n', count: 2 })), {
    [`${field}.count`]: ['Must be less than or equal to 1, the number of regions.'],
  });
});

test.run();
