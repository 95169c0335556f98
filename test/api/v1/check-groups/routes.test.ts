import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Static } from '@sinclair/typebox';
import type { CheckGroup as CheckGroupSchema } from '../../../../api/v1/check-groups/schema.ts';
import type { Check } from '../../../../api/v1/checks/schema.ts';
import { instantOf } from '../../../../domain/time.ts';
import { cameUp, wentDown } from '../../../domain/check/examples.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest } from '../../service.ts';

type CheckGroup = Static<typeof CheckGroupSchema>;

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const test = suite('check groups');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());

const groupOf = (reply: Reply): CheckGroup => reply.json() as CheckGroup;
const make = async (body: object = {}, ask: ServiceRequest = {}): Promise<CheckGroup> => {
  const reply = await request('POST', '/v1/check-groups', { ...ask, body: { name: 'Shops', ...body } });
  assert.is(reply.status, 201, reply.text);
  return groupOf(reply);
};
const group = async ({ id }: { id: string }): Promise<CheckGroup> =>
  groupOf(await request('GET', `/v1/check-groups/${id}`));
const change = (id: string, body: object): Promise<Reply> => request('PATCH', `/v1/check-groups/${id}`, { body });

const CHECK = { type: 'web', url: 'https://shop.example/', interval: 60 };
const makeCheck = async (body: object = {}): Promise<Check> => {
  const reply = await request('POST', '/v1/checks', { body: { name: 'Shop', ...CHECK, ...body } });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Check;
};
const check = async ({ id }: { id: string }): Promise<Check> =>
  (await request('GET', `/v1/checks/${id}`)).json() as Check;
const move = (id: string, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('PATCH', `/v1/checks/${id}/group`, { ...ask, body });
const names = (reply: Reply): string[] => (reply.json() as { checks: Check[] }).checks.map(({ name }) => name);
const errorsOf = (reply: Reply) => (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;

/** Stores an event in the stream of a check. */
const happened = async ({ id }: { id: string }, fact: ReturnType<typeof cameUp> | ReturnType<typeof wentDown>) => {
  const { stores, readers } = service;
  const known = (await stores.main.readStream(`check-${id}`))[0];
  assert.ok(known);
  const event = {
    ...fact,
    id: crypto.randomUUID(),
    metadata: { ...known.metadata, schema_version: 1 },
    data: { ...fact.data, check_id: id },
  };
  const { position } = await stores.main.append(`check-${id}`, [event], 'any');
  await readers.waitFor(['checks'], { appended: new Map([['main', position]]) });
};

test('a check group is created with defaults, and the response has every field', async () => {
  const reply = await request('POST', '/v1/check-groups', { body: { name: 'Shops' } });
  const made = groupOf(reply);
  assert.is(reply.headers['location'], `/v1/check-groups/${made.id}`);
  assert.equal(made, {
    id: made.id,
    name: 'Shops',
    description: null,
    color: null,
    position: made.position,
    active: true,
    checks_count: 0,
    status: null,
    status_summary: { total: 0, up: 0, down: 0, pending: 0, paused: 0 },
    managed_by: null,
    created_at: instantOf(NOW),
    updated_at: instantOf(NOW),
    revision: 1,
  });
  assert.equal(await group(made), made);
});

test('the error for a check group names every invalid field', async () => {
  const body = { name: ' ', description: 'x'.repeat(501), color: 'green', position: 0, active: 'no' };
  const reply = await request('POST', '/v1/check-groups', { body });
  assert.is(reply.status, 422);
  assert.equal(Object.keys(errorsOf(reply)).sort(), ['active', 'color', 'description', 'name', 'position']);
});

test('check groups are listed by position, then by name, with new ones at the end', async () => {
  const key = second.keys.admin;
  const [one, two] = [await make({ name: 'B' }, { key }), await make({ name: 'C' }, { key })];
  await make({ name: 'A', position: two.position }, { key });
  const reply = await request('GET', '/v1/check-groups', { key });
  const { groups, pagination } = reply.json() as { groups: CheckGroup[]; pagination: object };
  assert.equal(
    groups.map(({ name, position }) => [name, position]),
    [
      ['B', one.position],
      ['A', one.position + 1],
      ['C', one.position + 1],
    ],
  );
  assert.equal(pagination, {
    page: 1,
    page_size: 20,
    total_pages: 1,
    total_items: 3,
    has_next: false,
    has_prev: false,
  });
});

test('check groups of other organizations are not found, not even as the target of a moved check', async () => {
  const made = await make();
  const key = second.keys.admin;
  assert.is((await request('GET', `/v1/check-groups/${made.id}`, { key })).status, 404);
  assert.is((await request('GET', `/v1/check-groups/${made.id}/checks`, { key })).status, 404);
  const body = { name: 'Theirs', ...CHECK, group_id: made.id };
  const refused = await request('POST', '/v1/checks', { key, body });
  assert.is(refused.status, 422);
  assert.equal(errorsOf(refused), { group_id: ['There is no such check group.'] });
  const theirs = (await request('POST', '/v1/checks', { key, body: { ...body, group_id: null } })).json() as Check;
  assert.is((await move(theirs.id, { group_id: made.id }, { key })).status, 422);
  assert.is((await move(theirs.id, { group_id: null })).status, 404);
});

test('a check can be moved into a group, within it and out of it', async () => {
  const made = await make({ name: 'Moving', color: '#1A7F37' });
  const shop = await makeCheck();
  const moved = await move(shop.id, { group_id: made.id });
  assert.is(moved.status, 200);
  assert.equal(moved.json(), { message: 'The check is in the group.', check_id: shop.id, group_id: made.id });
  const { id, name, description, color, position, active } = made;
  assert.equal((await check(shop)).group, { id, name, description, color, position, active });
  assert.is((await check(shop)).position, 1);
  await move(shop.id, { group_id: made.id, position: 5 });
  await move(shop.id, { group_id: made.id });
  assert.is((await check(shop)).position, 5);
  const out = await move(shop.id, { group_id: null });
  assert.equal(out.json(), { message: 'The check is in no group.', check_id: shop.id, group_id: null });
  const { group_id, group, position: none } = await check(shop);
  assert.equal([group_id, group, none], [null, null, null]);
});

test('a check can only be moved to an existing group', async () => {
  const shop = await makeCheck();
  assert.equal(Object.keys(errorsOf(await move(shop.id, {}))), ['group_id']);
  const broken = await move(shop.id, { group_id: 'nosuchgroup0', position: 0 });
  assert.equal(Object.keys(errorsOf(broken)).sort(), ['group_id', 'position']);
  assert.is((await move(shop.id, { group_id: null }, { key: first.keys.viewer })).status, 403);
});

test('moved checks are added at the end of a group, and a group lists its checks in order', async () => {
  const made = await make();
  const others = await make({ name: 'Others' });
  await makeCheck({ name: 'Third', group_id: made.id, position: 9 });
  await makeCheck({ name: 'First', group_id: made.id, position: 2 });
  await makeCheck({ name: 'Second', group_id: made.id, position: 3 });
  const last = await makeCheck({ name: 'Last', group_id: made.id });
  await makeCheck({ name: 'Elsewhere', group_id: others.id });
  assert.is(last.position, 10);
  const list = `/v1/check-groups/${made.id}/checks`;
  assert.equal(names(await request('GET', list)), ['First', 'Second', 'Third', 'Last']);
  assert.equal(names(await request('GET', `${list}?page_size=1&page=2`)), ['Second']);
  assert.equal(names(await request('GET', `${list}?name=st&status=pending`)), ['First', 'Last']);
  assert.equal(names(await request('GET', `/v1/checks?group_id=${others.id}`)), ['Elsewhere']);
});

test('a check group counts its checks by status and shows the worst status of its active checks', async () => {
  const made = await make();
  const [one, two, three, four] = [
    await makeCheck({ group_id: made.id }),
    await makeCheck({ group_id: made.id }),
    await makeCheck({ group_id: made.id }),
    await makeCheck({ group_id: made.id, active: false }),
  ];
  await happened(one, cameUp());
  await happened(two, wentDown());
  const now = await group(made);
  assert.equal([now.checks_count, now.status], [4, 'down']);
  assert.equal(now.status_summary, { total: 4, up: 1, down: 1, pending: 1, paused: 1 });
  const { groups } = (await request('GET', '/v1/check-groups?page_size=100')).json() as { groups: CheckGroup[] };
  assert.equal(
    groups.find(({ id }) => id === made.id),
    now,
  );
  await request('DELETE', `/v1/checks/${two.id}`);
  assert.is((await group(made)).status, 'pending');
  await move(three.id, { group_id: null });
  assert.is((await group(made)).status, 'up');
  await request('DELETE', `/v1/checks/${one.id}`);
  assert.equal((await group(made)).status_summary, { total: 1, up: 0, down: 0, pending: 0, paused: 1 });
  assert.is((await group(made)).status, 'paused');
  await request('DELETE', `/v1/checks/${four.id}`);
  assert.is((await group(made)).status, null);
});

test('checks of an inactive group show that their group is inactive, and keep their own active field', async () => {
  const made = await make();
  const [on, off] = [await makeCheck({ group_id: made.id }), await makeCheck({ group_id: made.id, active: false })];
  assert.is(groupOf(await change(made.id, { active: false })).status, 'paused');
  assert.equal((await group(made)).status_summary, { total: 2, up: 0, down: 0, pending: 0, paused: 2 });
  const [running, switchedOff] = [await check(on), await check(off)];
  assert.equal([running.active, running.suspended_reason], [true, 'Its group is paused.']);
  assert.equal([switchedOff.active, switchedOff.suspended_reason], [false, null]);
  assert.is((await service.stores.main.readStream(`check-${on.id}`)).length, 1);
  await change(made.id, { active: true });
  assert.is((await check(on)).suspended_reason, null);
});

test('checks of a deleted group remain without a group', async () => {
  const made = await make({ active: false });
  const named = [
    await makeCheck({ name: 'Left one', group_id: made.id }),
    await makeCheck({ name: 'Left two', group_id: made.id }),
  ];
  const remaining = await makeCheck({ name: 'Left out', group_id: (await make()).id });
  assert.is((await request('DELETE', `/v1/check-groups/${made.id}`)).status, 204);
  assert.is((await request('GET', `/v1/check-groups/${made.id}`)).status, 404);
  for (const one of named) {
    const { group_id, group, position, suspended_reason } = await check(one);
    assert.equal([group_id, group, position, suspended_reason], [null, null, null, null]);
  }
  assert.equal(names(await request('GET', '/v1/checks?group_id=ungrouped&name=left')).sort(), ['Left one', 'Left two']);
  assert.equal(names(await request('GET', `/v1/checks?group_id=${made.id}`)), []);
  assert.is((await move(remaining.id, { group_id: made.id })).status, 422);
});

test('the audit log contains moves of checks', async () => {
  const made = await make();
  const shop = await makeCheck({ group_id: made.id });
  service.time.now += 1_000;
  await move(shop.id, { group_id: null });
  const reply = await request('GET', `/v1/audit?resource_id=${shop.id}`, { key: first.keys.admin });
  const entries = (reply.json() as { audit_logs: { action: string; changes: Record<string, unknown> }[] }).audit_logs;
  assert.equal(
    entries.map(({ action, changes: { group_id, position } }) => ({ action, group_id, position })),
    [
      { action: 'check.grouped', group_id: { old: made.id, new: null }, position: { old: 1, new: null } },
      { action: 'check.created', group_id: { old: null, new: made.id }, position: { old: null, new: 1 } },
    ],
  );
});

test.run();
