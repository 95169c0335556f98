import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IncidentUpdate } from '../../../../api/v1/incidents/schema.ts';
import { startService } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): string => `${new Date(NOW + minutes * MINUTE_MS).toISOString().slice(0, -1)}000`;

const test = suite('incident updates');
const service = await startService({ now: NOW });
const { first, request, second } = service;
test.after(() => service.stop());
const after = (minutes: number): void => {
  service.time.now = NOW + minutes * MINUTE_MS;
};
test.before.each(() => {
  after(0);
});

/** Creates an incident with an update at 0 minutes and a resolving update at 10 minutes. */
const anIncident = async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const incident = await page.open({ components: { [api]: 'major_outage' } });
  after(10);
  const resolving = await page.say(incident.id, {
    status: 'resolved',
    body: 'Done.',
    components: { [api]: 'operational' },
  });
  const path = `${page.incidents}/${incident.id}/incident_updates`;
  return { page, api, id: incident.id, path, opening: incident.incident_updates[0]?.id ?? '', resolving };
};

test('an appended update has a status and is found at its Location', async () => {
  const { page, id, path } = await anIncident();
  after(11);
  const reply = await request('POST', path, { body: { status: 'monitoring' } });
  const update = reply.json() as IncidentUpdate;
  assert.equal(
    [reply.status, reply.headers.location, update.body, update.status, update.components, update.created_at],
    [201, `${path}/${update.id}`, '', 'monitoring', {}, at(11)],
  );
  assert.equal((await request('GET', `${path}/${update.id}`)).json(), update);
  assert.is((await page.get(id)).status, 'monitoring');
  assert.equal(invalidFields(await request('POST', path, { body: { body: '' } })), ['body', 'status']);
  assert.equal(invalidFields(await request('POST', path, { body: { status: 'completed' } })), ['status']);
});

test('incident updates are listed newest first', async () => {
  const { path, opening, resolving } = await anIncident();
  const list = (await request('GET', path)).json() as IncidentUpdate[];
  assert.equal(
    list.map(({ id }) => id),
    [resolving.id, opening],
  );
  assert.equal(list[0], resolving);
});

test('editing an incident update changes status and uptime retroactively', async () => {
  const { page, api, id, resolving } = await anIncident();
  after(30);
  const edited = await page.edit(id, resolving.id, { created_at: at(5), body: 'Done early.' });
  assert.equal(
    [edited.created_at, edited.display_at, edited.body, edited.updated_at],
    [at(5), at(5), 'Done early.', at(30)],
  );
  assert.is((await page.get(id)).resolved_at, at(5));
  await page.edit(id, resolving.id, { components: {} });
  assert.is((await page.component(api)).status, 'major_outage');
});

test('an incident update can be sent back unchanged', async () => {
  const { path } = await anIncident();
  after(20);
  const silent = (await request('POST', path, { body: { status: 'monitoring' } })).json() as IncidentUpdate;
  after(30);
  const reply = await request('PUT', `${path}/${silent.id}`, { body: silent });
  assert.is(reply.status, 200, reply.text);
  assert.equal(reply.json(), silent);
});

test('an update cannot be moved into the future or refer to unknown components', async () => {
  const { path, opening } = await anIncident();
  const body = { created_at: at(60), components: { k3v9x0q2m7ab: 'operational' } };
  assert.equal(invalidFields(await request('PATCH', `${path}/${opening}`, { body })), [
    'components.k3v9x0q2m7ab',
    'created_at',
  ]);
  assert.equal(
    invalidFields(await request('PATCH', `${path}/${opening}`, { body: { created_at: 'now', body: null } })),
    ['body', 'created_at'],
  );
});

test('deleting an incident update reverts its effect, and the only remaining update cannot be deleted', async () => {
  const { page, api, id, path, opening, resolving } = await anIncident();
  assert.is((await request('DELETE', `${path}/${resolving.id}`)).status, 204);
  const incident = await page.get(id);
  assert.equal([incident.status, incident.resolved_at], ['investigating', null]);
  assert.is((await page.component(api)).status, 'major_outage');
  assert.is((await request('DELETE', `${path}/${resolving.id}`)).status, 404);
  const last = await request('DELETE', `${path}/${opening}`);
  assert.is(last.status, 400);
  assert.match(last.text, "The last update of an incident can't be deleted.");
});

test('an incident update is found only in its own incident and by its own organization', async () => {
  const { page, path, opening } = await anIncident();
  const other = await page.open();
  assert.is((await request('GET', `${page.incidents}/${other.id}/incident_updates/${opening}`)).status, 404);
  assert.is((await request('GET', `${path}/${opening}`, { key: second.keys.admin })).status, 404);
  assert.is((await request('PATCH', `${path}/k3v9x0q2m7ab`, { body: { body: 'x' } })).status, 404);
});

test('an admin can withhold the texts of an update, and callers with a key still see them', async () => {
  const { page, id, path, resolving } = await anIncident();
  const withhold = (key: string) => request('POST', `${path}/${resolving.id}/withhold`, { key });
  for (const [role, key] of Object.entries(first.keys)) {
    if (role !== 'admin') assert.is((await withhold(key)).status, 403, role);
  }
  assert.is(resolving.withheld_at, null);
  after(20);
  const reply = await withhold(first.keys.admin);
  const expected = { ...resolving, withheld_at: at(20), updated_at: at(20) };
  assert.equal([reply.status, reply.json()], [200, expected]);
  after(30);
  assert.equal((await withhold(first.keys.admin)).json(), expected, 'again');
  assert.equal((await request('GET', `${path}/${resolving.id}`, { key: first.keys.viewer })).json(), expected);
  assert.equal((await page.get(id)).incident_updates[0], expected);
  const log = (await request('GET', '/v1/audit?action=incident_update.withheld', { key: first.keys.admin })).text;
  assert.match(log, resolving.id);
  const edited = await page.edit(id, resolving.id, { body: 'Done, again.' });
  assert.is(edited.withheld_at, null);
});

test('the text of a deleted update can be withheld', async () => {
  const { path, resolving } = await anIncident();
  await request('DELETE', `${path}/${resolving.id}`);
  after(20);
  const key = first.keys.admin;
  const reply = await request('POST', `${path}/${resolving.id}/withhold`, { key });
  assert.equal([reply.status, reply.json()], [200, { ...resolving, withheld_at: at(20), updated_at: at(20) }]);
  assert.is((await request('GET', `${path}/${resolving.id}`)).status, 404);
});

test('an organization can withhold only existing updates of its own incidents', async () => {
  const { page, path, resolving } = await anIncident();
  const key = first.keys.admin;
  const other = await page.open();
  assert.is((await request('POST', `${path}/k3v9x0q2m7ab/withhold`, { key })).status, 404);
  assert.is((await request('POST', `${path}/${resolving.id}/withhold`, { key: second.keys.admin })).status, 404);
  const elsewhere = `${page.incidents}/${other.id}/incident_updates/${resolving.id}/withhold`;
  assert.is((await request('POST', elsewhere, { key })).status, 404);
});

test.run();
