import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/gatus/source.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { importEndpoint, importGatus } from './reading.ts';

const test = suite('import from Gatus');

test('an http endpoint becomes a web check with request, interval and timeout', () => {
  const { checks, unmapped } = importEndpoint(
    'url: https://user:p%40ss@example.com/health?x=1',
    'method: post',
    'interval: 2m30s',
    'headers: { X-Version: 1.10, Host: internal.example.com }',
    'body: "name=[ENDPOINT_NAME]"',
    'client: { timeout: 2500ms, ignore-redirect: true }',
    'extra-labels: { Environment: Production EU, team: shop }',
    'conditions: ["[STATUS] == 200"]',
  );
  assert.equal(checks, [
    {
      name: 'a',
      interval: 150,
      timeout: 2.5,
      tags: ['environment:production-eu', 'team:shop'],
      active: true,
      type: 'web',
      url: 'https://example.com/health?x=1',
      parameters: {
        http_request: {
          method: 'POST',
          headers: { 'X-Version': '1.10', Host: 'internal.example.com' },
          body: 'name=a',
          username: 'user',
          password: 'p@ss',
        },
        follow_redirects: false,
        assertions: { status_codes: [200] },
      },
    },
  ]);
  assert.equal(unmapped, []);
});

test('a GraphQL query is sent as JSON', () => {
  const { checks } = importEndpoint(
    'url: https://example.com/graphql',
    'method: POST',
    'graphql: true',
    'body: "{ users { id } }"',
    'conditions: ["[STATUS] == 200"]',
  );
  const { http_request } = checks[0]?.['parameters'] as { http_request: unknown };
  assert.equal(http_request, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"query":"{ users { id } }"}',
  });
});

test('endpoints of other protocols become the checks that come closest', () => {
  const targetOf = (url: string, condition = '[CONNECTED] == true', ...lines: string[]): unknown => {
    const { checks } = importEndpoint(
      `url: ${JSON.stringify(url)}`,
      `conditions: [${JSON.stringify(condition)}]`,
      ...lines,
    );
    const { type, host, port, parameters } = (checks[0] ?? {}) as Record<string, unknown>;
    return [type, host, port, parameters];
  };
  assert.equal(targetOf('tcp://[::1]:5432'), ['tcp', '::1', 5432, {}]);
  assert.equal(targetOf('tcp://redis:6379', '[BODY] == pat(*PONG*)', 'body: PING'), [
    'tcp',
    'redis',
    6379,
    { send_text: 'PING', search_text: 'PONG' },
  ]);
  assert.equal(targetOf('icmp://example.com', '[CONNECTED] == true', 'client: { network: ip4 }'), [
    'icmp',
    'example.com',
    undefined,
    { ip_version: 'v4' },
  ]);
  assert.equal(targetOf('tls://example.com:465'), ['tcp', 'example.com', 465, { tls: true }]);
  assert.equal(targetOf('tls://example.com:465', '[CERTIFICATE_EXPIRATION] > 48h'), [
    'ssl',
    'example.com',
    465,
    { starttls: 'none', assertions: { expiration_threshold: 172_800 } },
  ]);
  assert.equal(targetOf('starttls://smtp.example.com:587', '[CERTIFICATE_EXPIRATION] > 1h'), [
    'ssl',
    'smtp.example.com',
    587,
    { starttls: 'smtp', assertions: { expiration_threshold: 3_600 } },
  ]);
  assert.equal(targetOf('ssh://example.com'), ['tcp', 'example.com', 22, { search_text: 'SSH-' }]);
  assert.equal(targetOf('wss://example.com/live'), ['tcp', 'example.com', 443, { tls: true }]);
  assert.equal(targetOf('grpc://example.com:9090'), ['tcp', 'example.com', 9_090, {}]);
  assert.equal(targetOf('8.8.8.8', '[BODY] == 192.0.2.1', 'dns: { query-name: example.com., query-type: a }'), [
    'dns',
    'example.com',
    undefined,
    { record_type: 'A', dns_servers: ['8.8.8.8'], expected_answers: ['192.0.2.1'] },
  ]);
});

test('protocols without an equivalent are left out with the closest one', () => {
  for (const url of ['udp://example.com:53', 'sctp://example.com:38412', 'gopher://example.com', 'tcp://example.com']) {
    const { checks, unmapped } = importEndpoint(`url: ${url}`, 'conditions: ["[CONNECTED] == true"]');
    assert.equal(checks, []);
    assert.match(unmapped.join('\n'), /^The endpoint "a" .+ left out; .+\.$/);
  }
});

test('conditions on the registration and the address become further checks', () => {
  const { checks } = importEndpoint(
    'url: https://www.example.co.uk/',
    'interval: 5m',
    'conditions: ["[DOMAIN_EXPIRATION] > 720h", "[IP] == 192.0.2.1"]',
  );
  assert.equal(
    checks.slice(1).map(({ name, type, host, interval, parameters }) => [name, type, host, interval, parameters]),
    [
      [
        'a (domain)',
        'dns',
        'example.co.uk',
        3_600,
        { record_type: 'NS', whois_lookup: true, assertions: { domain_expiration_threshold: 2_592_000 } },
      ],
      ['a (address)', 'dns', 'www.example.co.uk', 300, { record_type: 'A', expected_answers: ['192.0.2.1'] }],
    ],
  );
});

test('settings of the client that have no equivalent are reported', () => {
  const settings = {
    insecure: 'true',
    oauth2: '{ token-url: https://example.com, client-id: id, client-secret: hidden-value, scopes: [a] }',
    'identity-aware-proxy': '{ audience: a }',
    'proxy-url': 'http://proxy:8080',
    'dns-resolver': 'tcp://8.8.8.8:53',
    tls: '{ certificate-file: /a, private-key-file: /b }',
    tunnel: 'jump',
    network: 'ip6',
  };
  for (const [key, value] of Object.entries(settings)) {
    const { unmapped } = importEndpoint(
      'url: https://example.com',
      'conditions: ["[STATUS] == 200"]',
      `client: { ${key}: ${value} }`,
    );
    assert.is(unmapped.length, 1, key);
    assert.not.match(unmapped.join(''), /hidden-value/);
  }
});

test('intervals and timeouts outside of the limits are adapted and reported', () => {
  const { checks, unmapped } = importEndpoint(
    'url: https://example.com',
    'interval: 5s',
    'client: { timeout: 1m }',
    'conditions: ["[STATUS] == 200"]',
  );
  assert.equal([checks[0]?.['interval'], checks[0]?.['timeout']], [30, 30]);
  assert.is(unmapped.length, 2);
});

test('variables of the environment become variables of a configuration, and dollar signs stay', () => {
  const { checks } = importEndpoint(
    'url: https://${HOST}/x',
    'headers: { Authorization: "Bearer $TOKEN", X-Price: "$$5", X-Literal: "$${env:HOME}" }',
    'conditions: ["[BODY].key == ${KEY}"]',
  );
  const { http_request, assertions } = checks[0]?.['parameters'] as {
    http_request: { headers: unknown };
    assertions: { json: { value: unknown }[] };
  };
  assert.is(checks[0]?.['url'], 'https://${env:HOST}/x');
  assert.equal(http_request.headers, {
    Authorization: 'Bearer ${env:TOKEN}',
    'X-Price': '$5',
    'X-Literal': '$${env:HOME}',
  });
  assert.is(assertions.json[0]?.value, '${env:KEY}');
});

const ALERTING = `
alerting:
  slack:
    webhook-url: "\${SLACK_URL}"
    default-alert: { failure-threshold: 5, send-on-resolved: true, description: "is ill" }
    overrides:
      - group: core
        webhook-url: https://hooks.slack.com/services/core
  email: { from: a@example.com, host: smtp.example.com, port: 587, password: hidden-value, to: "ops@example.com,dev@example.com" }
  telegram: { token: "123:abc", id: "-100200" }
  ntfy: { url: "https://ntfy.example.com/", topic: alerts, token: tk_1 }
  discord: { webhook-url: "https://discord.com/api/webhooks/hidden-value" }
  custom:
    url: https://example.com/hook
    method: POST
    headers: { Authorization: "Bearer hidden-value" }
    body: '{"text": "[ALERT_TRIGGERED_OR_RESOLVED]: [ENDPOINT_NAME] - [ALERT_DESCRIPTION]"}'
    placeholders: { ALERT_TRIGGERED_OR_RESOLVED: { TRIGGERED: "down", RESOLVED: "up" } }
`;

const endpointWith = (alerts: string, more = ''): string =>
  `${ALERTING}
endpoints:
  - name: api
    group: core
    url: https://example.com
    conditions: ["[STATUS] == 200"]
    alerts: ${alerts}
    ${more}`;

test('alerting providers become channels, and alerts become rules', () => {
  const { configuration } = importGatus(
    endpointWith(
      '[{ type: slack }, { type: email, success-threshold: 4, failure-threshold: 1 }, { type: telegram, enabled: false }, { type: ntfy, failure-threshold: 12 }]',
    ),
  );
  assert.equal(configuration.channels, [
    { name: 'slack (core)', type: 'slack', configuration: { webhook_url: 'https://hooks.slack.com/services/core' } },
    { name: 'email', type: 'email', configuration: { recipients: ['ops@example.com', 'dev@example.com'] } },
    { name: 'telegram', type: 'telegram', configuration: { bot_token: '123:abc', chat_id: '-100200' } },
    {
      name: 'ntfy',
      type: 'ntfy',
      configuration: { server_url: 'https://ntfy.example.com', topic: 'alerts', token: 'tk_1' },
    },
  ]);
  assert.equal(
    configuration.rules?.map(
      ({ name, channels, condition, condition_parameters, confirmations, recovery_confirmations, enabled }) => ({
        name,
        channels,
        condition,
        condition_parameters,
        confirmations,
        recovery_confirmations,
        enabled,
      }),
    ),
    [
      ['core/api: is ill', ['slack (core)'], 'check_failed', undefined, 5, 2, true],
      ['core/api: down', ['email'], 'check_failed', undefined, 1, 4, true],
      ['core/api: down (2)', ['telegram'], 'check_failed', undefined, 3, 2, false],
      ['core/api: down (3)', ['ntfy'], 'consecutive_failures', { count: 12 }, undefined, 2, true],
    ].map(([name, channels, condition, condition_parameters, confirmations, recovery_confirmations, enabled]) => ({
      name,
      channels,
      condition,
      condition_parameters,
      confirmations,
      recovery_confirmations,
      enabled,
    })),
  );
  assert.equal(configuration.rules?.[0]?.check, { group: 'core', name: 'api' });
});

test('alerts with the same thresholds share a rule', () => {
  const { configuration } = importGatus(endpointWith('[{ type: telegram }, { type: ntfy }]'));
  assert.equal(
    configuration.rules?.map(({ channels }) => channels),
    [['telegram', 'ntfy']],
  );
});

test('a custom alert becomes a webhook with a body template', () => {
  const { configuration } = importGatus(endpointWith('[{ type: custom }]'));
  const { type, configuration: settings } = configuration.channels?.[0] as { type?: string; configuration?: object };
  assert.is(type, 'webhook');
  assert.equal(settings, {
    url: 'https://example.com/hook',
    method: 'POST',
    headers: { Authorization: 'Bearer hidden-value' },
    body_template: '{"text": "{{#fired}}down{{/fired}}{{#resolved}}up{{/resolved}}: {{check.name}} - {{rule.name}}"}',
  });
});

test('providers without an equivalent are reported with the closest one and without their secrets', () => {
  const { configuration, unmapped } = importGatus(endpointWith('[{ type: discord }, { type: teams }]'));
  assert.is(configuration.rules, undefined);
  assert.ok(unmapped.some((sentence) => /recipe for Discord/.test(sentence)));
  assert.ok(unmapped.some((sentence) => /"teams" are left out, because the section "alerting"/.test(sentence)));
  assert.not.match(JSON.stringify(unmapped), /hidden-value/);
});

test('an alert with settings of its own gets a channel of its own', () => {
  const { configuration } = importGatus(
    endpointWith('[{ type: slack, provider-override: { webhook-url: "https://hooks.slack.com/services/own" } }]'),
  );
  assert.equal(
    configuration.channels?.map(({ name }) => name),
    ['slack (own settings)'],
  );
});

test('a limit of the response time of a connection becomes a rule of its own', () => {
  const { configuration } = importGatus(`${ALERTING}
endpoints:
  - name: db
    url: tcp://db:5432
    conditions: ["[CONNECTED] == true", "[RESPONSE_TIME] < 200"]
    alerts: [{ type: slack }]`);
  assert.equal(
    configuration.rules?.map(({ name, condition, condition_parameters }) => [name, condition, condition_parameters]),
    [
      ['db: is ill', 'check_failed', undefined],
      ['db: slow', 'check_degraded', { response_time: 200 }],
    ],
  );
});

test('external endpoints become heartbeats', () => {
  const { configuration, unmapped } = importGatus(`${ALERTING}
external-endpoints:
  - { name: backup, group: Core Jobs, token: hidden-value, heartbeat: { interval: 30m }, alerts: [{ type: ntfy }] }
  - { name: push, token: hidden-value }`);
  assert.equal(configuration.heartbeats, [
    { name: 'backup', period_seconds: 1_800, grace_seconds: 60, active: true, tags: ['core-jobs'], channels: ['ntfy'] },
    { name: 'push', period_seconds: 86_400, grace_seconds: 60, active: true },
  ]);
  assert.not.match(JSON.stringify(unmapped), /hidden-value/);
});

test('recurring maintenance windows of endpoints are reported', () => {
  const { unmapped } = importGatus(`
endpoints:
  - name: web
    url: "https://example.com"
    conditions: ["[STATUS] == 200"]
    maintenance-windows: [{ start: "23:30", duration: 1h }]
external-endpoints: [{ name: backup, token: x, maintenance-windows: [{ start: "23:30", duration: 1h }] }]`);
  for (const expected of ['The endpoint "web" has recurring', 'The external endpoint "backup" has recurring'])
    assert.ok(
      unmapped.some((sentence) => sentence.startsWith(expected)),
      expected,
    );
});

test('the dashboard becomes a page with the endpoints as components by group', () => {
  const { configuration } = importGatus(`
ui: { title: Acme Status, header: Acme, description: All services, logo: "https://example.com/logo.png", link: "https://example.com" }
security: { basic: { username: a } }
endpoints:
  - { name: web, group: core, url: "https://example.com", conditions: ["[STATUS] == 200"], ui: { hide-url: true } }
  - { name: db, url: "tcp://db:5432", conditions: ["[CONNECTED] == true"] }
  - { name: off, enabled: false, url: "tcp://db:5432", conditions: ["[CONNECTED] == true"] }
  - { name: udp, url: "udp://db:53", conditions: ["[CONNECTED] == true"] }`);
  assert.equal(configuration.pages, [
    {
      name: 'Acme Status',
      headline: 'Acme',
      page_description: 'All services',
      url: 'https://example.com',
      company_logo: 'https://example.com/logo.png',
      viewers_must_be_team_members: true,
      show_measurements: true,
      component_groups: [{ name: 'core' }],
      components: [
        { name: 'web', group: 'core', check: { group: 'core', name: 'web' }, show_response_times: true },
        { name: 'db', check: { group: null, name: 'db' }, show_response_times: true },
      ],
    },
  ]);
  assert.equal(
    configuration.checks?.map(({ name, active }) => [name, active]),
    [
      ['web', true],
      ['db', true],
      ['off', false],
    ],
  );
});

test('sections without an equivalent are reported', () => {
  const { unmapped } = importGatus(`
endpoints: [{ name: a, url: "https://example.com", conditions: ["[STATUS] == 200"] }]
maintenance: { start: "23:00", duration: 1h, every: [Monday] }
suites: [{ name: checkout, endpoints: [{ name: a, url: "https://example.com" }] }]
connectivity: { checker: { target: "1.1.1.1:53" } }`);
  assert.is(unmapped.length, 3);
  assert.match(unmapped.join('\n'), /every Monday/);
  assert.match(unmapped.join('\n'), /suite "checkout" with 1 steps/);
});

test('several files are merged as in a folder of Gatus', () => {
  const { configuration } = importGatus(
    'endpoints: [{ name: a, url: "tcp://a:1", conditions: ["[CONNECTED] == true"] }]\nui: { title: T }',
    'endpoints: [{ name: b, url: "tcp://b:1", conditions: ["[CONNECTED] == true"] }]\nui: { header: H }',
  );
  assert.equal(
    configuration.checks?.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.is(configuration.pages?.[0]?.['headline'], 'H');
});

test('anchors and merge keys share settings', () => {
  const { configuration } = importGatus(`
defaults: &defaults { group: core, interval: 5m, conditions: ["[STATUS] == 200"] }
endpoints:
  - { <<: *defaults, name: a, url: "https://example.com" }
  - { <<: *defaults, name: b, url: "https://example.com", interval: 1m }`);
  assert.equal(
    configuration.checks?.map(({ name, group, interval }) => [name, group, interval]),
    [
      ['a', 'core', 300],
      ['b', 'core', 60],
    ],
  );
});

test('equal and long names stay unique', () => {
  const endpoint = `{ name: "${'x'.repeat(150)}", url: "tcp://a:1", conditions: ["[CONNECTED] == true"] }`;
  const { configuration } = importGatus(`endpoints: [${endpoint}, ${endpoint}]`);
  const [first, second] = configuration.checks?.map(({ name }) => name) ?? [];
  assert.is(first?.length, 100);
  assert.is(second, `${'x'.repeat(95)}… (2)`);
});

test('a check that the API would refuse is left out with the reason', () => {
  const { configuration, unmapped } = importGatus(
    'endpoints: [{ name: a, url: "https://exa mple.com", conditions: ["[STATUS] == 200"] }]',
  );
  assert.is(configuration.checks, undefined);
  assert.match(unmapped.join('\n'), /The check "a" is left out, because Uptrail would refuse it: url: /);
});

const refusal = (...texts: string[]): string => {
  try {
    read(texts.map((text, index) => ({ name: `${index + 1}.yaml`, text })));
  } catch (error) {
    assert.instance(error, OperatorError);
    return (error as Error).message;
  }
  throw new Error('The file was not refused.');
};

test('errors name file and line', () => {
  assert.match(refusal('endpoints:\n  - name: a\n    url: [\n'), /^1\.yaml, line \d+: /);
  assert.is(refusal('endpoints:\n  - name: a\n'), '1.yaml, line 2: url is missing.');
  assert.is(
    refusal('endpoints:\n  - name: a\n    url: tcp://a:1\n    interval: soon\n'),
    '1.yaml, line 4: interval must be a duration such as 30s or 5m.',
  );
  assert.is(
    refusal('endpoints:\n  - name: a\n    url: tcp://a:1\n    enabled: maybe\n'),
    '1.yaml, line 4: enabled must be true or false.',
  );
  assert.is(
    refusal('endpoints:\n  - name: a\n    url: tcp://a:1\n    interval: ${INTERVAL}\n'),
    '1.yaml, line 4: interval is a variable; write its value into the file.',
  );
  assert.is(refusal('ui: {}\n', 'x: 1\nendpoints: 5\n'), '2.yaml, line 2: endpoints must be a list.');
  assert.is(refusal('endpoints: 5\n'), '1.yaml, line 1: endpoints must be a list.');
  assert.is(refusal('endpoints:\n  - x\n'), '1.yaml, line 2: 0 of endpoints must be a mapping.');
  assert.is(refusal('a: 1\na: 2\n'), '1.yaml, line 2: The key "a" occurs twice.');
  assert.is(refusal('- a\n'), '1.yaml, line 1: The file must contain a mapping, such as "endpoints:".');
  assert.is(refusal('ui: {}\n'), '1.yaml: There are no endpoints.');
  assert.is(
    refusal('ui: { title: a }\n', 'x: 1\nui:\n  title: b\n'),
    '2.yaml, line 3: title is also set in 1.yaml, line 1.',
  );
});

test('hostile files are refused quickly', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level += 1)
    bomb.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  assert.match(refusal(bomb.join('\n')), /line \d+: At most 500000 values can be imported\.$/);
  assert.match(refusal('a: &a [*a]'), /line 1: The alias "a" contains itself\.$/);
  assert.match(refusal('a: *b'), /The anchor "b" does not exist|Unresolved alias/);
  assert.match(refusal('['.repeat(1_000_000)), /line 1: At most 50 nested values can be imported\.$/);
  assert.match(refusal('- '.repeat(1_000_000)), /line 1: At most 50 nested values can be imported\.$/);
  assert.match(refusal(`a: ${'x'.repeat(5_000_000)}`), /is too large/);
  assert.match(refusal('__proto__: { polluted: true }\nendpoints: []'), /There are no endpoints/);
  assert.is(({} as Record<string, unknown>)['polluted'], undefined);
});

test('an odd endpoint is left out with its position, and the others are imported', () => {
  const { configuration, unmapped } = importGatus(
    'endpoints:\n  - name: a\n    url: https://a.example/\n  - 5\n  - url: https://b.example/',
    `endpoints:
  - { name: c, group: odd, url: https://c.example/, conditions: "[STATUS] == 200" }
  - { name: d, group: odd, url: https://d.example/, alerts: [5] }
  - { name: e, url: https://e.example/ }`,
  );
  assert.equal(
    configuration.checks?.map(({ name }) => name),
    ['a', 'e'],
  );
  assert.is(configuration.check_groups, undefined);
  assert.match(unmapped.join('\n'), /^The endpoint 2 of config\.yaml was left out: .* must be a mapping\.$/m);
  assert.match(unmapped.join('\n'), /^The endpoint 3 of config\.yaml was left out: config\.yaml, line 5: name is/m);
  assert.match(unmapped.join('\n'), /^The endpoint 1 of more\.yaml was left out: .* conditions must be a list\.$/m);
  assert.match(unmapped.join('\n'), /^The endpoint 2 of more\.yaml was left out: /m);
});

test.run();
