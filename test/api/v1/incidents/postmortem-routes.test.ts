import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService, type ServiceRequest } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';

interface Postmortem {
  id: string;
  incident_id: string;
  body: string | null;
  body_draft: string | null;
  preview_key: string | null;
  notify_subscribers: boolean;
  published_at: string | null;
}

const NOW = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): string => `${new Date(NOW + minutes * MINUTE_MS).toISOString().slice(0, -1)}000`;

const test = suite('postmortems');
const service = await startService({ now: NOW });
const { request, first, second } = service;
test.after(() => service.stop());
const after = (minutes: number): void => {
  service.time.now = NOW + minutes * MINUTE_MS;
};
test.before.each(() => {
  after(0);
});

const anIncident = async (fields: object = {}) => {
  const page = await createStatusPage(service, fields);
  const { id } = await page.open();
  const path = `${page.incidents}/${id}/postmortem`;
  const requestPostmortem = async (
    method: string,
    below: string,
    ask: ServiceRequest,
    status: number,
  ): Promise<Postmortem> => {
    const reply = await request(method, `${path}${below}`, ask);
    assert.is(reply.status, status, reply.text);
    return reply.json() as Postmortem;
  };
  return {
    page,
    id,
    path,
    write: (body: object, status = 200) => requestPostmortem('PUT', '', { body }, status),
    publish: (body: object = {}, status = 200) => requestPostmortem('PUT', '/publish', { body }, status),
    unpublish: (status = 200) => requestPostmortem('PUT', '/unpublish', {}, status),
    read: (ask: ServiceRequest = {}, status = 200) => requestPostmortem('GET', '', ask, status),
    preview: (key: string, status = 200, ask: ServiceRequest = { key: null }) =>
      requestPostmortem('GET', `/preview/${key}`, ask, status),
  };
};

test('a postmortem does not exist and cannot be published before a draft is written', async () => {
  const { read, publish, write, path } = await anIncident();
  await read({}, 404);
  await publish({}, 404);
  assert.equal(invalidFields(await request('PUT', path, { body: {} })), ['body_draft']);
  assert.equal(invalidFields(await request('PUT', path, { body: { body_draft: null } })), ['body_draft']);
  const both = { notify_subscribers: 'yes' };
  assert.equal(invalidFields(await request('PUT', path, { body: both })), ['body_draft', 'notify_subscribers']);
  for (const body_draft of ['', ' \u200b', 5, 'x'.repeat(50_001)]) await write({ body_draft }, 422);
  await read({}, 404);
});

test('a draft is written, changed, published, and shown in the incident', async () => {
  const { page, id, write, publish, read } = await anIncident();
  after(1);
  const { id: postmortem, preview_key, ...draft } = await write({ body_draft: '# Why\n\nA disk was full.' });
  assert.match(postmortem, /^[a-z0-9]{12}$/);
  assert.match(preview_key ?? '', /^[\w-]{32}$/);
  assert.equal(draft, {
    incident_id: id,
    body: null,
    body_draft: '# Why\n\nA disk was full.',
    body_draft_updated_at: at(1),
    body_updated_at: null,
    notify_subscribers: true,
    published_at: null,
    created_at: at(1),
    updated_at: at(1),
  });
  assert.is((await page.get(id)).postmortem_body, null);

  after(2);
  const changed = await write({ body_draft: 'Two disks were full.' });
  assert.equal([changed.id, changed.preview_key], [postmortem, preview_key]);
  after(3);
  const published = await publish();
  assert.equal(published, {
    ...changed,
    body: 'Two disks were full.',
    body_updated_at: at(3),
    preview_key: null,
    published_at: at(3),
    updated_at: at(3),
  });
  assert.equal(await read(), published);
  const incident = await page.get(id);
  assert.equal(
    [incident.postmortem_body, incident.postmortem_body_last_updated_at, incident.postmortem_published_at],
    ['Two disks were full.', at(3), at(3)],
  );
  await publish({}, 400);
});

test('unpublishing a postmortem turns its text into the draft, even if a previous draft was discarded', async () => {
  const { page, id, write, publish, unpublish, read, preview } = await anIncident();
  await unpublish(404);
  await write({ body_draft: 'One.' });
  await unpublish(400);
  await publish();
  await write({ body_draft: null });
  after(3);
  const unpublished = await unpublish();
  assert.equal(unpublished, {
    ...unpublished,
    body: null,
    body_draft: 'One.',
    body_updated_at: null,
    updated_at: at(3),
  });
  assert.is(unpublished.published_at, null);
  assert.equal(await read(), unpublished);
  const incident = await page.get(id);
  assert.equal(
    [incident.postmortem_body, incident.postmortem_body_last_updated_at, incident.postmortem_published_at],
    [null, null, null],
  );
  assert.is((await preview(unpublished.preview_key ?? '')).body_draft, 'One.');
  await unpublish(400);
  assert.is((await publish()).body, 'One.');
});

test('a new draft does not change the published postmortem until it is published', async () => {
  const { page, id, write, publish } = await anIncident();
  const { preview_key } = await write({ body_draft: 'One.' });
  await publish();
  after(5);
  const again = await write({ body_draft: 'Two.' });
  assert.equal([again.body, again.body_draft, again.published_at], ['One.', 'Two.', at(0)]);
  assert.not.equal(again.preview_key, preview_key);
  assert.is((await page.get(id)).postmortem_body, 'One.');
  after(6);
  const republished = await publish({ notify_subscribers: false });
  assert.equal([republished.body, republished.published_at, republished.notify_subscribers], ['Two.', at(6), false]);
  assert.is((await page.get(id)).postmortem_body, 'Two.');
});

test('a discarded draft cannot be published', async () => {
  const { write, publish, preview } = await anIncident();
  const { preview_key } = await write({ body_draft: 'One.' });
  assert.equal((await write({ body_draft: null })).body_draft, null);
  await publish({}, 400);
  await preview(preview_key ?? '', 404);
});

test('the preview key gives access to a draft without an API key until the draft is published', async () => {
  const { path, write, publish, preview, page } = await anIncident({ viewers_must_be_team_members: true });
  const { preview_key, ...draft } = await write({ body_draft: 'One.' });
  const key = preview_key ?? '';
  assert.equal(await preview(key), { ...draft, preview_key: null });
  const { headers } = await request('GET', `${path}/preview/${key}`, { key: null });
  assert.is(headers['cache-control'], 'no-store');
  await preview('x'.repeat(32), 404);
  await preview(key.slice(1), 404);
  // A caller of another organization sees only data of its own organization.
  await preview(key, 404, { key: second.keys.admin });
  const other = await page.open();
  await request('PUT', `${page.incidents}/${other.id}/postmortem`, { body: { body_draft: 'Another.' } });
  assert.is(
    (await request('GET', `${page.incidents}/${other.id}/postmortem/preview/${key}`, { key: null })).status,
    404,
  );
  await publish();
  await preview(key, 404);
  // The key is not in the request log either.
  assert.match(service.logged.join(''), `${path}/preview/…"`);
  assert.not.match(service.logged.join(''), key);
});

test('a viewer reads the draft, but not its preview key', async () => {
  const { path, write, read } = await anIncident();
  const { preview_key, ...draft } = await write({ body_draft: 'One.' });
  assert.ok(preview_key);
  assert.equal(await read({ key: first.keys.viewer }), { ...draft, preview_key: null });
  for (const below of ['', '/publish']) {
    assert.is((await request('PUT', `${path}${below}`, { key: first.keys.viewer, body: {} })).status, 403);
  }
});

test('a postmortem is deleted with its incident and with its page', async () => {
  const deleted = await anIncident();
  const { preview_key } = await deleted.write({ body_draft: 'One.' });
  await request('DELETE', `${deleted.page.incidents}/${deleted.id}`);
  await deleted.read({}, 404);
  await deleted.write({ body_draft: 'Two.' }, 404);
  await deleted.publish({}, 404);
  await deleted.preview(preview_key ?? '', 404);

  const below = await anIncident();
  const kept = await below.write({ body_draft: 'One.' });
  await request('DELETE', below.page.path);
  await below.read({}, 404);
  await below.publish({}, 404);
  await below.preview(kept.preview_key ?? '', 404);
});

test('a maintenance can have a postmortem, and its Markdown is stored as sent', async () => {
  const { page } = await anIncident();
  const maintenance = await page.open({
    status: 'scheduled',
    scheduled_for: '2026-11-21T10:00:00Z',
    scheduled_until: '2026-11-21T11:00:00Z',
  });
  const body_draft =
    '<script>alert(1)</script> [x](javascript:alert(1)) \u202e\r\nBcc: a@example.com {"key":"a","sealed":"b"}';
  const path = `${page.incidents}/${maintenance.id}/postmortem`;
  const reply = await request('PUT', path, { body: { body_draft } });
  assert.is((reply.json() as Postmortem).body_draft, body_draft);
  const answer = await request('PUT', `${path}/publish`);
  assert.is((answer.json() as Postmortem).body, body_draft);
  assert.is(answer.headers['content-type'], 'application/json; charset=utf-8');
});

test('the audit log contains postmortems without their preview key', async () => {
  const { write, publish } = await anIncident();
  const { id: postmortem, preview_key } = await write({ body_draft: 'One.' });
  after(1);
  await write({ body_draft: 'Two.' });
  after(2);
  await publish();
  const path = `/v1/audit?resource_id=${postmortem}`;
  const reply = await request('GET', path, { key: first.keys.admin });
  const { audit_logs: entries } = reply.json() as { audit_logs: { action: string; changes: object }[] };
  assert.equal(
    entries.map(({ action, changes }) => [action, changes]),
    [
      ['postmortem.published', { body: { old: null, new: 'Two.' }, notify_subscribers: { old: null, new: true } }],
      ['postmortem.drafted', { body_draft: { old: 'One.', new: 'Two.' } }],
      ['postmortem.drafted', { body_draft: { old: null, new: 'One.' }, notify_subscribers: { old: null, new: true } }],
    ],
  );
  assert.not.match(reply.text, preview_key ?? '-');
});

test('a repeated request to write a postmortem has the same result', async () => {
  const { path } = await anIncident();
  const headers = { 'idempotency-key': 'draft-1' };
  const body = { body_draft: 'One.' };
  const once = await request('PUT', path, { body, headers });
  const twice = await request('PUT', path, { body, headers });
  assert.equal([twice.headers['idempotent-replayed'], twice.json()], ['true', once.json()]);
});

test.run();
