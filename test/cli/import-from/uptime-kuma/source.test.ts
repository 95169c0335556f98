import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/uptime-kuma/source.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import Database from '../../../../stores/sqlite/driver.ts';
import { inTemporaryFolder } from '../../../service/temporary.ts';
import { assertAccepted } from '../assert-accepted.ts';
import { createKumaDatabase, KUMA_VERSIONS, type KumaRow, type KumaTables } from './kuma-database.ts';

const NOW = '2026-03-01T12:00:00.000000';
const test = suite('import from Uptime Kuma');

const imported = (folder: string, version: (typeof KUMA_VERSIONS)[number], tables: KumaTables) => {
  const file = join(folder, 'kuma.db');
  createKumaDatabase(file, version, tables);
  const result = read(file, NOW);
  assertAccepted(result.configuration);
  return result;
};

const fields = (list: readonly { name: string }[] | undefined, name: string) =>
  list?.find((one) => one.name === name) as Record<string, unknown> | undefined;

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    assert.instance(error, OperatorError);
    return (error as Error).message;
  }
  throw new Error('The file was read.');
};

for (const version of KUMA_VERSIONS) {
  test(
    `a database of version ${version} gives the checks, tags, rules and pages of its tables`,
    inTemporaryFolder(async (folder) => {
      const { configuration } = imported(folder, version, {
        monitor: [
          {
            id: 1,
            name: 'Shop',
            type: 'http',
            url: 'https://shop.example.com/',
            interval: 60,
            maxretries: 2,
            retry_interval: 60,
          },
          {
            id: 2,
            name: 'DNS',
            type: 'dns',
            hostname: 'example.com',
            dns_resolve_type: 'MX',
            dns_resolve_server: '1.1.1.1,8.8.8.8',
            port: 5353,
          },
          { id: 3, name: 'Backup', type: 'push', interval: 3600, push_token: 'secret-token', active: 0 },
        ],
        tag: [{ id: 1, name: 'Env', color: '#fff' }],
        monitor_tag: [{ monitor_id: 1, tag_id: 1, value: 'Prod EU' }],
        notification: [
          {
            id: 1,
            name: 'Mail',
            config: JSON.stringify({ type: 'smtp', smtpTo: 'Ops <ops@example.com>, b@example.com' }),
          },
        ],
        monitor_notification: [{ monitor_id: 1, notification_id: 1 }],
        status_page: [
          { id: 1, slug: 'Main_Page', title: 'Main', description: 'All', icon: '/icon.svg', theme: 'light' },
        ],
        group: [{ id: 1, name: 'Web', status_page_id: 1, public: 1 }],
        monitor_group: [{ monitor_id: 1, group_id: 1 }],
      });
      assert.equal(fields(configuration.checks, 'Shop'), {
        name: 'Shop',
        type: 'web',
        url: 'https://shop.example.com/',
        timeout: 30,
        interval: 60,
        active: true,
        parameters: { assertions: { status_codes: ['200-299'], min_certificate_days: 7 } },
        tags: ['env:prod-eu'],
        group: null,
      });
      assert.equal(fields(configuration.checks, 'DNS')?.['parameters'], {
        record_type: 'MX',
        dns_servers: ['1.1.1.1:5353', '8.8.8.8:5353'],
      });
      assert.is(fields(configuration.heartbeats, 'Backup')?.['period_seconds'], 3600);
      assert.is(fields(configuration.heartbeats, 'Backup')?.['active'], false);
      assert.equal(configuration.rules, [
        {
          name: 'Shop',
          condition: 'check_failed',
          severity: 'high',
          confirmations: 3,
          cooldown_period: 0,
          check: 'Shop',
          channels: ['Mail'],
        },
      ]);
      assert.equal(fields(configuration.channels, 'Mail')?.['configuration'], {
        recipients: ['ops@example.com', 'b@example.com'],
      });
      const [page] = configuration.pages ?? [];
      assert.is(page?.['subdomain'], 'main-page');
      assert.equal(page?.components, [{ name: 'Shop', group: 'Web', position: 1, check: 'Shop' }]);
      assert.not.match(JSON.stringify(configuration), /secret-token/);
    }),
  );
}

test(
  'groups of monitors become check groups, and equal names in different groups stay',
  inTemporaryFolder(async (folder) => {
    const { configuration, unmapped } = imported(folder, '2.0', {
      monitor: [
        { id: 1, name: 'Shop', type: 'group', description: 'The shop', active: 0 },
        { id: 2, name: 'Payments', type: 'group', parent: 1 },
        { id: 3, name: 'API', type: 'port', hostname: '192.0.2.1', port: 443, parent: 1 },
        { id: 4, name: 'API', type: 'port', hostname: '192.0.2.2', port: 443, parent: 2 },
        { id: 5, name: 'API', type: 'port', hostname: '192.0.2.3', port: 443 },
        { id: 6, name: 'API', type: 'port', hostname: '192.0.2.4', port: 443, parent: 2 },
      ],
      notification: [
        {
          id: 1,
          name: 'N',
          config: JSON.stringify({ type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T/B/x' }),
        },
      ],
      monitor_notification: [
        { monitor_id: 2, notification_id: 1 },
        { monitor_id: 5, notification_id: 1 },
      ],
    });
    assert.equal(configuration.check_groups, [
      { name: 'Shop', description: 'The shop', active: false },
      { name: 'Shop / Payments', active: false },
    ]);
    assert.equal(
      configuration.checks?.map(({ group, name, host, tags }) => [group, name, host, tags]),
      [
        ['Shop', 'API', '192.0.2.1', []],
        ['Shop / Payments', 'API', '192.0.2.2', ['group:payments']],
        [null, 'API (3)', '192.0.2.3', []],
        ['Shop / Payments', 'API (2)', '192.0.2.4', ['group:payments']],
      ],
    );
    assert.is(fields(configuration.rules, 'Shop / Payments')?.['tag'], 'group:payments');
    assert.ok(unmapped.some((sentence) => sentence.includes('once for each of them')));
  }),
);

test(
  'a push monitor gets the notifications of its groups, and is paused with them',
  inTemporaryFolder(async (folder) => {
    const mail = (id: number, name: string) => ({
      id,
      name,
      config: JSON.stringify({ type: 'smtp', smtpTo: `${name}@example.com` }),
    });
    const { configuration, unmapped } = imported(folder, '2.0', {
      monitor: [
        { id: 1, name: 'Shop', type: 'group' },
        { id: 2, name: 'Jobs', type: 'group', parent: 1 },
        { id: 3, name: 'Backup', type: 'push', parent: 2 },
        { id: 4, name: 'Report', type: 'push' },
        { id: 5, name: 'Old', type: 'group', active: 0 },
        { id: 6, name: 'Import', type: 'push', parent: 5 },
        { id: 7, name: 'Export', type: 'push', parent: 5, active: 0 },
      ],
      notification: [mail(1, 'own'), mail(2, 'inner'), mail(3, 'outer')],
      monitor_notification: [
        { monitor_id: 3, notification_id: 1 },
        { monitor_id: 2, notification_id: 1 },
        { monitor_id: 2, notification_id: 2 },
        { monitor_id: 1, notification_id: 3 },
      ],
    });
    assert.equal(
      configuration.heartbeats?.map(({ name, active, channels }) => [name, active, [...(channels ?? [])].sort()]),
      [
        ['Backup', true, ['inner', 'outer', 'own']],
        ['Report', true, []],
        ['Import', false, []],
        ['Export', false, []],
      ],
    );
    assert.match(unmapped.join('\n'), /^"Import": was imported paused, because its group is paused\./m);
  }),
);

test(
  'two checks whose names would collide outside of groups get different names',
  inTemporaryFolder(async (folder) => {
    const { configuration } = imported(folder, '1.18', {
      monitor: ['A', 'A', ' A ', '', 'é'.repeat(150)].map((name, index) => ({
        id: index + 1,
        name,
        type: 'ping',
        hostname: 'host',
      })),
    });
    assert.equal(
      configuration.checks?.map(({ name }) => name),
      ['A', 'A (2)', 'A (3)', 'Monitor', 'é'.repeat(100)],
    );
  }),
);

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

test(
  'single maintenances in the future and incidents of pages are read with their times',
  inTemporaryFolder(async (folder) => {
    const single = (id: number, more: Record<string, string | number | null>) => ({
      id,
      title: `M${id}`,
      description: 'Disks',
      strategy: 'single',
      start_date: '2026-07-01 10:00:00',
      end_date: '2026-07-01 12:00:00',
      timezone: 'Europe/Berlin',
      ...more,
    });
    const { incidents, unmapped } = imported(folder, '1.23', {
      monitor: [{ id: 1, name: 'Web', type: 'http', url: 'http://a.example/' }],
      status_page: [{ id: 1, slug: 'x', title: 'Page', icon: '', theme: 'auto' }],
      group: [{ id: 1, name: 'G', status_page_id: 1 }],
      monitor_group: [{ monitor_id: 1, group_id: 1 }],
      maintenance: [
        single(1, {}),
        single(2, { end_date: '2026-02-01 12:00:00', start_date: '2026-02-01 10:00:00' }),
        single(3, { strategy: 'recurring-weekday' }),
        single(4, { strategy: 'manual' }),
        single(5, { timezone: 'SAME_AS_SERVER' }),
        single(6, { active: 0 }),
      ],
      maintenance_status_page: [1, 2, 3, 4, 5, 6].map((id) => ({ maintenance_id: id, status_page_id: 1 })),
      monitor_maintenance: [{ maintenance_id: 1, monitor_id: 1 }],
      setting: [{ key: 'serverTimezone', value: '"Asia/Tokyo"' }],
      incident: [
        {
          id: 1,
          title: 'Slow',
          content: 'We look',
          style: 'danger',
          created_date: '2026-01-02 03:04:05',
          status_page_id: 1,
        },
        {
          id: 2,
          title: 'Old',
          content: 'Was down',
          style: 'info',
          created_date: '2025-01-02 03:04:05',
          last_updated_date: '2025-01-03 00:00:00',
          pin: 0,
          status_page_id: 1,
        },
        { id: 3, title: 'Of a deleted page', content: 'x', created_date: '2025-01-01 00:00:00', status_page_id: 9 },
      ],
    });
    assert.equal(
      incidents?.map(({ name, kind, impact, schedule, updates }) => [
        name,
        kind,
        impact,
        schedule?.['scheduled_for'] ?? null,
        updates.map(({ status, created_at }) => `${status} ${created_at}`),
      ]),
      [
        [
          'Old',
          'incident',
          'none',
          null,
          ['investigating 2025-01-02T03:04:05.000000', 'resolved 2025-01-03T00:00:00.000000'],
        ],
        ['Slow', 'incident', 'major', null, ['investigating 2026-01-02T03:04:05.000000']],
        ['M5', 'maintenance', 'maintenance', '2026-07-01T01:00:00.000000', ['scheduled 2026-07-01T01:00:00.000000']],
        ['M1', 'maintenance', 'maintenance', '2026-07-01T08:00:00.000000', ['scheduled 2026-07-01T08:00:00.000000']],
      ],
    );
    assert.equal(
      incidents?.map(({ source_id, source_row }) => [source_id, source_row]),
      [
        ['uptime-kuma:incident-2:2025-01-02 03:04:05', 'uptime-kuma:incident-2'],
        ['uptime-kuma:incident-1:2026-01-02 03:04:05', 'uptime-kuma:incident-1'],
        ['uptime-kuma:maintenance-5:x:M5', 'uptime-kuma:maintenance-5'],
        ['uptime-kuma:maintenance-1:x:M1', 'uptime-kuma:maintenance-1'],
      ],
    );
    assert.equal(incidents?.[3]?.updates[0]?.components, [
      { component: { group: 'G', name: 'Web' }, status: 'under_maintenance' },
    ]);
    assert.match(unmapped.join('\n'), /"M3": is a maintenance that recurs/);
    assert.match(unmapped.join('\n'), /"M4": is a maintenance without times/);
  }),
);

test(
  'the JSON backup of version 1.x gives monitors, tags and notifications',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'backup.json');
    writeFileSync(
      file,
      JSON.stringify({
        version: '1.23.11',
        notificationList: [
          { id: 4, name: 'Hook', active: true, isDefault: true, config: '{"type":"ntfy","ntfytopic":"ops"}' },
        ],
        monitorList: [
          { id: 7, name: 'Group', type: 'group', active: true },
          {
            id: 8,
            name: 'Shop',
            type: 'keyword',
            url: 'https://a.example/',
            interval: 60,
            active: false,
            keyword: 'x',
            invertKeyword: true,
            maxretries: 1,
            retryInterval: 60,
            expiryNotification: false,
            accepted_statuscodes: ['200-299', '404'],
            parent: 7,
            notificationIDList: { 4: true, 5: false },
            tags: [{ tag_id: 1, monitor_id: 8, value: '', name: 'Prod', color: '#000' }],
            kafkaProducerBrokers: [],
          },
        ],
        proxyList: [],
      }),
    );
    const { configuration, unmapped } = read(file, NOW);
    assertAccepted(configuration);
    assert.equal(configuration.checks, [
      {
        name: 'Shop',
        type: 'web',
        url: 'https://a.example/',
        timeout: 30,
        interval: 60,
        active: false,
        parameters: { assertions: { status_codes: ['200-299', 404], search_text_absent: 'x' } },
        tags: ['prod'],
        group: 'Group',
      },
    ]);
    assert.equal(
      configuration.rules?.map(({ check, channels }) => [check, channels]),
      [[{ group: 'Group', name: 'Shop' }, ['Hook']]],
    );
    assert.match(unmapped.join('\n'), /no notification by default/);
  }),
);

test(
  'every type of notification that has an equivalent becomes a channel that the service accepts',
  inTemporaryFolder(async (folder) => {
    const url = 'https://hooks.example.com/a';
    const configs = [
      {
        type: 'webhook',
        webhookURL: url,
        webhookContentType: 'json',
        webhookAdditionalHeaders: '{"X-Token":"s3cret","Content-Type":"application/json"}',
      },
      {
        type: 'webhook',
        webhookURL: url,
        webhookContentType: 'custom',
        webhookCustomBody: '{"t":"{{ msg }}","m":"{{ monitorJSON[\'name\'] }}","s":{{heartbeatJSON.status}}}',
      },
      {
        type: 'webhook',
        webhookURL: url,
        webhookContentType: 'custom',
        webhookCustomBody: '{"t":"{% if x %}{{ y }}{% endif %}"}',
      },
      { type: 'telegram', telegramBotToken: '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', telegramChatID: '-1001' },
      { type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T/B/x' },
      { type: 'mattermost', mattermostWebhookUrl: 'https://mm.example.com/hooks/x' },
      {
        type: 'ntfy',
        ntfyserverurl: 'https://ntfy.example.com',
        ntfytopic: 'ops',
        ntfyAuthenticationMethod: 'accessToken',
        ntfyaccesstoken: 'tk_s3cret',
      },
      { type: 'discord', discordWebhookUrl: url },
      { type: 'teams', webhookUrl: url },
      { type: 'PagerDuty', pagerdutyIntegrationKey: 's3cret"{{x' },
      { type: 'Opsgenie', opsgenieApiKey: 's3cret', opsgenieRegion: 'eu' },
      { type: 'gotify', gotifyserverurl: 'https://gotify.example.com/', gotifyapplicationToken: 's3cret' },
      { type: 'matrix', homeserverUrl: 'https://matrix.example.com', internalRoomId: '!a:b', accessToken: 's3cret' },
      {
        type: 'HomeAssistant',
        homeAssistantUrl: 'https://ha.example.com',
        longLivedAccessToken: 's3cret',
        notificationService: 'notify',
      },
      { type: 'signal', signalURL: url, signalNumber: '+1', signalRecipients: '+2,+3' },
      { type: 'pushover', pushoverapptoken: 's3cret', pushoveruserkey: 's3cret' },
      ...['DingDing', 'Feishu', 'GoogleChat', 'GrafanaOncall', 'WeCom'].map((type) => ({
        type,
        webHookUrl: url,
        feishuWebHookUrl: url,
        googleChatWebhookURL: url,
        GrafanaOncallURL: url,
        weComBotKey: 's3cret',
      })),
      { type: 'rocket.chat', rocketwebhookURL: 'https://rocket.example.com/hooks/x' },
    ];
    const { configuration, unmapped } = imported(folder, '2.0', {
      notification: [
        ...configs.map((config, index) => ({ name: `${config.type} ${index}`, config: JSON.stringify(config) })),
        { name: 'pigeon', config: '{"type":"pigeon"}' },
        { name: 'damaged', config: '{"type":' },
      ],
    });
    assert.is(configuration.channels?.length, configs.length);
    assert.not.match(unmapped.join('\n'), /s3cret|hooks\.example/);
    assert.match(
      unmapped.join('\n'),
      /"pigeon": was not imported, because Uptrail has no channel of the type "pigeon"/,
    );
    assert.match(unmapped.join('\n'), /"damaged": was not imported, because its configuration is not readable\./);
  }),
);

test(
  'a notification whose credentials a channel cannot have says so',
  inTemporaryFolder(async (folder) => {
    const ntfy = { type: 'ntfy', ntfyserverurl: 'https://ntfy.example.com', ntfytopic: 'ops' };
    const configs = {
      signed: { type: 'DingDing', webHookUrl: 'https://hooks.example.com/a', secretKey: 's3cret' },
      unsigned: { type: 'DingDing', webHookUrl: 'https://hooks.example.com/a' },
      'with password': { ...ntfy, ntfyusername: 'me', ntfypassword: 's3cret' },
      'without password': { ...ntfy, ntfyAuthenticationMethod: 'none', ntfyusername: 'me', ntfypassword: 's3cret' },
    };
    const { configuration, unmapped } = imported(folder, '1.18', {
      notification: Object.entries(configs).map(([name, config]) => ({ name, config: JSON.stringify(config) })),
    });
    assert.is(configuration.channels?.length, 4);
    assert.match(unmapped.join('\n'), /^"signed": does not sign its messages, so DingDing refuses them\./m);
    assert.match(unmapped.join('\n'), /^"with password": was imported without user name and password\./m);
    assert.not.match(JSON.stringify([configuration, unmapped]), /s3cret/);
  }),
);

test(
  'reading a database changes neither it nor its folder',
  inTemporaryFolder(async (folder) => {
    const own = join(folder, 'own');
    mkdirSync(own);
    createKumaDatabase(join(own, 'kuma.db'), '1.23', { monitor: [{ name: 'A', type: 'ping', hostname: 'a' }] });
    const before = readFileSync(join(own, 'kuma.db'));
    assert.is(read(own, NOW).configuration.checks?.length, 1);
    assert.ok(before.equals(readFileSync(join(own, 'kuma.db'))));
    assert.equal(readdirSync(own), ['kuma.db']);
  }),
);

test(
  'damaged files, other databases and other texts are refused with a sentence that names the file',
  inTemporaryFolder(async (folder) => {
    const at = (name: string): string => join(folder, name);
    createKumaDatabase(at('good.db'), '2.0', {
      monitor: Array.from({ length: 300 }, (_, index) => ({
        name: `M${index}`,
        type: 'http',
        url: 'http://a.example/',
        body: 'x'.repeat(500),
      })),
    });
    const content = readFileSync(at('good.db'));
    writeFileSync(at('cut.db'), content.subarray(0, content.length / 2));
    writeFileSync(
      at('noise.db'),
      Buffer.concat([content.subarray(0, 4096), Buffer.alloc(content.length - 4096, 0xa5)]),
    );
    writeFileSync(at('text.json'), '{"monitors": []}');
    writeFileSync(at('empty'), '');
    const other = new Database(at('other.db'));
    other.exec('CREATE TABLE customer (id INTEGER)');
    other.close();
    for (const name of ['cut.db', 'noise.db', 'text.json', 'empty', 'other.db', 'absent.db']) {
      assert.match(
        refusal(() => read(at(name), NOW)),
        new RegExp(`${name.replace('.', '\\.')}: `),
      );
    }
  }),
);

test(
  'a view, a computed column and hostile values run no query and break nothing',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'kuma.db');
    const database = new Database(file);
    const forever = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT';
    database.exec(`CREATE VIEW notification AS ${forever} max(x) AS id, 'x' AS name FROM n`);
    database.exec(
      'CREATE TABLE monitor (id, name, type, url, hostname, port, interval, parent, headers, active, accepted_statuscodes_json, body TEXT AS (hex(zeroblob(100000000))) VIRTUAL)',
    );
    const insert = database.prepare(
      'INSERT INTO monitor (id, name, type, url, hostname, port, interval, parent, headers, active, accepted_statuscodes_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    insert.run(1, 'loop', 'group', null, null, null, null, 2, null, 1, null);
    insert.run(2, 'loop', 'group', null, null, null, null, 1, null, 1, null);
    insert.run(
      3,
      '__proto__',
      'http',
      'http://a.example/',
      null,
      null,
      'soon',
      1,
      '{"__proto__":"x","constructor":"y"}',
      'x',
      '{"a":1}',
    );
    insert.run(4, Buffer.from([0, 255]), 'port', null, Buffer.from('x'), -1, -5, 4, '[]', null, '[]');
    insert.run(5, '=cmd()\u001b[31m', 'constructor', null, null, null, 1e308, 99, null, 1, 'null');
    insert.run(5, 'twice', 'ping', null, 'a b', 1.5, 60, null, null, 1, null);
    database.close();
    const { configuration } = read(file, NOW);
    assertAccepted(configuration);
    assert.equal(
      configuration.checks?.map(({ name }) => name),
      ['__proto__'],
    );
  }),
);

test(
  'a table with more rows than an installation has is refused',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'kuma.db');
    createKumaDatabase(file, '1.18', {});
    const database = new Database(file);
    database.exec(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50001) INSERT INTO monitor (name, type) SELECT 'm', 'ping' FROM n",
    );
    database.close();
    assert.match(
      refusal(() => read(file, NOW)),
      /The table "monitor" has more than 50000 rows/,
    );
  }),
);

test.run();
