import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Incident } from '../../../../api/v1/incidents/schema.ts';
import { definitionOf } from '../../../../domain/event-types.ts';
import { streamOf } from '../../../../domain/decider.ts';
import { MAX_BODY } from '../../../../domain/incident/rules.ts';
import { MAX_BODY_BYTES } from '../../../../http/body.ts';
import { request as send } from '../../http.ts';
import { startService } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';

const test = suite('an incident that is too large for the stores');
const service = await startService();
const { request, stores, statuses, port, first } = service;
test.after(() => service.stop());

/** Appends updates that are too large in total, which an earlier release accepted. Each character takes six bytes. */
const outgrow = async (page_id: string, incident_id: string): Promise<void> => {
  const stream = streamOf('incident', incident_id);
  const [opened] = await stores.main.readStream(stream, { from: 0n, limit: 1 });
  if (!opened) throw new Error('It was not opened.');
  for (let count = 0; count < 90; count++) {
    const update = {
      id: `update${count}`,
      body: '\u0001'.repeat(MAX_BODY),
      status: 'investigating',
      status_sent: true,
      components: {},
      deliver_notifications: false,
      created_at: opened.metadata.recorded_at,
    };
    const event = {
      id: randomUUID(),
      type: 'IncidentUpdateAppended' as const,
      data: { incident_id, page_id, update },
      metadata: { ...opened.metadata, schema_version: definitionOf('IncidentUpdateAppended')?.version ?? 1 },
    };
    await stores.main.append(stream, [event], 'any');
  }
};

const healthOf = async (name: string) => {
  const reply = await request('GET', '/health/ready', { key: null });
  const { parts } = reply.json() as {
    parts: { name: string; ready: boolean; state: string; message: string | null }[];
  };
  return { status: reply.status, ...parts.find((part) => part.name === `projection ${name}`) };
};

test('a read of an oversized incident is 500 with a message, the incident can be deleted, and all other incidents work', async () => {
  const page = await createStatusPage(service);
  const other = await page.open({});
  const large = await page.open({});
  await outgrow(page.id, large.id);
  const after = await page.open({});

  const listed = (await request('GET', page.incidents)).json() as Incident[];
  assert.equal(listed.map(({ id }) => id).sort(), [other.id, after.id].sort());
  const path = `${page.incidents}/${large.id}`;
  const reply = await send(port, { method: 'GET', path, headers: { authorization: first.keys.editor } });
  assert.is(reply.status, 500);
  assert.match((reply.json() as { message: string }).message, /is set aside, since it cannot be shown/);
  assert.is((await request('GET', `${page.incidents}/unknown00000`)).status, 404);

  assert.is(statuses.of('incidents').set_aside, 1);
  const health = await healthOf('incidents');
  assert.equal([health.status, health.ready, health.state], [200, true, 'degraded']);
  assert.is(health.message, '1 document is set aside. Run `uptrail projections --set-aside`.');

  assert.is((await request('DELETE', path)).status, 204);
  assert.is((await request('GET', path)).status, 404);
  assert.equal(await healthOf('incidents').then(({ state, message }) => [state, message]), ['live', null]);
});

test('an update that would make an incident too large is 422 and names its field', async () => {
  const page = await createStatusPage(service);
  const { id } = await page.open({});
  const path = `${page.incidents}/${id}/incident_updates`;
  const body = { status: 'identified', body: '\u0001'.repeat(MAX_BODY) };
  let reply = await request('POST', path, { body });
  for (let count = 1; reply.status === 201; count++) {
    assert.ok(count < 84);
    reply = await request('POST', path, { body });
  }
  assert.is(reply.status, 422);
  assert.equal(invalidFields(reply), ['body']);
  assert.is((await request('GET', `${page.incidents}/${id}`)).status, 200);
  const change = await request('PATCH', `${page.incidents}/${id}`, { body: { body: body.body } });
  assert.equal([change.status, invalidFields(change)], [422, ['body']]);
});

test('an incident that would not fit into one event is 413 and stores nothing', async () => {
  const page = await createStatusPage(service);
  const updates = Array.from({ length: 14 }, (_, index) => ({
    body: '漢'.repeat(24_800),
    status: index === 13 ? 'resolved' : 'identified',
    created_at: '2026-01-20T12:00:00.000000',
  }));
  const body = { name: 'Long ago', impact: 'minor', incident_updates: [{ ...updates[0], body: '' }, ...updates] };
  const room = MAX_BODY_BYTES - Buffer.byteLength(JSON.stringify(body));
  body.incident_updates[0] = { ...updates[0], body: 'a'.repeat(Math.min(MAX_BODY, room)) };
  assert.ok(room > 0 && room <= MAX_BODY, 'the request is as large as it may be');
  const reply = await request('POST', `${page.incidents}/log-past-incident`, { body });
  assert.is(reply.status, 413);
  assert.equal((await request('GET', page.incidents)).json(), []);
});

test.run();
