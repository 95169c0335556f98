import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/blackbox/source.ts';
import type { Fields } from '../../../../cli/configuration/model.ts';
import type { Imported } from '../../../../cli/import-from/imported.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { httpServer, closeServers, rawServer } from '../../../probes/web/servers.ts';
import { answering, zoneOf } from '../../../probes/dns/zone-server.ts';
import { assertAccepted } from '../accepted.ts';
import { isUp } from '../run-checks.ts';

const test = suite('import from the Blackbox exporter');

test.after.each(closeServers);

const RELABEL = `
    relabel_configs:
      - source_labels: [__address__]
        target_label: __param_target
      - source_labels: [__param_target]
        target_label: instance
      - target_label: __address__
        replacement: 127.0.0.1:9115`;

const jobFor = (target: string, more = ''): string => `
scrape_configs:
  - job_name: probes
    metrics_path: /probe
    params: { module: [tested] }
    static_configs:
      - targets: [${JSON.stringify(target)}]
        labels: { Team: "Shop Floor", env: prod }${RELABEL}
${more}`;

const importFiles = (...texts: string[]): Imported => {
  const imported = read(texts.map((text, index) => ({ name: index === 0 ? 'prometheus.yml' : 'blackbox.yml', text })));
  assertAccepted(imported);
  return imported;
};

/** Imports one target that a module probes. */
const importProbe = (target: string, module: object) => {
  const { configuration, unmapped } = importFiles(jobFor(target), JSON.stringify({ modules: { tested: module } }));
  return { check: configuration.checks?.[0], unmapped };
};

test('a target of the http prober becomes a web check of the group of its job', () => {
  const { check, unmapped } = importProbe('https://user:pass@example.com/health', {
    prober: 'http',
    timeout: '5s',
    http: {
      method: 'POST',
      headers: { 'X-A': '1' },
      body: '{}',
      valid_status_codes: [200, 204],
      follow_redirects: false,
      fail_if_not_ssl: true,
      fail_if_body_not_matches_regexp: ['ready'],
      fail_if_body_matches_regexp: ['.*broken.*'],
      fail_if_header_not_matches: [{ header: 'Server', regexp: '^nginx$' }],
      fail_if_header_matches: [{ header: 'X-Debug', regexp: '.*' }],
      authorization: { credentials: 'token' },
    },
  });
  assert.equal(check, {
    name: 'https://example.com/health',
    group: 'probes',
    interval: 60,
    timeout: 5,
    tags: ['env:prod', 'team:shop-floor'],
    type: 'web',
    url: 'https://example.com/health',
    parameters: {
      http_request: {
        method: 'POST',
        headers: { 'X-A': '1', Authorization: 'Bearer token' },
        body: '{}',
        username: 'user',
        password: 'pass',
      },
      search_text: 'ready',
      follow_redirects: false,
      assertions: {
        status_codes: [200, 204],
        search_text_absent: 'broken',
        headers: { server: 'nginx', 'x-debug': null },
      },
    },
  });
  assert.equal(unmapped, []);
});

test('a module without status codes accepts those of success', () => {
  const { check } = importProbe('example.com', { prober: 'http' });
  assert.is(check?.['url'], 'http://example.com');
  assert.equal(check?.['parameters'], { assertions: { status_codes: ['200-299'] } });
});

test('targets of other probers become tcp, ssl, icmp and dns checks', () => {
  const targetOf = (target: string, module: object): unknown => {
    const { type, host, port, parameters } = (importProbe(target, module).check ?? {}) as Fields;
    return [type, host, port, parameters];
  };
  assert.equal(
    targetOf('db:5432', {
      prober: 'tcp',
      tcp: {
        tls: true,
        tls_config: { server_name: 'db.example.com' },
        query_response: [{ send: 'PING' }, { expect: 'PONG' }],
      },
    }),
    ['tcp', 'db', 5_432, { send_text: 'PING\n', search_text: 'PONG', tls: { server_name: 'db.example.com' } }],
  );
  assert.equal(
    targetOf('mail:25', {
      prober: 'tcp',
      tcp: { query_response: [{ expect: '^220' }, { send: 'STARTTLS' }, { starttls: true }] },
    }),
    ['ssl', 'mail', 25, {}],
  );
  assert.equal(targetOf('host', { prober: 'icmp', icmp: { preferred_ip_protocol: 'ip4' } }), [
    'icmp',
    'host',
    undefined,
    { ip_version: 'v4' },
  ]);
  assert.equal(
    targetOf('192.0.2.53', {
      prober: 'dns',
      dns: {
        query_name: 'example.com.',
        query_type: 'AAAA',
        dns_over_tls: true,
        validate_answer_rrs: { fail_if_none_matches_regexp: ['.*2001:db8::1'] },
      },
    }),
    [
      'dns',
      'example.com',
      undefined,
      { record_type: 'AAAA', dns_servers: ['tls://192.0.2.53'], expected_answers: ['2001:db8::1'] },
    ],
  );
  assert.equal(targetOf('api:50051', { prober: 'grpc', grpc: { tls: true } }), ['tcp', 'api', 50_051, { tls: true }]);
});

test('settings of a module without an equivalent are reported once, without secrets', () => {
  const { unmapped } = importFiles(
    `
scrape_configs:
  - job_name: probes
    metrics_path: /probe
    params: { module: [tested] }
    static_configs: [{ targets: ["https://a.example.com", "https://b.example.com"] }]${RELABEL}`,
    JSON.stringify({
      modules: {
        tested: {
          prober: 'http',
          http: {
            valid_http_versions: ['HTTP/2.0'],
            oauth2: { client_secret: 'hidden-value' },
            proxy_url: 'http://hidden-value@proxy',
            tls_config: { insecure_skip_verify: true, cert_file: '/a', ca_file: '/b', min_version: 'TLS12' },
            ip_protocol_fallback: false,
            fail_if_body_json_matches_cel: 'body.x == 1',
            fail_if_body_matches_regexp: ['a|b'],
            basic_auth: { username: 'u', password_file: '/c' },
          },
        },
      },
    }),
  );
  assert.is(unmapped.length, 11);
  assert.ok(unmapped.every((sentence) => sentence.startsWith('The module "tested" ')));
  assert.not.match(JSON.stringify(unmapped), /hidden-value/);
});

test('intervals and timeouts come from the job, else from the global section', () => {
  const { configuration } = importFiles(
    `global: { scrape_interval: 2m, scrape_timeout: 20s }${jobFor('https://example.com')}`,
    'modules: { tested: { prober: http } }',
  );
  assert.equal([configuration.checks?.[0]?.['interval'], configuration.checks?.[0]?.['timeout']], [120, 20]);
});

test('a label can choose the module of a target', () => {
  const { configuration } = importFiles(
    `
scrape_configs:
  - job_name: mixed
    metrics_path: /probe
    static_configs:
      - { targets: ["https://example.com"], labels: { module: http_2xx } }
      - { targets: ["example.com"], labels: { module: icmp } }
    relabel_configs:
      - { source_labels: [module], target_label: __param_module }
      - { source_labels: [__address__], target_label: __param_target }
      - { source_labels: [__param_target], target_label: instance }`,
  );
  assert.equal(
    configuration.checks?.map(({ type }) => type),
    ['web', 'icmp'],
  );
});

test('an optional label leaves the module of the job to targets without the label', () => {
  const modules = (rule: string, more = ''): unknown[] => {
    const { configuration } = importFiles(`
scrape_configs:
  - job_name: mixed
    metrics_path: /monitoring/probe
    params: { module: [icmp] ${more}}
    static_configs:
      - { targets: ["a.example"] }
      - { targets: ["https://b.example"], labels: { module: http_2xx, team: "" } }
    relabel_configs:
      - { source_labels: [module], ${rule} target_label: __param_module }
      - { source_labels: [__address__], target_label: __param_target }
      - { source_labels: [name], target_label: instance }`);
    return (configuration.checks ?? []).map(({ type, name, tags }) => [type, name, tags]);
  };
  const expected = [
    ['icmp', 'a.example', []],
    ['web', 'https://b.example', ['module:http_2xx']],
  ];
  assert.equal(modules('regex: (.+),'), expected);
  assert.equal(modules('regex: ^.+$, replacement: $0,'), expected);
  assert.equal(modules(''), expected);
  assert.equal(modules('', ', target: [exporter]'), expected);
});

test('a rule can set the path of the exporter', () => {
  const { configuration } = importFiles(`
scrape_configs:
  - job_name: probes
    params: { module: [icmp], target: [a.example] }
    static_configs: [{ targets: ["exporter:9115"] }]
    relabel_configs: [{ target_label: __metrics_path__, replacement: /probe }]`);
  assert.is(configuration.checks?.[0]?.['host'], 'a.example');
});

test('the expression with an optional port of old examples copies the whole address', () => {
  const { configuration } = importFiles(`
scrape_configs:
  - job_name: probes
    metrics_path: /probe
    static_configs: [{ targets: ["http://a.example:80"] }]
    relabel_configs:
      - { source_labels: [__address__], regex: "(.*)(:80)?", target_label: __param_target, replacement: "\${1}" }`);
  assert.is(configuration.checks?.[0]?.['url'], 'http://a.example:80');
});

test('a reference to a group that does not exist is empty, and two dollar signs are one', () => {
  const { configuration } = importFiles(`
scrape_configs:
  - job_name: probes
    metrics_path: /probe
    static_configs: [{ targets: ["a.example"] }]
    relabel_configs:
      - { source_labels: [__address__], target_label: __param_target, replacement: "https://\${1}/$1/$1x$2$$" }
      - { source_labels: [__address__], target_label: instance, regex: .*, replacement: $1 }`);
  const [check] = configuration.checks ?? [];
  assert.equal([check?.['url'], check?.name], ['https://a.example/a.example/$', 'https://a.example/a.example/$']);
});

test('jobs that cannot be imported are reported with the closest equivalent', () => {
  const { configuration, unmapped } = importFiles(`
scrape_configs:
  - { job_name: node, static_configs: [{ targets: ["node:9100"] }] }
  - { job_name: snmp, metrics_path: /snmp, params: { module: [if_mib] }, static_configs: [{ targets: [switch] }] }
  - { job_name: found, metrics_path: /probe, params: { module: [icmp] }, file_sd_configs: [{ files: [a.json] }], http_sd_configs: [{ url: "http://a" }] }
  - { job_name: untargeted, metrics_path: /probe, params: { module: [icmp] }, static_configs: [{ targets: [a] }] }
  - job_name: complex
    metrics_path: /probe
    static_configs: [{ targets: ["icmp;a"] }]
    relabel_configs: [{ source_labels: [__address__], regex: "(.*);(.*)", target_label: __param_module, replacement: $1 }]
  - { job_name: unknown, metrics_path: /probe, params: { module: [mine], target: [a] }, static_configs: [{ targets: [exporter] }] }
rule_files: [rules.yml]`);
  assert.is(configuration.checks, undefined);
  for (const expected of [
    /^The job "found" finds targets by file_sd_configs, http_sd_configs,/,
    /^The job "untargeted" sets no parameter "target"/,
    /^The job "complex" chooses targets by rules with expressions/,
    /^The module "mine" of the job "unknown" is in no file/,
    /^2 scrape jobs are left out, because they probe nothing/,
    /^Alerting rules of Prometheus/,
  ])
    assert.ok(
      unmapped.some((sentence) => expected.test(sentence)),
      String(expected),
    );
});

test('imported checks agree with what the exporter finds', async () => {
  const server = await httpServer((request, response) => {
    response.statusCode = request.url === '/missing' ? 404 : 200;
    response.setHeader('x-kind', 'test');
    response.end('all systems are ready');
  });
  const banner = await rawServer((socket) => socket.write('SSH-2.0-Test\r\n'));
  const names = await answering(
    zoneOf('example.com', [{ type: 'A', name: 'example.com', ttl: 60, data: '192.0.2.1' }]),
  );
  const base = `http://127.0.0.1:${server.port}`;
  const http = (settings: object) => ({ prober: 'http', http: settings });
  const dns = (expression: string) => ({
    prober: 'dns',
    dns: {
      query_name: 'example.com',
      query_type: 'A',
      validate_answer_rrs: { fail_if_not_matches_regexp: [expression] },
    },
  });
  const rows: readonly (readonly [string, object, boolean])[] = [
    [base, http({}), true],
    [`${base}/missing`, http({}), false],
    [`${base}/missing`, http({ valid_status_codes: [404] }), true],
    [base, http({ fail_if_body_not_matches_regexp: ['ready'] }), true],
    [base, http({ fail_if_body_not_matches_regexp: ['broken'] }), false],
    [base, http({ fail_if_body_matches_regexp: ['ready'] }), false],
    [base, http({ fail_if_header_not_matches: [{ header: 'X-Kind', regexp: 'tes' }] }), true],
    [base, http({ fail_if_header_matches: [{ header: 'X-Kind', regexp: '.*' }] }), false],
    [`127.0.0.1:${banner.port}`, { prober: 'tcp', tcp: { query_response: [{ expect: '^SSH-2.0-' }] } }, true],
    [names.address, dns('.*192\\.0\\.2\\.1'), true],
    [names.address, dns('.*192\\.0\\.2\\.2'), false],
  ];
  for (const [target, module, up] of rows) {
    const { check } = importProbe(target, module);
    assert.ok(check);
    assert.is(await isUp(check), up, `${target} ${JSON.stringify(module)}`);
  }
  await names.close();
});

const refusal = (text: string, second?: string): string => {
  try {
    read([{ name: 'prometheus.yml', text }, ...(second === undefined ? [] : [{ name: 'blackbox.yml', text: second }])]);
  } catch (error) {
    assert.instance(error, OperatorError);
    return (error as Error).message;
  }
  throw new Error('The file was not refused.');
};

test('errors name file and line', () => {
  assert.match(refusal('scrape_configs: [\n'), /^prometheus\.yml, line \d+: /);
  assert.is(refusal('a: 1'), 'prometheus.yml, line 1: The file must contain "scrape_configs:" or "modules:".');
  assert.is(refusal('scrape_configs:\n  - metrics_path: /probe\n'), 'prometheus.yml, line 2: job_name is missing.');
  assert.is(refusal('scrape_configs: []'), 'prometheus.yml: There is no scrape job with metrics_path: /probe.');
  const job = jobFor('https://example.com');
  assert.is(
    refusal(job, 'modules:\n  tested:\n    prober: http\n    http:\n      valid_status_codes: [200,\n        9]\n'),
    'blackbox.yml, line 6: 9 is not a status code.',
  );
  assert.is(refusal(job, 'modules:\n  tested:\n    timeout: 5s\n'), 'blackbox.yml, line 3: prober is missing.');
  assert.is(
    refusal(job, 'modules:\n  tested:\n    prober: http\n    timeout: x\n'),
    'blackbox.yml, line 4: timeout must be a duration such as 30s or 5m.',
  );
});

test('an odd job or target is left out with its position, and the others are imported', () => {
  const text = `
scrape_configs:
  - metrics_path: /probe
  - just a text
  - job_name: probes
    metrics_path: /probe
    static_configs: [{ targets: [https://a.example/, {}, https://a.example/, https://b.example/] }]${RELABEL}
  - { job_name: [1], metrics_path: /probe }`;
  const { configuration, unmapped } = read([{ name: 'prometheus.yml', text }]);
  assert.equal(
    configuration.checks?.map(({ name }) => name),
    ['https://a.example/', 'https://b.example/'],
  );
  assert.match(unmapped.join('\n'), /^The scrape job 1 of prometheus\.yml was left out: .* job_name is missing\.$/m);
  assert.match(unmapped.join('\n'), /^The scrape job 2 of prometheus\.yml was left out: .* must be a mapping\.$/m);
  assert.match(unmapped.join('\n'), /^The scrape job 4 of prometheus\.yml was left out: /m);
  assert.match(unmapped.join('\n'), /^The job "probes" has a target that is no text, target 2 of its list/m);
});

test.run();
