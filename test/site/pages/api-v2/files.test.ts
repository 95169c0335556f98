import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { statusApiText } from '../../../../site/pages/api-v2/openapi.ts';
import { startPublishedSite, type PublishedSite } from '../published-site.ts';

const test = suite<{ site: PublishedSite }>("the files of Statuspage's public API");

test.before.each(async (context) => {
  context.site = await startPublishedSite();
});
test.after.each(({ site }) => site.stop());

type Json = Record<string, unknown>;

interface Document {
  paths: Record<string, { get?: { responses: { 200: { content: { 'application/json': { schema: object } } } } } }>;
  components: { schemas: Record<string, Json> };
}

const document = JSON.parse(statusApiText()) as Document;
const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
/** Strict schemas: objects must have all required fields, and no fields that are not declared. */
const closed = Object.fromEntries(
  Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    { ...schema, additionalProperties: false },
  ]),
);

ajv.addSchema({ $id: 'document', components: { schemas: closed } });

const validates = (path: string, body: unknown): void => {
  const schema = document.paths[`/${path}`]?.get?.responses[200].content['application/json'].schema;
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const nested = JSON.parse(text) as object;
  assert.ok(ajv.validate({ ...nested, additionalProperties: false }, body), `${path}: ${ajv.errorsText()}`);
};

const FILES = Object.keys(document.paths)
  .filter((path) => !path.includes('{') && path !== '/subscribers.json')
  .map((path) => path.slice(1));

const read = async (site: PublishedSite, file: string): Promise<Json> => {
  const { status, text } = await site.get(`api/v2/${file}`);
  assert.is(status, 200, text);
  return JSON.parse(text) as Json;
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("all files of Statuspage's public API exist and match its OpenAPI document", async ({ site }) => {
  const group = await site.group('Storefront');
  const shop = await site.component('Shop', { group_id: group });
  const incident = await site.incident({ components: { [shop]: 'partial_outage' } });
  const maintenance = await site.incident({
    name: 'Upgrade',
    status: 'scheduled',
    components: { [shop]: 'under_maintenance' },
    scheduled_for: '2026-11-29T02:00:00Z',
    scheduled_until: '2026-11-29T03:00:00Z',
  });
  assert.equal(FILES.length, 8);
  for (const file of FILES) validates(file, await read(site, file));
  for (const one of [incident, maintenance])
    validates('incidents/{incident_id}.json', await read(site, `incidents/${String(one['id'])}.json`));
  for (const missing of ['incidents/none.json', `incidents/${String(incident['id'])}`, 'metrics.json'])
    assert.is((await site.get(`api/v2/${missing}`)).status, 404, missing);
});

test('the summary file contains the page, its status, components in groups, incidents and maintenances', async ({
  site,
}) => {
  const group = await site.group('Storefront');
  const shop = await site.component('Shop', { group_id: group, description: 'Sells things' });
  site.pass(60);
  const incident = await site.incident({ components: { [shop]: 'partial_outage' } });
  const summary = await read(site, 'summary.json');
  assert.equal(summary['page'], {
    id: site.pageId,
    name: 'Acme',
    url: 'https://status.example.org/status/acme',
    time_zone: 'Europe/Berlin',
    updated_at: '2026-11-20T15:01:00.123Z',
  });
  assert.equal(summary['status'], { indicator: 'major', description: 'Partial System Outage' });
  const [first, second] = summary['components'] as Json[];
  assert.equal(first, {
    id: group,
    name: 'Storefront',
    status: 'partial_outage',
    created_at: '2026-11-20T15:00:00.123Z',
    updated_at: '2026-11-20T15:00:00.123Z',
    position: 1,
    description: null,
    showcase: true,
    start_date: '2026-11-20',
    group_id: null,
    page_id: site.pageId,
    group: true,
    only_show_if_degraded: false,
    components: [shop],
  });
  assert.equal([second?.['id'], second?.['group_id'], second?.['group']], [shop, group, false]);
  assert.not.ok('components' in (second ?? {}));
  const [shown] = summary['incidents'] as Json[];
  const [update] = shown?.['incident_updates'] as Json[];
  assert.equal(
    [shown?.['shortlink'], shown?.['started_at'], shown?.['impact'], (shown?.['components'] as Json[])[0]?.['id']],
    [
      `https://status.example.org/status/acme/incidents/${String(incident['id'])}`,
      '2026-11-20T15:01:00.123Z',
      'major',
      shop,
    ],
  );
  assert.equal(update?.['affected_components'], [
    { code: shop, name: 'Shop', old_status: 'operational', new_status: 'partial_outage' },
  ]);
  for (const time of JSON.stringify(summary).matchAll(/"\w+_at":"([^"]+)"/g)) assert.match(time[1] ?? '', TIME);
});

test('each incident file lists the incidents with certain statuses, at most the 50 newest', async ({ site }) => {
  const idsIn = async (file: string, key = 'incidents'): Promise<string[]> =>
    ((await read(site, file))[key] as { name: string }[]).map(({ name }) => name);
  const open = await site.incident({ name: 'open' });
  site.pass(1);
  const over = await site.incident({ name: 'over' });
  await site.update(over['id'], { status: 'resolved', body: 'Done.' });
  const times = { scheduled_for: '2026-11-29T02:00:00Z', scheduled_until: '2026-11-29T03:00:00Z' };
  site.pass(1);
  await site.incident({ name: 'upcoming', status: 'scheduled', ...times });
  site.pass(1);
  const running = await site.incident({ name: 'running', status: 'scheduled', ...times });
  await site.update(running['id'], { status: 'in_progress', body: 'Begun.' });
  assert.equal(await idsIn('incidents.json'), ['over', 'open']);
  assert.equal(await idsIn('incidents/unresolved.json'), ['open']);
  assert.equal(await idsIn('summary.json'), ['open']);
  assert.equal(await idsIn('summary.json', 'scheduled_maintenances'), ['running', 'upcoming']);
  const maintenances = (file: string) => idsIn(file, 'scheduled_maintenances');
  assert.equal(await maintenances('scheduled-maintenances.json'), ['running', 'upcoming']);
  assert.equal(await maintenances('scheduled-maintenances/active.json'), ['running']);
  assert.equal(await maintenances('scheduled-maintenances/upcoming.json'), ['upcoming']);
  await site.change('DELETE', `/incidents/${String(open['id'])}`);
  assert.equal(await idsIn('incidents/unresolved.json'), [], 'a deleted one is gone');
  for (let at = 0; at < 50; at++) {
    site.pass(1);
    await site.incident({ name: `incident ${at}` });
  }
  const names = await idsIn('incidents.json');
  assert.equal([names.length, names[0], names.at(-1)], [50, 'incident 49', 'incident 0']);
});

test('an incident update contains the previous and new status of each component, which are equal in the announcement of a maintenance', async ({
  site,
}) => {
  const shop = await site.component('Shop');
  const incident = await site.incident({ components: { [shop]: 'partial_outage' } });
  site.pass(60);
  await site.update(incident['id'], { status: 'monitoring', components: { [shop]: 'operational' } });
  const [{ incident_updates: updates }] = (await read(site, 'incidents.json'))['incidents'] as [
    { incident_updates: Json[] },
  ];
  assert.equal(
    updates.map(({ affected_components }) => affected_components),
    [
      [{ code: shop, name: 'Shop', old_status: 'partial_outage', new_status: 'operational' }],
      [{ code: shop, name: 'Shop', old_status: 'operational', new_status: 'partial_outage' }],
    ],
  );
  await site.incident({
    status: 'scheduled',
    components: { [shop]: 'under_maintenance' },
    scheduled_for: '2026-11-29T02:00:00Z',
    scheduled_until: '2026-11-29T03:00:00Z',
  });
  const [{ incident_updates: announced }] = (await read(site, 'scheduled-maintenances.json'))[
    'scheduled_maintenances'
  ] as [{ incident_updates: Json[] }];
  assert.equal(announced[0]?.['affected_components'], [
    { code: shop, name: 'Shop', old_status: 'operational', new_status: 'operational' },
  ]);
});

test('a component that is shown only while degraded, and its group, are left out of the files while the component is operational', async ({
  site,
}) => {
  const group = await site.group('Spare');
  const spare = await site.component('Spare line', { group_id: group, only_show_if_degraded: true });
  assert.equal((await read(site, 'components.json'))['components'], []);
  assert.not.match((await site.get('api/v2/summary.json')).text, 'Spare');
  await site.change('PATCH', `/components/${spare}`, { status: 'major_outage' });
  assert.equal(
    ((await read(site, 'components.json'))['components'] as Json[]).map(({ id }) => id),
    [group, spare],
  );
  assert.equal((await read(site, 'status.json'))['status'], {
    indicator: 'critical',
    description: 'Major Service Outage',
  });
});

test('a withheld text is empty in the files, a draft postmortem is left out, and a published one is an additional update', async ({
  site,
}) => {
  const { id } = await site.incident({ body: 'secret words' });
  await site.update(id, { status: 'resolved', body: 'Done.' });
  await site.change('PUT', `/incidents/${String(id)}/postmortem`, { body_draft: 'a draft' });
  const { incident_updates: own } = (await site.change('GET', `/incidents/${String(id)}`)) as {
    incident_updates: { id: string }[];
  };
  const path = `/v1/pages/${site.pageId}/incidents/${String(id)}/incident_updates/${own.at(-1)?.id ?? ''}/withhold`;
  await site.service.request('POST', path, { key: site.service.first.keys.admin });
  const before = await site.get('api/v2/incidents.json');
  assert.not.match(before.text, /secret words|a draft|"status":"postmortem"/);
  await site.change('PUT', `/incidents/${String(id)}/postmortem/publish`, {});
  const [shown] = (await read(site, 'incidents.json'))['incidents'] as Json[];
  const [postmortem, resolved] = shown?.['incident_updates'] as Json[];
  assert.equal(
    [shown?.['status'], postmortem?.['status'], postmortem?.['body'], resolved?.['status']],
    ['postmortem', 'postmortem', 'a draft', 'resolved'],
  );
});

test('files of incidents are limited to a mebibyte by leaving out the oldest incidents and updates', async ({
  site,
}) => {
  const body = 'x'.repeat(25_000);
  const older = await site.incident({ name: 'older', body });
  site.pass(1);
  const newer = await site.incident({ name: 'newer', body });
  for (let at = 0; at < 50; at++)
    await site.update(newer['id'], { status: 'identified', body: `${at}${body.slice(2)}` });
  const reply = await site.get('api/v2/incidents.json');
  assert.ok(reply.text.length < 1_100_000, reply.text.length.toString());
  const list = (JSON.parse(reply.text) as { incidents: { name: string; incident_updates: { body: string }[] }[] })
    .incidents;
  assert.equal(
    list.map(({ name }) => name),
    ['newer'],
  );
  assert.match(list[0]?.incident_updates[0]?.body ?? '', /^49x/);
  assert.ok((list[0]?.incident_updates.length ?? 0) < 51);
  assert.is((await site.get(`api/v2/incidents/${String(older['id'])}.json`)).status, 200);
});

test.run();
