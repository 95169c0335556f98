import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFields, type Fields } from '../../domain/fields.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApiExpecting, endPrograms, serve, uptrail, uptrailReading, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const SECRETS = ['t0ken-of-the-test', 'p4ssword-of-the-test', 'hook-of-the-test', 'slack-of-the-test'];

const test = suite('the configuration of a running service as files');
test.after.each(endPrograms);

const CONFIGURATION = `
secrets:
  - { name: API_TOKEN, value: "\${env:TOKEN}" }
check_groups:
  - { name: Shop, color: "#1A7F37" }
  - { name: Team, position: 7 }
checks:
  - name: Api
    group: Shop
    type: web
    url: https://shop.example/
    interval: 300
    active: false
    tags: [prod, team:shop]
    parameters: { http_request: { username: u, password: ${SECRETS[1] ?? ''}, headers: { Accept: text/html } } }
    secrets: [{ secret: API_TOKEN, env_variable: TOKEN }]
  - { name: Cart, group: Shop, type: tcp, host: shop.example, port: 22, interval: 60, active: false }
  - { name: Api, type: dns, host: shop.example, interval: 600, active: false }
channels:
  - { name: Slack, type: slack, configuration: { webhook_url: "https://hooks.slack.com/services/T/B/${SECRETS[3] ?? ''}" } }
  - { name: Hook, type: webhook, configuration: { url: "https://hooks.example.com/${SECRETS[2] ?? ''}" } }
  - { name: Mail, type: email, configuration: { recipients: [ops@example.com] }, enabled: false }
  - { name: Hold, type: statuspage, configuration: { page: Acme, component: Cart, component_status: major_outage } }
rules:
  - { name: Down, check: { group: Shop, name: Api }, condition: check_failed, channels: [Slack, Mail] }
  - { name: Down, check: Cart, condition: uptime_below_threshold, condition_parameters: { threshold: 99 }, channels: [Hold] }
  - { name: Prod, tag: prod, condition: consecutive_failures, condition_parameters: { count: 3 }, channels: [Hook] }
heartbeats:
  - { name: Backup, schedule: "0 3 * * *", time_zone: Europe/Berlin, channels: [Slack, Hook] }
  - { name: Nightly, period_seconds: 3600, active: false }
pages:
  - name: Acme
    subdomain: acme
    headline: Hello
    component_groups: [{ name: Store, start_date: "2026-01-01" }]
    components:
      - { name: Cart, group: Store, check: { group: Shop, name: Api }, start_date: "2026-01-01" }
      - { name: Site, check_tag: prod, start_date: "2026-01-01" }
incident_templates:
  - name: Outage
    page: Acme
    incident_name: Outage of the shop
    components: [{ component: Cart, status: major_outage }]
`;

const LISTS = [
  '/v1/secrets',
  '/v1/check-groups',
  '/v1/checks',
  '/v1/alerts/channels',
  '/v1/alerts/rules?by_tag=true',
  '/v1/heartbeats',
  '/v1/pages',
  '/v1/incident-templates',
];

/** Fields that differ between two services with the same configuration. */
const isOwn = (name: string): boolean =>
  /(?:^id|_id|_ids|_at|_by)$/.test(name) || ['revision', 'ping_url', 'next_expected_ping'].includes(name);

/** Returns a response without ids and times, and with sorted lists. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map(comparable).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (!isFields(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !isOwn(name) && name !== 'managed_by');
  return Object.fromEntries(
    shown.map(([name, one]) => [
      name,
      // The components of a template are named by their ids.
      name === 'components' && isFields(one) ? Object.values(one) : comparable(one),
    ]),
  );
};

const responsesOf = async (program: RunningProgram): Promise<unknown[]> => {
  const get = (path: string) => callApiExpecting<unknown>(program, ADMIN_API_KEY, 200, 'GET', path);
  const lists = await Promise.all(LISTS.map(get));
  const { pages } = (await get('/v1/pages')) as { pages: { id: string }[] };
  const components = await Promise.all(pages.map(({ id }) => get(`/v1/pages/${id}/components`)));
  return [...lists, ...components].map(comparable);
};

/** Starts a service, and returns the environment of commands that use it. */
const started = async (folder: string): Promise<{ program: RunningProgram; environment: Record<string, string> }> => {
  const program = await serve({ DATA_DIR: folder, ADMIN_API_KEY });
  const environment = { UPTRAIL_URL: program.address, UPTRAIL_API_KEY: ADMIN_API_KEY, TOKEN: SECRETS[0] ?? '' };
  return { program, environment };
};

test(
  'an exported configuration gives an empty service the same lists, contains no secret, and changes nothing when it is applied again',
  inTemporaryFolder(async (folder) => {
    const [first, second] = [await started(`${folder}/one`), await started(`${folder}/two`)];
    writeFileSync(`${folder}/uptrail.yaml`, CONFIGURATION);
    const planned = await uptrail(first.environment, 'plan', '-f', `${folder}/uptrail.yaml`);
    assert.is(planned.code, 2, planned.stderr);
    const applied = await uptrail(first.environment, 'apply', '-f', `${folder}/uptrail.yaml`);
    assert.is(applied.code, 0, applied.stdout + applied.stderr);
    const again = await uptrail(first.environment, 'plan', '-f', `${folder}/uptrail.yaml`);
    assert.is(again.code, 0, again.stdout);

    const exported = await uptrail(first.environment, 'export-config');
    assert.is(exported.code, 0, exported.stderr);
    assert.match(exported.stdout, `# yaml-language-server: $schema=${first.program.address}/config.schema.json\n`);
    for (const secret of SECRETS) {
      for (const { stdout, stderr } of [planned, applied, again, exported]) {
        assert.not.match(stdout + stderr, secret);
      }
    }
    const unchanged = await uptrailReading(exported.stdout, first.environment, 'plan', '-f', '-');
    assert.is(unchanged.code, 0, unchanged.stdout);

    const asked = await uptrailReading(exported.stdout, second.environment, 'plan', '-f', '-');
    assert.is(asked.code, 1);
    for (const name of Object.keys(VALUES)) assert.match(asked.stderr, `"${name}":`);
    writeFileSync(`${folder}/values.yaml`, JSON.stringify(VALUES));
    const moved = ['apply', '-f', '-', '--values', `${folder}/values.yaml`];
    const copied = await uptrailReading(exported.stdout, second.environment, ...moved);
    assert.is(copied.code, 0, copied.stdout + copied.stderr);
    assert.equal(await responsesOf(second.program), await responsesOf(first.program));
    const nothing = await uptrailReading(exported.stdout, second.environment, ...moved, '--json');
    assert.equal(JSON.parse(nothing.stdout), {
      created: [],
      changed: [],
      deleted: [],
      unchanged: 20,
      conflicts: [],
      failures: [],
      skipped: [],
    });
  }),
);

const VALUES = {
  'secrets/API_TOKEN/value': '${env:TOKEN}',
  'checks/Shop/Api/parameters.http_request.password': SECRETS[1],
  'channels/Hook/configuration.url': `https://hooks.example.com/${SECRETS[2] ?? ''}`,
  'channels/Slack/configuration.webhook_url': `https://hooks.slack.com/services/T/B/${SECRETS[3] ?? ''}`,
};

test(
  'an object that somebody changes between plan and apply is left as it is and named, and everything else is done',
  inTemporaryFolder(async (folder) => {
    const { program, environment } = await started(`${folder}/data`);
    const check = (name: string, interval: number): Fields => ({
      name,
      type: 'icmp',
      host: 'a.example',
      interval,
      active: false,
    });
    const file = (interval: number): string => JSON.stringify({ checks: [check('A', interval), check('B', interval)] });
    assert.is((await uptrailReading(file(60), environment, 'apply', '-f', '-')).code, 0);

    const { createClient } = await import('../../cli/apply/client.ts');
    const { planConfiguration } = await import('../../cli/apply/plan.ts');
    const { applyPlan } = await import('../../cli/apply/execute.ts');
    const client = createClient({ server: new URL(program.address), key: ADMIN_API_KEY });
    const wanted = JSON.parse(file(90)) as Parameters<typeof planConfiguration>[1];
    const plan = await planConfiguration(client, wanted);
    const listed = await client.list('/v1/checks', 'checks');
    const a = String(listed.find(({ name }) => name === 'A')?.['id']);
    await callApiExpecting(program, ADMIN_API_KEY, 200, 'PATCH', `/v1/checks/${a}`, { interval: 120 });
    const report = await applyPlan(client, plan);
    assert.equal([report.changed, report.conflicts, report.failures], [['check "B"'], ['check "A"'], []]);
    const intervals = (await client.list('/v1/checks', 'checks')).map(({ name, interval }) => [name, interval]);
    assert.equal(intervals.sort(), [
      ['A', 120],
      ['B', 90],
    ]);
    await client.close();
  }),
);

test(
  'a step that the service refuses is reported with its reason, and the steps that need its object with it',
  inTemporaryFolder(async (folder) => {
    const { program, environment } = await started(`${folder}/data`);
    await callApiExpecting(program, ADMIN_API_KEY, 200, 'POST', '/v1/pages', { name: 'Taken', subdomain: 'taken' });
    const configuration = {
      check_groups: [{ name: 'Shop' }],
      pages: [{ name: 'Acme', subdomain: 'taken', components: [{ name: 'Cart' }] }],
    };
    const { code, stdout } = await uptrailReading(JSON.stringify(configuration), environment, 'apply', '-f', '-');
    assert.is(code, 1);
    assert.match(stdout, '+ check group "Shop"');
    assert.match(stdout, /! page "Acme": .*taken/);
    assert.match(stdout, '! component "Acme / Cart": The page "Acme" does not exist.');

    const { createClient } = await import('../../cli/apply/client.ts');
    const { createChecks } = await import('../../cli/apply/bulk.ts');
    const client = createClient({ server: new URL(program.address), key: ADMIN_API_KEY });
    const outcomes: string[] = [];
    const bodies = ['A', 'B\0', 'C'].map((name) => ({
      name,
      type: 'icmp',
      host: 'a.example',
      interval: 60,
      active: false,
    }));
    await createChecks(client, bodies, (index, outcome) => {
      outcomes[index] = 'id' in outcome ? 'created' : outcome.refusal.message;
    });
    await client.close();
    assert.equal(outcomes, ['created', 'name: Must be Unicode text without NUL characters.', 'created']);
  }),
);

test(
  'the service publishes the JSON Schema of the files that the command prints',
  inTemporaryFolder(async (folder) => {
    const { program, environment } = await started(`${folder}/data`);
    const published = await (await fetch(`${program.address}/config.schema.json`)).text();
    const { stdout } = await uptrail(environment, 'config-schema');
    assert.equal(JSON.parse(stdout), JSON.parse(published));
    assert.equal(Object.keys((JSON.parse(published) as { properties: Fields }).properties).includes('checks'), true);
    writeFileSync(`${folder}/out.yaml`, '');
    const { code } = await uptrail(environment, 'export-config', '-o', `${folder}/out.yaml`);
    assert.is(code, 0);
    assert.match(readFileSync(`${folder}/out.yaml`, 'utf8'), /^# yaml-language-server/);
  }),
);

test.run();
