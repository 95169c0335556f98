import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/uptime-kuma/source.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import Database from '../../../../stores/sqlite/driver.ts';
import { inTemporaryFolder } from '../../../service/temporary.ts';
import { assertAccepted } from '../assert-accepted.ts';
import { fields, imported, NOW } from './importing.ts';
import { createKumaDatabase, KUMA_VERSIONS } from './kuma-database.ts';

const test = suite('import from Uptime Kuma');

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
