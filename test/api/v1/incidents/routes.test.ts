import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Incident } from '../../../../api/v1/incidents/schema.ts';
import { startService } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): string => `${new Date(NOW + minutes * MINUTE_MS).toISOString().slice(0, -1)}000`;

const test = suite('incidents');
const service = await startService({ now: NOW });
const { request, first, second } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});
const after = (minutes: number): void => {
  service.time.now = NOW + minutes * MINUTE_MS;
};

test('an opened incident has every field and is found at its Location', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const body = {
    name: 'No answer',
    body: 'We look into it.',
    status: 'investigating',
    components: { [api]: 'major_outage' },
  };
  const reply = await request('POST', page.incidents, { body });
  assert.is(reply.status, 201);
  const incident = reply.json() as Incident;
  assert.is(reply.headers.location, `${page.incidents}/${incident.id}`);
  const { id, components, incident_updates, ...rest } = incident;
  assert.equal(rest, {
    page_id: page.id,
    name: 'No answer',
    status: 'investigating',
    impact: 'critical',
    metadata: null,
    monitoring_at: null,
    resolved_at: null,
    postmortem_body: null,
    postmortem_body_last_updated_at: null,
    postmortem_published_at: null,
    scheduled_for: null,
    scheduled_until: null,
    scheduled_remind_prior: false,
    reminder_intervals: null,
    scheduled_reminded_at: null,
    scheduled_auto_in_progress: false,
    scheduled_auto_completed: false,
    auto_transition_to_maintenance_state: false,
    auto_transition_to_operational_state: false,
    auto_transition_deliver_notifications_at_start: false,
    auto_transition_deliver_notifications_at_end: false,
    created_at: at(0),
    updated_at: at(0),
  });
  assert.equal(components, [await page.component(api)]);
  assert.is(components[0]?.status, 'major_outage');
  assert.equal(incident_updates, [
    {
      id: incident_updates[0]?.id,
      incident_id: id,
      body: 'We look into it.',
      status: 'investigating',
      components: { [api]: 'major_outage' },
      deliver_notifications: true,
      display_at: at(0),
      created_at: at(0),
      updated_at: at(0),
      withheld_at: null,
    },
  ]);
  assert.equal(await page.get(id), incident);
});

test('the error for an incident names all invalid fields', async () => {
  const page = await createStatusPage(service);
  assert.equal(invalidFields(await request('POST', page.incidents, { body: {} })), [
    'body',
    'components',
    'name',
    'status',
  ]);
  const wrong = {
    name: 'x'.repeat(201),
    body: '',
    status: 'over',
    components: { a: 'broken' },
    impact: 'huge',
    metadata: [],
    deliver_notifications: 'no',
    scheduled_for: 'soon',
    reminder_intervals: '2 weeks',
    scheduled_auto_completed: 1,
  };
  assert.equal(invalidFields(await request('POST', page.incidents, { body: wrong })), [
    'body',
    'components.a',
    'deliver_notifications',
    'impact',
    'metadata',
    'name',
    'reminder_intervals',
    'scheduled_auto_completed',
    'scheduled_for',
    'scheduled_until',
    'status',
  ]);
  const elsewhere = await (await createStatusPage(service)).addComponent('API');
  const body = { name: 'x', body: 'x', status: 'scheduled', components: { [elsewhere]: 'operational' } };
  assert.equal(invalidFields(await request('POST', page.incidents, { body })), [`components.${elsewhere}`, 'status']);
  assert.equal(invalidFields(await request('POST', page.incidents, { body: { ...body, components: [] } })), [
    'components',
    'status',
  ]);
});

test('the limits of names (200), bodies (25,000) and reminders (10,000) count characters, not bytes', async () => {
  const page = await createStatusPage(service);
  const incident = await page.open({ name: '🙂'.repeat(200), body: 'ы'.repeat(25_000) });
  assert.is(incident.name, '🙂'.repeat(200));
  const long = { body: 'x'.repeat(25_001), reminder_intervals: `${'1d,'.repeat(3_333)}30m` };
  assert.equal(invalidFields(await request('PATCH', `${page.incidents}/${incident.id}`, { body: long })), [
    'body',
    'reminder_intervals',
  ]);
});

test('a maintenance has at most 20 reminders, each from one minute to 365 days before its start', async () => {
  const page = await createStatusPage(service);
  const incident = await page.open({ scheduled_for: at(60), scheduled_until: at(120), status: 'scheduled' });
  const path = `${page.incidents}/${incident.id}`;
  const twenty = Array.from({ length: 20 }, (_, hours) => `${hours + 1}h`).join(', ');
  for (const reminder_intervals of [twenty, '365d', '8760h', '525600m', '0365d']) {
    const reply = await request('PATCH', path, { body: { reminder_intervals } });
    assert.is(reply.status, 200, reply.text);
  }
  for (const reminder_intervals of [
    `${twenty},1m`,
    '0m',
    '1d, 0d',
    '366d',
    '8761h',
    '525601m',
    `1h, ${'9'.repeat(400)}d`,
  ]) {
    assert.equal(invalidFields(await request('PATCH', path, { body: { reminder_intervals } })), ['reminder_intervals']);
  }
});

test('a change of name, impact or metadata appends no update', async () => {
  const page = await createStatusPage(service);
  const { id } = await page.open();
  after(5);
  const changed = await page.change(id, { name: 'Slow', impact: 'major', metadata: { ticket: 4 } });
  assert.equal([changed.name, changed.impact, changed.metadata], ['Slow', 'major', { ticket: 4 }]);
  assert.is(changed.incident_updates.length, 1);
  assert.equal([changed.created_at, changed.updated_at], [at(0), at(5)]);
  assert.is((await page.change(id, { metadata: null })).metadata, null);
});

test('metadata has at most 16 KiB as JSON', async () => {
  const page = await createStatusPage(service);
  const { id } = await page.open();
  const metadata = { text: 'é'.repeat((16_384 - '{"text":""}'.length - 1) / 2), x: 1 };
  assert.is(
    (await request('PATCH', `${page.incidents}/${id}`, { body: { metadata: { text: metadata.text } } })).status,
    200,
  );
  const reply = await request('PATCH', `${page.incidents}/${id}`, { body: { metadata } });
  assert.equal(invalidFields(reply), ['metadata']);
});

test('a change of body, components or deliver_notifications appends an update, and updates are listed newest first', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const web = await page.addComponent('Web');
  const { id } = await page.open({ components: { [api]: 'major_outage' } });
  after(1);
  await page.change(id, { body: 'Still looking.' });
  assert.is((await page.component(api)).status, 'major_outage');
  after(2);
  await page.change(id, { components: { [web]: 'partial_outage' }, status: 'identified' });
  after(3);
  const incident = await page.change(id, { deliver_notifications: false });
  assert.equal(
    incident.incident_updates.map(({ body, status, components, deliver_notifications }) => [
      body,
      status,
      components,
      deliver_notifications,
    ]),
    [
      ['', 'identified', {}, false],
      ['', 'identified', { [web]: 'partial_outage' }, true],
      ['Still looking.', 'investigating', {}, true],
      ['We look into it.', 'investigating', { [api]: 'major_outage' }, true],
    ],
  );
  assert.equal(
    incident.components.map(({ id, status }) => [id, status]),
    [
      [api, 'major_outage'],
      [web, 'partial_outage'],
    ],
  );
});

test('an incident can be sent back unchanged', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const opened = await page.open({ components: { [api]: 'major_outage' }, metadata: { a: [1, null] } });
  after(5);
  const reply = await request('PUT', `${page.incidents}/${opened.id}`, { body: opened });
  assert.is(reply.status, 200, reply.text);
  assert.equal(reply.json(), opened);
});

test('resolved_at is set by resolving, cleared by reopening and set again later', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const { id } = await page.open({ components: { [api]: 'major_outage' } });
  after(1);
  const resolved = await page.change(id, { status: 'resolved' });
  assert.equal([resolved.status, resolved.resolved_at], ['resolved', at(1)]);
  assert.is((await page.component(api)).status, 'major_outage');
  assert.is(resolved.incident_updates.length, 1);
  after(2);
  assert.is((await page.change(id, { status: 'resolved' })).resolved_at, at(2));
  after(3);
  const reopened = await page.change(id, { status: 'monitoring' });
  assert.equal([reopened.status, reopened.resolved_at, reopened.monitoring_at], ['monitoring', null, at(3)]);
  after(4);
  const again = await page.change(id, { status: 'resolved', body: 'Done.' });
  assert.equal([again.status, again.resolved_at, again.monitoring_at], ['resolved', at(4), at(3)]);
});

test('the lists of all and of unresolved incidents are sorted newest first and contain no maintenances', async () => {
  const page = await createStatusPage(service);
  const one = await page.open();
  after(1);
  const two = await page.open();
  const planned = {
    status: 'scheduled',
    scheduled_for: '2026-12-01T20:00:00Z',
    scheduled_until: '2026-12-01T22:00:00Z',
  };
  const maintenance = await page.open(planned);
  assert.equal(await page.list(), [two.id, one.id]);
  assert.equal(await page.list('/unresolved'), [two.id, one.id]);
  await page.change(two.id, { status: 'resolved' });
  assert.equal(await page.list(), [two.id, one.id]);
  assert.equal(await page.list('/unresolved'), [one.id]);
  assert.is((await page.get(maintenance.id)).status, 'scheduled');
});

test('the list of incidents can be filtered by component', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const web = await page.addComponent('Web');
  const one = await page.open({ components: { [api]: 'major_outage' } });
  after(1);
  const two = await page.open({ components: { [web]: 'major_outage' } });
  after(2);
  const three = await page.open({ components: { [web]: 'major_outage', [api]: 'major_outage' } });
  assert.equal(await page.list(`?component_id=${api}`), [three.id, one.id]);
  assert.equal(await page.list(`?component_id=${web}`), [three.id, two.id]);
  assert.equal(await page.list('?component_id=k3v9x0q2m7ab'), []);
  assert.equal(invalidFields(await request('GET', `${page.incidents}?component_id=X`), 400), ['component_id']);
  // A component that no update affects any more does not match.
  const update = one.incident_updates[0]?.id ?? '';
  await page.edit(one.id, update, { components: { [web]: 'major_outage' } });
  assert.equal(await page.list(`?component_id=${api}`), [three.id]);
});

test('a maintenance is scheduled, is listed by its status, and is moved to its next statuses manually', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const planned = {
    status: 'scheduled',
    components: { [api]: 'under_maintenance' },
    scheduled_for: '2026-12-01T20:00:00Z',
    scheduled_until: '2026-12-01T22:00:00+01:00',
    reminder_intervals: '1d,  2h',
    scheduled_remind_prior: true,
  };
  const early = { ...planned, scheduled_until: '2026-12-01T20:00:00Z' };
  const body = { name: 'x', body: 'x', ...early };
  assert.equal(invalidFields(await request('POST', page.incidents, { body })), ['scheduled_until']);
  const maintenance = await page.open({
    ...planned,
    scheduled_until: '2026-12-01T23:00:00+01:00',
    auto_transition_to_maintenance_state: true,
    auto_transition_to_operational_state: true,
  });
  const { id } = maintenance;
  assert.equal(
    [maintenance.impact, maintenance.scheduled_for, maintenance.scheduled_until, maintenance.reminder_intervals],
    ['maintenance', '2026-12-01T20:00:00.000000', '2026-12-01T22:00:00.000000', '1d,  2h'],
  );
  assert.is((await page.component(api)).status, 'operational');
  assert.equal(await page.list('/maintenance'), [id]);
  assert.equal(await page.list('/maintenance?status=scheduled'), [id]);
  after(1);
  assert.is((await page.change(id, { status: 'in_progress' })).incident_updates.length, 1);
  assert.is((await page.component(api)).status, 'under_maintenance');
  assert.equal(await page.list('/maintenance'), []);
  assert.equal(await page.list('/maintenance?status=in_progress'), [id]);
  after(2);
  await page.change(id, { status: 'verifying', body: 'We check.' });
  assert.is((await page.component(api)).status, 'under_maintenance');
  after(3);
  const completed = await page.change(id, { status: 'completed' });
  assert.is(completed.resolved_at, at(3));
  assert.is((await page.component(api)).status, 'operational');
  assert.equal(await page.list('/maintenance?status=completed'), [id]);
  assert.equal(await page.list(), []);
  assert.equal(invalidFields(await request('GET', `${page.incidents}/maintenance?status=resolved`), 400), ['status']);
});

test('editing or deleting an update of a maintenance changes status and uptime retroactively', async () => {
  const page = await createStatusPage(service);
  const [api, web] = [await page.addComponent('API'), await page.addComponent('Web')];
  const { id } = await page.open({
    status: 'scheduled',
    components: { [api]: 'operational' },
    scheduled_for: '2026-12-01T20:00:00Z',
    scheduled_until: '2026-12-01T22:00:00Z',
    auto_transition_to_maintenance_state: true,
  });
  const first = (await page.get(id)).incident_updates[0]?.id ?? '';
  after(1);
  const { id: second } = await page.say(id, { status: 'scheduled', components: { [web]: 'operational' } });
  after(2);
  const started = await page.change(id, { status: 'in_progress', body: 'We begin.' });
  assert.equal(started.incident_updates[0]?.components, { [api]: 'under_maintenance', [web]: 'under_maintenance' });
  const statuses = async () => [(await page.component(api)).status, (await page.component(web)).status];
  assert.equal(await statuses(), ['under_maintenance', 'under_maintenance']);
  await page.edit(id, first, { components: {} });
  assert.equal(await statuses(), ['operational', 'under_maintenance']);
  assert.equal((await page.get(id)).incident_updates[0]?.components, { [web]: 'under_maintenance' });
  assert.is((await request('DELETE', `${page.incidents}/${id}/incident_updates/${second}`)).status, 204);
  assert.equal(await statuses(), ['operational', 'operational']);
});

test('a resolved incident sent back unchanged keeps its time of resolution', async () => {
  const page = await createStatusPage(service);
  const { id } = await page.open();
  after(1);
  const resolved = await page.change(id, { status: 'resolved' });
  after(2);
  const back = await page.change(id, { ...resolved, name: 'Slow' });
  assert.equal([back.resolved_at, back.name], [at(1), 'Slow']);
  assert.is((await page.change(id, { status: 'resolved', resolved_at: 'at some time' })).resolved_at, at(2));
});

test('every list of incidents can be filtered by component', async () => {
  const page = await createStatusPage(service);
  const [api, web] = [await page.addComponent('API'), await page.addComponent('Web')];
  const planned = {
    status: 'scheduled',
    scheduled_for: '2026-12-01T20:00:00Z',
    scheduled_until: '2026-12-01T22:00:00Z',
  };
  const { id: open } = await page.open({ components: { [api]: 'major_outage' } });
  const { id: resolved } = await page.open({ components: { [api]: 'major_outage' } });
  await page.change(resolved, { status: 'resolved' });
  await page.open({ components: { [web]: 'major_outage' } });
  const { id: maintenance } = await page.open({ ...planned, components: { [api]: 'operational' } });
  const { id: done } = await page.open({ ...planned, components: { [api]: 'operational' } });
  await page.change(done, { status: 'completed' });
  const ofApi = `component_id=${api}`;
  assert.equal(
    await page.list(`?${ofApi}`),
    [resolved, open].sort((one, other) => (one < other ? 1 : -1)),
  );
  assert.equal(await page.list(`/unresolved?${ofApi}`), [open]);
  assert.equal(await page.list(`/maintenance?${ofApi}`), [maintenance]);
  assert.equal(await page.list(`/maintenance?status=completed&${ofApi}`), [done]);
  assert.equal(await page.list(`/maintenance?component_id=${web}`), []);
  assert.equal(invalidFields(await request('GET', `${page.incidents}/unresolved?component_id=x`), 400), [
    'component_id',
  ]);
});

test('unknown ids and violated rules between fields are reported together with schema errors', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const refused = async (method: string, path: string, body: object) =>
    invalidFields(await request(method, `${page.incidents}${path}`, { body }));
  assert.equal(
    await refused('POST', '', { name: ' ', status: 'scheduled', components: { [api]: 'up', nobody: 'operational' } }),
    ['body', 'name', 'status', `components.${api}`, 'components.nobody'].sort(),
  );
  const planned = { name: 'x', body: 'x', status: 'resolved', components: {}, scheduled_until: '2026-12-01' };
  assert.equal(await refused('POST', '', { ...planned, scheduled_for: '2026-12-02', impact: 1 }), [
    'impact',
    'scheduled_until',
    'status',
  ]);
  assert.equal(await refused('POST', '', { ...planned, scheduled_for: 'soon' }), ['scheduled_for', 'status']);
  const { id, incident_updates } = await page.open();
  const change = { status: 'completed', components: { nobody: 'operational' }, scheduled_for: '2026-12-01' };
  assert.equal(await refused('PATCH', `/${id}`, { ...change, name: '' }), [
    'components.nobody',
    'name',
    'scheduled_for',
    'status',
  ]);
  assert.equal(await refused('POST', `/${id}/incident_updates`, { ...change, body: 5 }), [
    'body',
    'components.nobody',
    'status',
  ]);
  const update = `/${id}/incident_updates/${incident_updates[0]?.id ?? ''}`;
  const edit = { body: '', created_at: '2099-01-01', components: { [api]: 1, nobody: 'operational' } };
  assert.equal(
    await refused('PATCH', update, edit),
    ['body', 'created_at', `components.${api}`, 'components.nobody'].sort(),
  );
  const past = [
    { body: '', status: 'identified', created_at: '2026-11-02', components: { nobody: 'operational' } },
    { body: 'x', status: 'monitoring', created_at: '2026-11-01' },
  ];
  assert.equal(await refused('POST', '/log-past-incident', { name: 'x', impact: 'none', incident_updates: past }), [
    'incident_updates.0.body',
    'incident_updates.0.components.nobody',
    'incident_updates.1.created_at',
    'incident_updates.1.status',
  ]);
});

test('a past incident can be recorded with all its updates', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const incident_updates = [
    {
      body: 'Slow.',
      status: 'investigating',
      created_at: '2026-11-19T08:00:00Z',
      components: { [api]: 'partial_outage' },
    },
    { body: 'Better.', status: 'resolved', created_at: '2026-11-19T11:00:00+02:00' },
  ];
  const past = await page.logPast({ incident_updates });
  assert.equal(
    [past.status, past.impact, past.created_at, past.resolved_at, past.updated_at],
    ['resolved', 'minor', '2026-11-19T08:00:00.000000', '2026-11-19T09:00:00.000000', at(0)],
  );
  assert.equal(
    past.incident_updates.map(({ body, deliver_notifications }) => [body, deliver_notifications]),
    [
      ['Better.', false],
      ['Slow.', false],
    ],
  );
  assert.is((await page.component(api)).status, 'operational');
  assert.equal(await page.list(), [past.id]);
  assert.equal(await page.list('/unresolved'), []);
  const refused = async (body: object) =>
    invalidFields(await request('POST', `${page.incidents}/log-past-incident`, { body }));
  assert.equal(await refused({}), ['impact', 'incident_updates', 'name']);
  assert.equal(await refused({ name: 'x', impact: 'minor', incident_updates: [] }), ['incident_updates']);
  const one = { body: 'x', status: 'resolved', created_at: '2026-01-01T10:00:00Z' };
  const many = Array.from({ length: 501 }, () => one);
  assert.equal(await refused({ name: 'x', impact: 'minor', incident_updates: many }), ['incident_updates']);
  assert.equal(await refused({ name: 'x', impact: 'minor', incident_updates: [{}] }), [
    'incident_updates.0.body',
    'incident_updates.0.created_at',
    'incident_updates.0.status',
  ]);
  assert.equal(await refused({ name: 'x', impact: 'minor', incident_updates: [...incident_updates].reverse() }), [
    'incident_updates.1.created_at',
    'incident_updates.1.status',
  ]);
});

test('a deleted incident is gone together with its effects', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const { id } = await page.open({ components: { [api]: 'major_outage' } });
  assert.is((await request('DELETE', `${page.incidents}/${id}`)).status, 204);
  assert.is((await page.component(api)).status, 'operational');
  assert.is((await request('GET', `${page.incidents}/${id}`)).status, 404);
  assert.is((await request('PATCH', `${page.incidents}/${id}`, { body: { name: 'x' } })).status, 404);
  assert.is((await request('DELETE', `${page.incidents}/${id}`)).status, 404);
  assert.equal(await page.list(), []);
});

test('incidents are found only on their own page, by their own organization, while the page exists', async () => {
  const page = await createStatusPage(service);
  const other = await createStatusPage(service);
  const { id } = await page.open();
  assert.is((await request('GET', `${other.incidents}/${id}`)).status, 404);
  assert.is((await request('PATCH', `${other.incidents}/${id}`, { body: { name: 'x' } })).status, 404);
  assert.is((await request('GET', `${page.incidents}/${id}`, { key: second.keys.admin })).status, 404);
  assert.is((await request('GET', page.incidents, { key: second.keys.admin })).status, 404);
  await request('DELETE', page.path);
  assert.is((await request('GET', `${page.incidents}/${id}`)).status, 404);
  assert.is((await request('GET', page.incidents)).status, 404);
});

test('a removed component is no longer shown in incidents', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const { id } = await page.open({ components: { [api]: 'major_outage' } });
  await request('DELETE', `${page.path}/components/${api}`);
  const incident = await page.get(id);
  assert.equal(incident.components, []);
  assert.equal(incident.incident_updates[0]?.components, { [api]: 'major_outage' });
});

test('viewers can read but not write incidents', async () => {
  const page = await createStatusPage(service);
  const { id } = await page.open();
  const key = first.keys.viewer;
  assert.is((await request('GET', `${page.incidents}/${id}`, { key })).status, 200);
  assert.is((await request('PATCH', `${page.incidents}/${id}`, { key, body: { name: 'x' } })).status, 403);
});

test('the activity score of a page is the number of incident updates on the page in the last 30 days', async () => {
  const page = await createStatusPage(service);
  const score = async () => ((await request('GET', page.path)).json() as { activity_score: number }).activity_score;
  assert.is(await score(), 0);
  const { id, incident_updates } = await page.open();
  await page.say(id, { status: 'monitoring' });
  assert.is(await score(), 2);
  await page.edit(id, incident_updates[0]?.id ?? '', { created_at: '2026-10-01T00:00:00Z' });
  assert.is(await score(), 1);
  await request('DELETE', `${page.incidents}/${id}`);
  assert.is(await score(), 0);
});

test('reference lists contain statuses and impacts', async () => {
  const words = async (list: string) => (await request('GET', `/v1/${list}`)).json();
  assert.equal(await words('component-statuses'), [
    'operational',
    'under_maintenance',
    'degraded_performance',
    'partial_outage',
    'major_outage',
  ]);
  assert.equal(await words('incident-statuses'), ['investigating', 'identified', 'monitoring', 'resolved']);
  assert.equal(await words('incident-impacts'), ['none', 'maintenance', 'minor', 'major', 'critical']);
  assert.equal(await words('maintenance-statuses'), ['scheduled', 'in_progress', 'verifying', 'completed']);
});

test.run();
