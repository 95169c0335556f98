import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Incident } from '../../../../api/v1/incidents/schema.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { startService } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const hoursAgo = (hours: number): string => `${new Date(NOW - hours * HOUR_MS).toISOString().slice(0, -1)}000`;

const test = suite('backdated incidents');
const service = await startService({ now: NOW });
const { request } = service;
test.after(() => service.stop());

const sent = {
  name: 'No answer',
  body: 'We look into it.',
  status: 'investigating',
  components: {},
  deliver_notifications: false,
};

test('a backdated incident and its backdated updates have the times at which they were published elsewhere', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const opened = await request('POST', page.incidents, {
    body: { ...sent, components: { [api]: 'major_outage' }, backdated_to: hoursAgo(5) },
  });
  assert.is(opened.status, 201);
  const { id, created_at } = opened.json() as Incident;
  assert.is(created_at, hoursAgo(5));
  for (const [status, hours] of [
    ['resolved', 1],
    ['monitoring', 3],
  ] as const) {
    const body = { status, body: status, deliver_notifications: false, backdated_to: hoursAgo(hours) };
    const reply = await request('POST', `${page.incidents}/${id}/incident_updates`, { body });
    assert.is(reply.status, 201);
    assert.is((reply.json() as { created_at: string }).created_at, hoursAgo(hours));
  }
  const incident = await page.get(id);
  assert.equal(
    incident.incident_updates.map((update) => [update.status, update.created_at]),
    [
      ['resolved', hoursAgo(1)],
      ['monitoring', hoursAgo(3)],
      ['investigating', hoursAgo(5)],
    ],
  );
  assert.is(incident.status, 'resolved');
  assert.is(incident.monitoring_at, hoursAgo(3));
  assert.is(incident.resolved_at, hoursAgo(1));
});

test('a backdated maintenance keeps its schedule and its times', async () => {
  const page = await createStatusPage(service);
  const schedule = { scheduled_for: hoursAgo(40), scheduled_until: hoursAgo(38) };
  const body = { ...sent, ...schedule, status: 'scheduled', backdated_to: hoursAgo(90) };
  const { id } = (await request('POST', page.incidents, { body })).json() as Incident;
  for (const [status, hours] of [
    ['in_progress', 40],
    ['completed', 39],
  ] as const) {
    const update = { status, body: status, deliver_notifications: false, backdated_to: hoursAgo(hours) };
    assert.is((await request('POST', `${page.incidents}/${id}/incident_updates`, { body: update })).status, 201);
  }
  const maintenance = await page.get(id);
  assert.is(maintenance.created_at, hoursAgo(90));
  assert.is(maintenance.resolved_at, hoursAgo(39));
  assert.is(maintenance.scheduled_for, hoursAgo(40));
});

test('a backdated incident must not notify subscribers and must not be in the future', async () => {
  const page = await createStatusPage(service);
  const notifying = { ...sent, deliver_notifications: true, backdated_to: hoursAgo(1) };
  const loud = await request('POST', page.incidents, { body: notifying });
  assert.equal(invalidFields(loud), ['deliver_notifications']);
  const early = await request('POST', page.incidents, { body: { ...sent, backdated_to: hoursAgo(-1) } });
  assert.equal(invalidFields(early), ['backdated_to']);
  const schedule = { status: 'scheduled', scheduled_for: hoursAgo(-2), scheduled_until: hoursAgo(-3) };
  const reminding = { ...sent, ...schedule, scheduled_remind_prior: true, backdated_to: hoursAgo(1) };
  assert.equal(invalidFields(await request('POST', page.incidents, { body: reminding })), ['scheduled_remind_prior']);
  const { id } = (await request('POST', page.incidents, { body: sent })).json() as Incident;
  const update = { status: 'identified', backdated_to: hoursAgo(-1) };
  const refused = await request('POST', `${page.incidents}/${id}/incident_updates`, { body: update });
  assert.equal(invalidFields(refused).sort(), ['backdated_to', 'deliver_notifications']);
});

test('a past incident keeps the metadata of its request', async () => {
  const page = await createStatusPage(service);
  const body = {
    name: 'It was down',
    impact: 'minor',
    metadata: { imported_from: 'statuspage:abc' },
    incident_updates: [{ body: 'All is well.', status: 'resolved', created_at: hoursAgo(3) }],
  };
  const reply = await request('POST', `${page.incidents}/log-past-incident`, { body });
  assert.is(reply.status, 201);
  assert.equal((reply.json() as Incident).metadata, { imported_from: 'statuspage:abc' });
});

test.run();
