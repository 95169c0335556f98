import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Method, Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { bodyFor, createAll, fillPath } from './fixtures.ts';
import { startService } from './service.ts';

const test = suite('managed_by');
const service = await startService();
const { first, request } = service;
test.after(() => service.stop());

const KEY = { key: first.keys.admin };

/** The paths of all resources that have the field. */
const PATHS = [
  '/v1/checks/{check_id}',
  '/v1/check-groups/{group_id}',
  '/v1/alerts/rules/{rule_id}',
  '/v1/alerts/channels/{channel_id}',
  '/v1/heartbeats/{heartbeat_key}',
  '/v1/pages/{page_id}',
  '/v1/pages/{page_id}/components/{component_id}',
  '/v1/pages/{page_id}/component-groups/{component_id}',
  '/v1/incident-templates/{incident_template_id}',
  '/v1/secrets/{secret_id}',
];

interface Shown {
  id: string;
  managed_by: string | null;
  name?: string;
}

interface Entry {
  action: string;
  changes: Record<string, { old: unknown; new: unknown }>;
}

const routeOf = (path: string, method: Method): Route => {
  const route = v1Routes.find((one) => one.path === path && one.methods.includes(method));
  if (!route) throw new Error(`${path} takes no ${method}.`);
  return route;
};

const sent = async (method: string, path: string, body?: object): Promise<Shown> => {
  // Lists that are sorted by time need different times.
  service.time.now += 1_000;
  const reply = await request(method, path, { ...KEY, ...(body && { body }) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.json() as Shown;
};

/** Creates a resource of a path. Returns its own path and the response. */
const create = async (path: string, fields: object) => {
  const collection = path.slice(0, path.lastIndexOf('/'));
  const ids = await createAll(service, v1Routes, collection, first.keys.admin);
  const body = { ...bodyFor('post', routeOf(collection, 'post'), ids), ...fields };
  const at = fillPath(collection, ids);
  const created = await sent('POST', at, body);
  return { created, list: at, own: `${at}/${created.id}`, change: bodyFor('patch', routeOf(path, 'patch'), ids) ?? {} };
};

const hasField = (body: Route['body']): boolean => Object.hasOwn((body?.['properties'] ?? {}) as object, 'managed_by');

const listed = async (path: string, id: string): Promise<Shown | undefined> => {
  const reply = (await sent('GET', path)) as unknown as Shown[] | Record<string, Shown[]>;
  const items = Array.isArray(reply) ? reply : Object.values(reply).find((value) => Array.isArray(value));
  return items?.find((item) => item.id === id);
};

/** Returns the audited changes of the field, oldest first, without entries that do not contain it. */
const changesOf = async (id: string): Promise<Entry['changes'][string][]> => {
  const reply = await request('GET', `/v1/audit?resource_id=${id}`, KEY);
  const { audit_logs } = reply.json() as { audit_logs: Entry[] };
  return audit_logs.flatMap(({ changes }) => (changes['managed_by'] ? [changes['managed_by']] : [])).reverse();
};

test('every resource whose body has managed_by is tested here', () => {
  const paths = v1Routes
    .filter(({ methods, body }) => methods.includes('patch') && hasField(body))
    .map(({ path }) => path);
  assert.equal(paths.sort(), [...PATHS].sort());
});

for (const path of PATHS) {
  test(`${path} is created with managed_by, shows it in all reads, and keeps it in other changes`, async () => {
    const { created, list, own, change } = await create(path, { managed_by: 'apply' });
    assert.is(created.managed_by, 'apply');
    assert.is((await sent('GET', own)).managed_by, 'apply');
    assert.is((await listed(list, created.id))?.managed_by, 'apply');
    const others = Object.fromEntries(Object.entries(change).filter(([field]) => field !== 'managed_by'));
    assert.is((await sent('PATCH', own, others)).managed_by, 'apply');
    assert.is((await sent('PUT', own, others)).managed_by, 'apply');
    assert.equal(await changesOf(created.id), [{ old: null, new: 'apply' }]);
  });

  test(`managed_by of ${path} is null by default, can be set, and is removed by null`, async () => {
    const { created, own } = await create(path, { managed_by: undefined });
    assert.is(created.managed_by, null);
    assert.is((await sent('PATCH', own, { managed_by: null })).managed_by, null);
    assert.is((await sent('PATCH', own, { managed_by: 'uptrail.yaml' })).managed_by, 'uptrail.yaml');
    assert.is((await sent('PATCH', own, { managed_by: null })).managed_by, null);
    assert.is((await sent('GET', own)).managed_by, null);
    assert.equal(await changesOf(created.id), [
      { old: null, new: 'uptrail.yaml' },
      { old: 'uptrail.yaml', new: null },
    ]);
  });

  test(`managed_by of ${path} has 1 to 50 characters and is not blank`, async () => {
    const { own } = await create(path, { managed_by: null });
    assert.is((await sent('PATCH', own, { managed_by: 'ü'.repeat(50) })).managed_by, 'ü'.repeat(50));
    for (const managed_by of ['', ' ', 'a'.repeat(51), 7]) {
      const reply = await request('PATCH', own, { ...KEY, body: { managed_by } });
      assert.is(reply.status, 422, `${own} ${JSON.stringify(managed_by)}: ${reply.text}`);
      assert.match(reply.text, 'managed_by');
    }
  });
}

test('managed_by in the history of a resource is a change like any other', async () => {
  const { created, own } = await create('/v1/check-groups/{group_id}', { managed_by: 'apply' });
  const reply = await request('GET', `${own}/history`, KEY);
  assert.is(reply.status, 200, reply.text);
  await sent('PATCH', own, { managed_by: null });
  const history = await request('GET', `${own}/history`, KEY);
  const changes = (history.json() as { history: Entry[] }).history.map((entry) => entry.changes['managed_by']);
  assert.equal(changes, [
    { old: 'apply', new: null },
    { old: null, new: 'apply' },
  ]);
  assert.ok(created.id);
});

test('checks that are created in bulk have the managed_by of their item, also in the overview', async () => {
  const check = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  const create = [{ ...check, managed_by: 'apply' }, check, { ...check, managed_by: '' }];
  const reply = await request('POST', '/v1/checks/bulk', { ...KEY, body: { create } });
  const { results } = reply.json() as { results: { id: string; status: number }[] };
  assert.equal(
    results.map(({ status }) => status),
    [201, 201, 422],
  );
  for (const [index, managed_by] of ['apply', null].entries()) {
    const id = results[index]?.id ?? '';
    assert.is((await sent('GET', `/v1/checks/${id}`)).managed_by, managed_by);
    assert.is((await listed('/v1/checks/overview', id))?.managed_by, managed_by);
  }
});

test('a secret is marked without a change of its value', async () => {
  const { created, own } = await create('/v1/secrets/{secret_id}', {});
  const before = (await sent('GET', own)) as Shown & { secret_value: string };
  assert.not(Object.hasOwn(await sent('PATCH', own, { managed_by: 'apply' }), 'secret_value'));
  const after = (await sent('GET', own)) as Shown & { secret_value: string };
  assert.is(after.secret_value, before.secret_value);
  const both = { secret_value: 'another value', managed_by: 'another' };
  assert.is((await sent('PATCH', own, both)).managed_by, 'another');
  assert.is(((await sent('GET', own)) as typeof after).secret_value, 'another value');
  assert.equal(await changesOf(created.id), [
    { old: null, new: 'apply' },
    { old: 'apply', new: 'another' },
  ]);
});

test('visitors of a page do not see who manages it', async () => {
  const body = { name: 'Shop', subdomain: 'managed-shop', managed_by: 'apply' };
  await sent('POST', '/v1/pages', body);
  const visited = await request('GET', '/v1/pages/by-domain/managed-shop', { key: null });
  assert.is(visited.status, 200, visited.text);
  assert.not(visited.text.includes('managed_by'));
});

test.run();
