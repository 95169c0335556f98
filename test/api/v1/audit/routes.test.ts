import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientKey } from '../../../../domain/client-key.ts';
import { startService, type Service } from '../../service.ts';

interface Entry {
  id: string;
  organization_id: string;
  actor_type: string;
  actor_id: string;
  action: string;
  resource_type: string;
  resource_id: string;
  resource_name: string | null;
  changes: Record<string, { old: unknown; new: unknown }>;
  ip_address: string | null;
  user_agent: string | null;
  created_at: string;
}

interface Page {
  audit_logs: Entry[];
  pagination: Record<string, unknown>;
}

const test = suite<{ service: Service }>('GET /v1/audit');

test.before(async (context) => {
  context.service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
});
test.after(async ({ service }) => {
  await service.stop();
});

const asAdmin = async ({ service }: { service: Service }, query = ''): Promise<Page> => {
  const reply = await service.request('GET', `/v1/audit${query}`, { key: service.first.keys.admin });
  assert.is(reply.status, 200);
  return reply.json() as Page;
};

const createPage = async ({ service }: { service: Service }, name: string): Promise<string> => {
  const headers = { 'user-agent': 'the test' };
  const reply = await service.request('POST', '/v1/pages', { body: { name }, headers });
  assert.is(reply.status, 200);
  return (reply.json() as { id: string }).id;
};

test('the audit log shows actions, actors and origins, newest first', async (context) => {
  const { service } = context;
  const page = await createPage(context, 'Audited');
  service.time.now += 1_000;
  await service.request('PATCH', `/v1/pages/${page}`, { body: { name: 'Audited again' } });
  const { audit_logs } = await asAdmin(context, `?resource_id=${page}`);
  assert.equal(
    audit_logs.map(({ action }) => action),
    ['page.updated', 'page.created'],
  );
  const [updated, created] = audit_logs;
  assert.equal(updated?.changes, { name: { old: 'Audited', new: 'Audited again' } });
  assert.is(updated?.resource_name, 'Audited again');
  assert.is(updated?.created_at, '2026-11-20T15:00:01.000000');
  const { organization_id, actor_type, resource_type, resource_name, ip_address, user_agent } = created ?? {};
  assert.equal(
    { organization_id, actor_type, resource_type, resource_name, ip_address, user_agent },
    {
      organization_id: service.first.id,
      actor_type: 'api_key',
      resource_type: 'page',
      resource_name: 'Audited',
      ip_address: '127.0.0.1',
      user_agent: 'the test',
    },
  );
});

test('the audit log is filtered by action, resource, actor and time', async (context) => {
  const { service } = context;
  const page = await createPage(context, 'Filtered');
  const [entry] = (await asAdmin(context, `?resource_id=${page}`)).audit_logs;
  const total = async (query: string) => (await asAdmin(context, query)).pagination['total'];
  const all = Number(await total(''));
  assert.ok(Number(await total('?action=page.created')) < all);
  assert.is(await total('?action=page.deleted'), 0);
  assert.is(await total('?resource_type=check'), 0);
  assert.is(await total(`?actor_id=${entry?.actor_id ?? ''}&action=api_key.created`), 0);
  service.time.now += 86_400_000;
  const later = await createPage(context, 'A day later');
  const { audit_logs } = await asAdmin(context, '?start_date=2026-11-21');
  assert.equal(
    audit_logs.map(({ resource_id }) => resource_id),
    [later],
  );
  assert.is(await total('?end_date=2026-11-20'), all);
  assert.is(await total('?start_date=2026-11-20&end_date=2026-11-20'), all);
});

test('the audit log has pages of 50 entries by default', async (context) => {
  const { pagination } = await asAdmin(context);
  assert.is(pagination['per_page'], 50);
  const first = await asAdmin(context, '?per_page=1');
  const second = await asAdmin(context, '?per_page=1&page=2');
  assert.is(first.audit_logs.length, 1);
  assert.is.not(first.audit_logs[0]?.id, second.audit_logs[0]?.id);
  assert.equal([second.pagination['has_prev'], first.pagination['has_prev']], [true, false]);
  const beyond = await asAdmin(context, '?page=1000');
  assert.equal(beyond.audit_logs, []);
});

test('only admins and billing users of the organization can read the audit log', async (context) => {
  const { service } = context;
  const statusFor = async (key: string) => (await service.request('GET', '/v1/audit', { key })).status;
  const { viewer, editor, admin, billing } = service.first.keys;
  assert.equal(await Promise.all([viewer, editor, admin, billing].map(statusFor)), [403, 403, 200, 200]);
  const page = await createPage(context, 'Of the first');
  const reply = await service.request('GET', `/v1/audit?resource_id=${page}`, { key: service.second.keys.admin });
  assert.equal((reply.json() as Page).audit_logs, []);
});

test('the audit log shows changes of a check without its secrets', async (context) => {
  const { service } = context;
  const headers = { Authorization: 'Bearer hunter2', 'PRIVATE-TOKEN': 'hunter4', Accept: 'visible' };
  const parameters = { http_request: { username: 'ann', password: 'hunter3', body: 'hunter5', headers } };
  const body = { name: 'Secret', type: 'web', interval: 60, url: 'http://127.0.0.1/', parameters };
  const reply = await service.request('POST', '/v1/checks', { body });
  assert.is(reply.status, 201);
  const { id } = reply.json() as { id: string };
  const [entry] = (await asAdmin(context, `?resource_id=${id}`)).audit_logs;
  assert.not.match(JSON.stringify(entry), 'hunter');
  assert.equal(entry?.changes['parameters']?.new, {
    http_request: {
      username: 'ann',
      password: '********',
      body: '********',
      headers: { Authorization: '********', 'PRIVATE-TOKEN': '********', Accept: 'visible' },
    },
  });
});

test('the audit log shows client addresses and user agents as [forgotten] if the key of their month was deleted', async (context) => {
  const { service } = context;
  const page = await createPage(context, 'Forgotten');
  const [entry] = (await asAdmin(context, `?resource_id=${page}`)).audit_logs;
  await service.keys.forget(clientKey('clients', entry?.organization_id ?? '', entry?.created_at ?? ''));
  const [after] = (await asAdmin(context, `?resource_id=${page}`)).audit_logs;
  assert.equal([after?.ip_address, after?.user_agent], ['[forgotten]', '[forgotten]']);
});

const exportOf = async ({ service }: { service: Service }, query: string, headers: Record<string, string> = {}) => {
  const reply = await service.request('GET', `/v1/audit${query}`, { key: service.first.keys.admin, headers });
  assert.is(reply.status, 200);
  return { ...reply, type: reply.headers['content-type'] };
};

test('the whole audit log can be exported as CSV without formulas', async (context) => {
  const page = await createPage(context, '=HYPERLINK("https://evil.example")');
  const { type, headers, text } = await exportOf(context, `?format=csv&resource_id=${page}&per_page=1`);
  assert.is(type, 'text/csv; charset=utf-8');
  assert.is(headers['content-disposition'], 'attachment; filename="audit.csv"');
  assert.is(headers['cache-control'], 'no-store');
  const [head, line, rest] = text.split('\r\n');
  assert.match(head ?? '', /^\uFEFFid,created_at,organization_id,actor_type,actor_id,actor_email,action,/);
  assert.match(line ?? '', `,page.created,page,${page},"'=HYPERLINK(""https://evil.example"")","{""`);
  assert.is(rest, '');
});

test('the whole audit log can be exported as JSON lines, with the same entries as the list', async (context) => {
  const { type, headers, text } = await exportOf(context, '?format=jsonl');
  assert.is(type, 'application/x-ndjson; charset=utf-8');
  assert.is(headers['content-disposition'], 'attachment; filename="audit.jsonl"');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  const { audit_logs, pagination } = await asAdmin(context, '?per_page=100');
  assert.is(lines.length, pagination['total']);
  assert.equal(lines, audit_logs);
});

test('the format of the audit log is the one in the parameter `format`, otherwise the one that the Accept header prefers, and JSON by default', async (context) => {
  const accepting = async (accept: string, query = '') => (await exportOf(context, query, { accept })).type;
  assert.is(await accepting('text/csv'), 'text/csv; charset=utf-8');
  assert.is(await accepting('application/x-ndjson;q=0.9, text/html'), 'application/x-ndjson; charset=utf-8');
  assert.is(await accepting('*/*'), 'application/json; charset=utf-8');
  assert.is(await accepting('text/csv, application/json'), 'application/json; charset=utf-8');
  assert.is(await accepting('application/json', '?format=csv'), 'text/csv; charset=utf-8');
  assert.is(await accepting('text/csv', '?format=json'), 'application/json; charset=utf-8');
  const { service } = context;
  const key = service.first.keys.admin;
  const refused = await service.request('GET', '/v1/audit?format=xml', { key });
  assert.is(refused.status, 400);
  const unknown = await service.request('GET', '/v1/audit', { key, headers: { accept: 'text/html' } });
  assert.is(unknown.status, 406);
});

test('time filters of the audit log that are not times are refused', async ({ service }) => {
  const reply = await service.request('GET', '/v1/audit?start_date=soon', { key: service.first.keys.admin });
  assert.is(reply.status, 400);
});

test.run();
