import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../../service/temporary.ts';
import { fields, imported } from './importing.ts';
import type { KumaRow } from './kuma-database.ts';

const test = suite('monitors of Uptime Kuma');

test(
  'requests keep method, headers, body, encoding and credentials, and no sentence contains a value',
  inTemporaryFolder(async (folder) => {
    const { configuration, unmapped } = imported(folder, '1.23', {
      monitor: [
        {
          id: 1,
          name: 'JSON',
          type: 'http',
          url: 'https://a.example/',
          method: 'POST',
          body: '{"a":1}',
          http_body_encoding: 'json',
          headers: '{"X-Key":"hunter2"}',
          basic_auth_user: 'u',
          basic_auth_pass: 'hunter2',
          auth_method: 'basic',
          accepted_statuscodes_json: '["200","404-404","500-502"]',
          maxredirects: 0,
          timeout: 12,
        },
        {
          id: 2,
          name: 'Form',
          type: 'http',
          url: 'http://user:hunter2@a.example/x',
          method: 'put',
          body: 'a=1',
          http_body_encoding: 'form',
          headers: '{"content-type":"text/plain"}',
        },
        {
          id: 3,
          name: 'OAuth',
          type: 'http',
          url: 'https://a.example/',
          auth_method: 'oauth2-cc',
          oauth_client_secret: 'hunter2',
        },
        { id: 4, name: 'mTLS', type: 'http', url: 'https://a.example/', auth_method: 'mtls', tls_key: 'hunter2' },
        {
          id: 5,
          name: 'Broken',
          type: 'http',
          url: 'https://a.example/',
          headers: '{"a b":"hunter2"',
          body: 'hunter2',
        },
        { id: 6, name: 'No URL', type: 'http', url: 'https://' },
        { id: 7, name: 'Self-signed', type: 'http', url: 'https://a.example/', ignore_tls: 1 },
        { id: 8, name: 'Trusted', type: 'http', url: 'https://a.example/', ignore_tls: 1 },
        { id: 9, name: 'Trace', type: 'keyword', url: 'https://a.example/', method: 'HEAD', keyword: 'hunter2' },
      ],
      monitor_tls_info: [{ monitor_id: 8, info_json: '{"valid":true,"certInfo":{}}' }],
      setting: [{ key: 'tlsExpiryNotifyDays', value: '[30,14]' }],
    });
    assert.equal(fields(configuration.checks, 'JSON')?.['parameters'], {
      http_request: {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Key': 'hunter2' },
        body: '{"a":1}',
        username: 'u',
        password: 'hunter2',
      },
      follow_redirects: false,
      assertions: { status_codes: [200, 404, '500-502'], min_certificate_days: 14 },
    });
    assert.is(fields(configuration.checks, 'JSON')?.['timeout'], 12);
    assert.equal(fields(configuration.checks, 'Form'), {
      ...fields(configuration.checks, 'Form'),
      url: 'http://a.example/x',
      parameters: {
        http_request: {
          method: 'PUT',
          headers: { 'content-type': 'text/plain' },
          body: 'a=1',
          username: 'user',
          password: 'hunter2',
        },
        assertions: { status_codes: ['200-299'] },
      },
    });
    const active = Object.fromEntries((configuration.checks ?? []).map((check) => [check.name, check['active']]));
    assert.equal(active, {
      JSON: true,
      Form: true,
      OAuth: false,
      mTLS: false,
      Broken: false,
      'Self-signed': false,
      Trusted: true,
      Trace: true,
    });
    assert.not.match(unmapped.join('\n'), /hunter2/);
    for (const name of ['OAuth', 'mTLS', 'Broken', 'No URL', 'Self-signed', 'Trusted', 'Trace']) {
      assert.match(unmapped.join('\n'), new RegExp(`"${name}"`));
    }
  }),
);

test(
  'keywords and JSON queries become conditions with the same meaning',
  inTemporaryFolder(async (folder) => {
    const query = (name: string, path: string, operator: string, value: string) => ({
      name,
      type: 'json-query',
      url: 'http://a.example/',
      json_path: path,
      json_path_operator: operator,
      expected_value: value,
    });
    const { configuration, unmapped } = imported(folder, '2.0', {
      monitor: [
        { name: 'has', type: 'keyword', url: 'http://a.example/', keyword: 'Welcome' },
        { name: 'lacks', type: 'keyword', url: 'http://a.example/', keyword: 'Error', invert_keyword: 1 },
        query('text', 'a.b[0].`c d`', '==', 'up'),
        query('number', '$.count', '==', '5'),
        query('greater', 'count', '>', '5'),
        query('least', '$.count', '>=', '5'),
        query('function', '$count(items)', '==', '2'),
        query('filter', 'items[x=1].y', '==', '2'),
      ],
    });
    const json = (name: string) =>
      ((fields(configuration.checks, name)?.['parameters'] as { assertions: { json?: unknown[] } }).assertions.json ??
        [])[0];
    assert.is((fields(configuration.checks, 'has')?.['parameters'] as { search_text: string }).search_text, 'Welcome');
    assert.equal(fields(configuration.checks, 'lacks')?.['parameters'], {
      assertions: { status_codes: ['200-299'], search_text_absent: 'Error' },
    });
    assert.equal(json('text'), { path: '$.a.b[0]["c d"]', operator: 'equals', value: 'up' });
    assert.equal(json('number'), { path: '$[?$.count == 5 || $.count == "5"]', operator: 'exists' });
    assert.equal(json('greater'), { path: '$.count', operator: 'greater_than', value: 5 });
    assert.equal(json('least'), { path: '$[?$.count >= 5]', operator: 'exists' });
    for (const name of ['function', 'filter']) {
      assert.is(fields(configuration.checks, name)?.['active'], false);
      assert.is(json(name), undefined);
    }
    assert.match(unmapped.join('\n'), /"function", "filter": was imported paused without its JSON query/);
  }),
);

test(
  'monitors of every other type become the closest check, or a sentence',
  inTemporaryFolder(async (folder) => {
    const database = (type: string, connection: string) => ({
      name: type,
      type,
      database_connection_string: connection,
    });
    const { configuration, unmapped } = imported(folder, '2.0', {
      monitor: [
        database('postgres', 'postgres://me:pass@db.example:5433/shop'),
        database('mysql', 'mysql://me:p@ss@db.example/shop'),
        database('mongodb', 'mongodb+srv://me:pass@cluster.example/x'),
        database('sqlserver', 'Server=tcp:sql.example,1434;Database=x;User Id=sa;Password=pass'),
        database('redis', 'redis://cache.example'),
        { name: 'mqtt', type: 'mqtt', hostname: 'mqtts://broker.example', port: 8884 },
        { name: 'grpc', type: 'grpc-keyword', grpc_url: 'grpc.example:50051', grpc_enable_tls: 1 },
        { name: 'kafka', type: 'kafka-producer', kafka_producer_brokers: '["k1.example:9093","k2.example:9093"]' },
        {
          name: 'rabbit',
          type: 'rabbitmq',
          rabbitmq_nodes: '["http://rabbit.example:15672/"]',
          rabbitmq_username: 'u',
          rabbitmq_password: 'p',
        },
        { name: 'browser', type: 'real-browser', url: 'https://a.example/', interval: 300 },
        { name: 'snmp', type: 'snmp', hostname: '192.0.2.9' },
        { name: 'smtp', type: 'smtp', hostname: 'mail.example', port: 25 },
        { name: 'minecraft', type: 'gamedig', game: 'minecraft', hostname: 'mc.example', port: 25565 },
        { name: 'docker', type: 'docker', docker_container: 'web' },
        { name: 'closed', type: 'port', hostname: '192.0.2.1', port: 23, upside_down: 1 },
        { name: 'gone', type: 'http', url: 'http://a.example/', upside_down: 1 },
        { name: 'future', type: 'quantum' },
        {
          name: 'dns',
          type: 'dns',
          hostname: 'a.example',
          dns_resolve_type: 'A',
          conditions:
            '[{"type":"expression","variable":"record","operator":"equals","value":"192.0.2.1","andOr":"and"}]',
        },
        { name: 'ping', type: 'ping', hostname: '2001:db8::1', ping_count: 3, ip_family: 'ipv6' },
      ],
    });
    const shown = Object.fromEntries(
      (configuration.checks ?? []).map(({ name, type, host, port, url, active }) => [
        name,
        [type, host ?? url ?? null, port ?? null, active],
      ]),
    );
    assert.equal(shown, {
      postgres: ['tcp', 'db.example', 5433, true],
      mysql: ['tcp', 'db.example', 3306, true],
      mongodb: ['dns', '_mongodb._tcp.cluster.example', null, true],
      sqlserver: ['tcp', 'sql.example', 1434, true],
      redis: ['tcp', 'cache.example', 6379, true],
      mqtt: ['tcp', 'broker.example', 8884, true],
      grpc: ['tcp', 'grpc.example', 50051, true],
      kafka: ['tcp', 'k1.example', 9093, true],
      rabbit: ['web', 'http://rabbit.example:15672/api/health/checks/alarms/', null, true],
      browser: ['synthetic', null, null, true],
      snmp: ['icmp', '192.0.2.9', null, true],
      smtp: ['tcp', 'mail.example', 25, true],
      minecraft: ['tcp', 'mc.example', 25565, true],
      closed: ['portscan', '192.0.2.1', null, true],
      gone: ['web', 'http://a.example/', null, false],
      dns: ['dns', 'a.example', null, true],
      ping: ['icmp', '2001:db8::1', null, true],
    });
    assert.match(unmapped.join('\n'), /"docker": was not imported/);
    assert.match(unmapped.join('\n'), /"future": was not imported, because the type "quantum" is not known/);
    assert.not.match(unmapped.join('\n'), /pass@|p@ss/);
  }),
);

test(
  'a monitor that Globalping measures becomes the check that measures the same',
  inTemporaryFolder(async (folder) => {
    const measured = (subtype: string, more: KumaRow) => ({
      type: 'globalping',
      subtype,
      location: 'Berlin',
      json_path: '$',
      json_path_operator: '==',
      ...more,
    });
    const web = { url: 'https://a.example/' };
    const { configuration, unmapped } = imported(folder, '2.0', {
      monitor: [
        measured('ping', { name: 'ping', hostname: 'a.example', protocol: 'ICMP' }),
        measured('ping', { name: 'port', hostname: 'a.example', protocol: 'TCP', port: 22 }),
        measured('http', { name: 'http', ...web, protocol: 'HTTP2' }),
        measured('http', { name: 'keyword', ...web, keyword: 'Welcome' }),
        measured('http', { name: 'query', ...web, json_path: '$.status', expected_value: 'up' }),
        measured('dns', { name: 'dns', hostname: 'a.example', dns_resolve_type: 'MX' }),
        measured('mtr', { name: 'mtr', hostname: 'a.example' }),
      ],
    });
    assert.equal(
      configuration.checks?.map(({ name, type, active }) => [name, type, active]),
      [
        ['ping', 'icmp', true],
        ['port', 'tcp', true],
        ['http', 'web', true],
        ['keyword', 'web', true],
        ['query', 'web', true],
        ['dns', 'dns', true],
      ],
    );
    assert.is(fields(configuration.checks, 'port')?.['port'], 22);
    const parameters = (name: string) => fields(configuration.checks, name)?.['parameters'] as Record<string, unknown>;
    assert.is(parameters('http')['search_text'], undefined);
    assert.is(parameters('keyword')['search_text'], 'Welcome');
    assert.equal((parameters('query')['assertions'] as { json: unknown }).json, [
      { path: '$.status', operator: 'equals', value: 'up' },
    ]);
    assert.match(unmapped.join('\n'), /"mtr": was not imported, because the measurement of Globalping/);
  }),
);

test(
  'a check that cannot accept all status codes of its monitor is imported paused',
  inTemporaryFolder(async (folder) => {
    const accepting = (name: string, ...codes: string[]) => ({
      name,
      type: 'http',
      url: 'http://a.example/',
      accepted_statuscodes_json: JSON.stringify(codes),
    });
    const { configuration, unmapped } = imported(folder, '1.23', {
      monitor: [accepting('odd', '200-299', '999'), accepting('all', '100-999')],
    });
    assert.equal(
      configuration.checks?.map(({ active, parameters }) => [active, parameters]),
      [
        [false, { assertions: { status_codes: ['200-299'] } }],
        [true, { assertions: { status_codes: ['100-599'] } }],
      ],
    );
    assert.match(unmapped.join('\n'), /^"odd": was imported paused, because it accepts status codes above 599/m);
  }),
);

test(
  'intervals, retries and resends beyond the limits are adjusted, and a sentence says so',
  inTemporaryFolder(async (folder) => {
    const { configuration, unmapped } = imported(folder, '1.23', {
      monitor: [
        { name: 'fast', type: 'http', url: 'http://a.example/', interval: 20, resend_interval: 5, timeout: 48 },
        { name: 'slow', type: 'http', url: 'http://a.example/', interval: 604800, maxretries: 20 },
        { name: 'job', type: 'push', interval: 20, maxretries: 3, retry_interval: 30 },
      ],
      notification: [{ id: 1, name: 'N', config: '{"type":"smtp","smtpTo":"a@example.com"}' }],
      monitor_notification: [{ monitor_id: 2, notification_id: 1 }],
    });
    assert.equal(
      configuration.checks?.map(({ interval, timeout }) => [interval, timeout]),
      [
        [30, 30],
        [86400, 30],
      ],
    );
    assert.is(configuration.rules?.[0]?.['confirmations'], 10);
    assert.is(configuration.heartbeats?.[0]?.['period_seconds'], 60);
    assert.is(configuration.heartbeats?.[0]?.['grace_seconds'], 90);
    const all = unmapped.join('\n');
    for (const part of [
      /runs every 30 s/,
      /runs every day/,
      /repeats notifications/,
      /time limit of 30 s/,
      /10 failures/,
      /every 60 s/,
    ]) {
      assert.match(all, part);
    }
  }),
);

test.run();
