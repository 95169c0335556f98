import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Static } from '@sinclair/typebox';
import type { IncidentTemplate as IncidentTemplateSchema } from '../../../../api/v1/incident-templates/schema.ts';
import { instantOf } from '../../../../domain/time.ts';
import { audit } from '../../../../projections/audit/projection.ts';
import { incidentTemplates } from '../../../../projections/incident-templates/projection.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest } from '../../service.ts';

type IncidentTemplate = Static<typeof IncidentTemplateSchema>;

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const test = suite('incident templates');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());

const PATH = '/v1/incident-templates';
const made = async (path: string, body: object, ask: ServiceRequest = {}): Promise<string> => {
  const reply = await request('POST', path, { ...ask, body });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  return (reply.json() as { id: string }).id;
};
let pages = 0;
const newPage = (ask: ServiceRequest = {}): Promise<string> => {
  const subdomain = `page-${pages++}`;
  return made('/v1/pages', { name: subdomain, subdomain }, ask);
};
const component = (page: string, ask: ServiceRequest = {}): Promise<string> =>
  made(`/v1/pages/${page}/components`, { name: 'Web' }, ask);
const read = async (id: string): Promise<IncidentTemplate> =>
  (await request('GET', `${PATH}/${id}`)).json() as IncidentTemplate;
const errorsOf = (reply: Reply) => (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;
const listed = async (query: string, ask: ServiceRequest = {}): Promise<string[]> => {
  const { incident_templates } = (await request('GET', `${PATH}${query}`, ask)).json() as {
    incident_templates: IncidentTemplate[];
  };
  return incident_templates.map(({ name }) => name);
};

test('an incident template is created with defaults, and the response has every field', async () => {
  const reply = await request('POST', PATH, { body: { name: 'Outage' } });
  assert.is(reply.status, 201, reply.text);
  const template = reply.json() as IncidentTemplate;
  assert.is(reply.headers['location'], `${PATH}/${template.id}`);
  assert.equal(template, {
    id: template.id,
    name: 'Outage',
    page_id: null,
    kind: 'incident',
    incident_name: null,
    status: null,
    impact: null,
    body: null,
    components: {},
    deliver_notifications: true,
    managed_by: null,
    revision: 1,
    created_at: instantOf(NOW),
    updated_at: instantOf(NOW),
  });
  assert.equal(await read(template.id), template);
});

test('the error for an incident template names all invalid fields and references', async () => {
  const page_id = await newPage();
  const body = {
    name: ' ',
    page_id,
    kind: 'maintenance',
    incident_name: 'x'.repeat(201),
    status: 'resolved',
    impact: 'bad',
    body: 'x'.repeat(25_001),
    components: { k3v9x0q2m7ab: 'operational' },
    deliver_notifications: 'no',
  };
  const reply = await request('POST', PATH, { body });
  assert.is(reply.status, 422);
  assert.equal(Object.keys(errorsOf(reply)).sort(), [
    'body',
    'components.k3v9x0q2m7ab',
    'deliver_notifications',
    'impact',
    'incident_name',
    'name',
    'status',
  ]);
});

test('a change of an incident template is validated together with its unchanged fields', async () => {
  const page_id = await newPage();
  const web = await component(page_id);
  const id = await made(PATH, { name: 'Outage', page_id, status: 'identified', components: { [web]: 'major_outage' } });
  const change = (body: object): Promise<Reply> => request('PATCH', `${PATH}/${id}`, { body });
  assert.equal(Object.keys(errorsOf(await change({ kind: 'maintenance' }))), ['status']);
  assert.equal(Object.keys(errorsOf(await change({ page_id: 'k3v9x0q2m7ab', name: '' }))).sort(), ['name', 'page_id']);
  const moved = await change({ kind: 'maintenance', status: 'scheduled', page_id: null });
  assert.is(moved.status, 200, moved.text);
  const { kind, status, page_id: page, components } = await read(id);
  assert.equal(
    { kind, status, page, components },
    { kind: 'maintenance', status: 'scheduled', page: null, components: {} },
  );
});

test('templates, pages and components of other organizations are not found', async () => {
  const ask = { key: second.keys.admin };
  const theirs = await newPage(ask);
  const web = await component(theirs, ask);
  const id = await made(PATH, { name: 'Theirs', page_id: theirs }, ask);
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const reply = await request(method, `${PATH}/${id}`, method === 'PATCH' ? { body: { name: 'Ours' } } : {});
    assert.is(reply.status, 404, method);
  }
  const refused = await request('POST', PATH, { body: { name: 'Ours', page_id: theirs } });
  assert.equal(errorsOf(refused), { page_id: ['There is no such page.'] });
  const ours = { name: 'Ours', page_id: await newPage(), components: { [web]: 'operational' } };
  const named = await request('POST', PATH, { body: ours });
  assert.equal(errorsOf(named), { [`components.${web}`]: ['Must be a component of this page.'] });
  assert.equal(await listed('', ask), ['Theirs']);
});

test('viewers read incident templates, and editors write them', async () => {
  const id = await made(PATH, { name: 'Outage' }, { key: first.keys.editor });
  const ask = { key: first.keys.viewer };
  assert.is((await request('GET', `${PATH}/${id}`, ask)).status, 200);
  assert.is((await request('POST', PATH, { ...ask, body: { name: 'Outage' } })).status, 403);
  assert.is((await request('DELETE', `${PATH}/${id}`, ask)).status, 403);
  assert.is((await request('DELETE', `${PATH}/${id}`, { key: first.keys.editor })).status, 204);
  assert.is((await request('GET', `${PATH}/${id}`, ask)).status, 404);
});

test('incident templates are listed by name, and the list of a page includes the templates for all pages', async () => {
  const ask = { key: second.keys.admin };
  const page_id = await newPage(ask);
  for (const body of [
    { name: 'D', page_id },
    { name: 'C' },
    { name: 'B', page_id: await newPage(ask) },
    { name: 'A', page_id, kind: 'maintenance' },
  ])
    await made(PATH, body, ask);
  assert.equal(await listed('', ask), ['A', 'B', 'C', 'D', 'Theirs']);
  assert.equal(await listed(`?page_id=${page_id}`, ask), ['A', 'C', 'D']);
  assert.equal(await listed(`?page_id=${page_id}&kind=incident`, ask), ['C', 'D']);
  assert.equal(await listed('?page=2&page_size=2', ask), ['C', 'D']);
});

test('an incident template loses components when they are removed, and its page when the page is deleted', async () => {
  const page_id = await newPage();
  const [web, api] = [await component(page_id), await component(page_id)];
  const components = { [web]: 'major_outage', [api]: 'major_outage' };
  const id = await made(PATH, { name: 'Outage', page_id, components });
  const { readers } = service;
  const passed = async (path: string): Promise<void> => {
    assert.is((await request('DELETE', path)).status, 204);
    await readers.foldedAll(incidentTemplates);
  };
  await passed(`/v1/pages/${page_id}/components/${web}`);
  assert.equal((await read(id)).components, { [api]: 'major_outage' });
  await passed(`/v1/pages/${page_id}`);
  const { page_id: page, components: left } = await read(id);
  assert.equal([page, left], [null, {}]);
  const changed = await request('PATCH', `${PATH}/${id}`, { body: { name: 'For all pages', page_id: null } });
  assert.is(changed.status, 200, changed.text);
});

test('the audit log shows who created, changed and deleted an incident template', async () => {
  const id = await made(PATH, { name: 'Disk full' });
  await request('PATCH', `${PATH}/${id}`, { body: { status: 'identified' } });
  await request('DELETE', `${PATH}/${id}`);
  await service.readers.foldedAll(audit);
  const reply = await request('GET', '/v1/audit?resource_type=incident_template', { key: first.keys.admin });
  const { audit_logs: entries } = reply.json() as {
    audit_logs: { action: string; resource_id: string; resource_name: string }[];
  };
  const ownEntries = entries.filter((entry) => entry.resource_id === id);
  assert.equal(ownEntries.map(({ action, resource_name }) => `${action} ${resource_name}`).sort(), [
    'incident_template.created Disk full',
    'incident_template.deleted Disk full',
    'incident_template.updated Disk full',
  ]);
});

test.run();
