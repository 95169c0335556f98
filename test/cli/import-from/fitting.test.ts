import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { createServiceTarget } from '../../../cli/import-from/service-target.ts';
import type { Fields } from '../../../domain/fields.ts';
import { startService } from '../../api/service.ts';
import { wholeClient } from './service-client.ts';
import { imported as importedFile } from './uptimerobot/importing.ts';

const test = suite('imported objects and those that exist');
const service = await startService();
test.after(() => service.stop());
const client = wholeClient(service.request, service.first.keys.admin);
const target = createServiceTarget(client, { environment: {} });

const imported = async (configuration: Configuration) => {
  const plan = await target.planConfiguration(configuration);
  const planned = [...plan.remarks];
  const failed = await plan.apply();
  assert.equal(failed, []);
  assert.equal(plan.remarks, planned);
  return plan;
};
const checks = async (): Promise<Fields[]> => client.list('/v1/checks', 'checks');
const named = async (name: string): Promise<Fields> => {
  const found = (await checks()).filter((check) => check['name'] === name);
  assert.is(found.length, 1, name);
  return found[0] ?? {};
};
const web = (name: string, fields: Fields = {}) => ({
  name,
  type: 'web',
  url: 'https://example.com/',
  interval: 60,
  ...fields,
});
const ping = (name: string, fields: Fields = {}) => ({
  name,
  type: 'icmp',
  host: 'example.com',
  interval: 60,
  ...fields,
});
const webhook = (name: string) => ({ name, type: 'webhook', configuration: { url: 'https://example.com/hook' } });

test('an entry with the name of an object of another type is renamed, and is found again', async () => {
  await client.write('POST', '/v1/checks', web('shop'));
  await client.write('POST', '/v1/checks', web('shop (2)'));
  const channel = { name: 'ops', type: 'email', configuration: { recipients: ['ops@example.com'] } };
  await client.write('POST', '/v1/alerts/channels', channel);
  const configuration: Configuration = {
    checks: [web('other'), ping('shop')],
    channels: [webhook('ops')],
    rules: [{ name: 'shop is down', condition: 'check_failed', check: 'shop', channels: ['ops'] }],
    pages: [{ name: 'Shop', subdomain: 'shop', components: [{ name: 'Shop', check: { group: null, name: 'shop' } }] }],
  };
  const { remarks } = await imported(configuration);
  assert.equal(remarks, [
    'channel "ops" has the name of a channel of another type, which exists already. It is imported as "ops (2)".',
    'check "shop" has the name of a check of another type, which exists already. It is imported as "shop (3)".',
  ]);
  assert.is((await named('shop'))['type'], 'web');
  const renamed = await named('shop (3)');
  assert.is(renamed['type'], 'icmp');
  const [rule] = (await client.get('/v1/alerts/rules')) as Fields[];
  assert.is(rule?.['check_id'], renamed['id']);
  const [page] = await client.list('/v1/pages', 'pages');
  const [component] = (await client.get(`/v1/pages/${String(page?.['id'])}/components`)) as Fields[];
  assert.is(component?.['check_id'], renamed['id']);

  const again = await imported(configuration);
  assert.equal(again.changes, []);
  assert.equal(again.remarks, remarks);
});

test('an entry with a problem is left out with what needs it, and the others are imported', async () => {
  const { remarks, changes } = await imported({
    checks: [web('fine'), web('fast', { interval: 1 }), web('lost', { group: 'nowhere' })],
    channels: [webhook('pager'), { ...webhook('broken'), configuration: {} }],
    rules: [
      { name: 'fast is down', condition: 'check_failed', check: 'fast', channels: ['pager'] },
      { name: 'fine is down', condition: 'check_failed', check: 'fine', channels: ['broken', 'pager'] },
    ],
  });
  assert.equal(
    changes.map(({ kind, name }) => `${kind} ${name ?? ''}`),
    ['check fine', 'channel pager', 'rule fine / fine is down'],
  );
  assert.is(remarks.length, 5);
  assert.match(remarks[0] ?? '', /^check "fast" is left out: interval: /);
  assert.match(remarks.join('\n'), /^check "nowhere \/ lost" is left out: group: /m);
  assert.match(remarks.join('\n'), /^channel "broken" is left out: configuration\.url: /m);
  assert.match(remarks.join('\n'), /^rule "fast \/ fast is down" is left out: check: /m);
  assert.match(remarks.join('\n'), /^rule "fine \/ fine is down" lacks a channel: No channel is named "broken"\./m);
  assert.not.match(remarks.join('\n'), /\[\d/);
});

test('an object that exists is changed with a sentence, and stays paused', async () => {
  await client.write('POST', '/v1/checks', web('Hand', { interval: 600, active: false }));
  const plan = await target.planConfiguration({ checks: [web('Hand', { interval: 60, active: true })] });
  assert.equal(plan.remarks, ['check "Hand" existed before and is changed: interval.']);
  assert.equal(plan.changes, [{ action: 'change', kind: 'check', name: 'Hand', fields: ['interval'] }]);
  await plan.apply();
  const { active, interval } = await named('Hand');
  assert.equal({ active, interval }, { active: false, interval: 60 });
  const again = await target.planConfiguration({ checks: [web('Hand', { interval: 60, active: true })] });
  assert.equal([again.changes, again.remarks, again.unchanged], [[], [], 1]);
});

test('a check group and a heartbeat that were activated here are not paused again', async () => {
  const configuration = {
    check_groups: [{ name: 'Paused there', active: false }],
    heartbeats: [{ name: 'Paused there', period_seconds: 60, active: false }],
  };
  await imported(configuration);
  const lists = [
    ['/v1/check-groups', 'groups', 'page_size'],
    ['/v1/heartbeats', 'checks', 'per_page'],
  ] as const;
  const found = async (): Promise<(readonly [string, Fields | undefined])[]> =>
    Promise.all(
      lists.map(async ([path, field, size]) => {
        const object = (await client.list(path, field, size)).find(({ name }) => name === 'Paused there');
        return [`${path}/${String(object?.['id'])}`, object] as const;
      }),
    );
  for (const [path, object] of await found()) {
    assert.is(object?.['active'], false, path);
    await client.write('PUT', path, { active: true });
  }
  const again = await imported(configuration);
  assert.equal([again.changes, again.remarks, again.unchanged], [[], [], 2]);
  for (const [path, object] of await found()) assert.is(object?.['active'], true, path);
});

test('an import takes over no check of another group, such as one of another installation', async () => {
  const installation = (group: string) => ({
    check_groups: [{ name: group }],
    checks: [web('Shared', { group, url: `https://${group.toLowerCase()}.example.com/` })],
  });
  await imported(installation('EU'));
  const { remarks, changes } = await imported(installation('US'));
  assert.equal(remarks, ['check "US / Shared" is new: check "EU / Shared" has the same name.']);
  assert.equal(
    changes.map(({ action, name }) => `${action} ${name ?? ''}`),
    ['create US', 'create US / Shared'],
  );
  assert.equal((await imported(installation('EU'))).changes, []);
});

test('a check that has moved to another group since its import is moved, and not created again', async () => {
  const installation = (group: string) => ({ check_groups: [{ name: group }], checks: [web('Moved', { group })] });
  await imported(installation('Before'));
  const { changes } = await imported(installation('After'));
  assert.equal(
    changes.map(({ action, name }) => `${action} ${name ?? ''}`),
    ['create After', 'change After / Moved'],
  );
});

test('a check of a product without groups stays in the group into which it was sorted here', async () => {
  const monitor = { id: 7, friendly_name: 'Sorted', url: 'https://example.com/', type: 1, status: 2, interval: 60 };
  const file = JSON.stringify({
    stat: 'ok',
    monitors: [{ ...monitor, alert_contacts: [{ id: 1, type: 2, value: 'a@example.com', threshold: 1 }] }],
  });
  const { configuration } = importedFile('monitors.json', file);
  await imported(configuration);
  const { id } = await named('Sorted');
  const group = (await client.write('POST', '/v1/check-groups', { name: 'Sorted here' })) as Fields;
  await client.write('PUT', `/v1/checks/${String(id)}`, { group_id: group['id'] });
  const rules = async () =>
    ((await client.get('/v1/alerts/rules')) as Fields[]).filter(({ check_id }) => check_id === id);
  assert.is((await rules()).length, 1);

  const again = await imported(configuration);
  assert.equal([again.changes, again.remarks], [[], []]);
  assert.is((await named('Sorted'))['group_id'], group['id']);
  assert.is((await rules()).length, 1);
});

test.run();
