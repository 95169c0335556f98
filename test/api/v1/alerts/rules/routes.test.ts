import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../../../http.ts';
import { storeChannel, storeChannelEvent } from '../../../stored-channels.ts';
import { startService, type ServiceRequest } from '../../../service.ts';

const test = suite('/v1/alerts/rules');
const service = await startService();
const { first, second, request } = service;
test.after(() => service.stop());

interface Rule extends Record<string, unknown> {
  id: string;
  name: string;
  channel_ids: string[];
  channels: { id: string; name: string }[];
}

const body = (reply: Reply, status = 200): Rule => {
  assert.is(reply.status, status, reply.text);
  return reply.json() as Rule;
};
const broken = (reply: Reply): Record<string, string[]> => {
  assert.is(reply.status, 422, reply.text);
  return (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;
};
const aCheck = async (changes: object = {}, ask: ServiceRequest = {}): Promise<string> => {
  const check = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, ...changes };
  return body(await request('POST', '/v1/checks', { ...ask, body: check }), 201).id;
};
const check_id = await aCheck();
const channel_id = await storeChannel(service, first.id);
const aRule = { name: 'Shop is down', check_id, condition: 'check_failed', channel_ids: [channel_id] };
const create = (changes: object = {}, ask: ServiceRequest = {}) =>
  request('POST', '/v1/alerts/rules', { ...ask, body: { ...aRule, ...changes } });
const patch = (id: string, changes: object) => request('PATCH', `/v1/alerts/rules/${id}`, { body: changes });
const get = async (id: string) => body(await request('GET', `/v1/alerts/rules/${id}`));

test('a rule is created from name, check, condition and channel, with every field in the response', async () => {
  const reply = await create();
  const rule = body(reply, 201);
  assert.is(reply.headers.location, `/v1/alerts/rules/${rule.id}`);
  const { id, channels, created_at, updated_at, ...fields } = rule;
  assert.equal(fields, {
    ...aRule,
    tag: null,
    check_name: 'Shop',
    condition_parameters: {},
    multi_region_mode: 'any_region',
    multi_region_threshold: null,
    severity: 'medium',
    cooldown_period: 300,
    auto_resolve: true,
    enabled: true,
    confirmations: 1,
    recovery_confirmations: 1,
    managed_by: null,
    muted_until: null,
    suppressed_by: null,
    revision: 1,
  });
  assert.is(created_at, updated_at);
  assert.equal(
    channels.map((channel) => [channel.id, channel.name]),
    [[channel_id, 'Status page']],
  );
  assert.equal(await get(id), rule);
});

test('sending an alert rule back unchanged changes nothing', async () => {
  const rule = body(
    await create({ condition: 'uptime_below_threshold', condition_parameters: { threshold: 99.5 }, severity: 'low' }),
    201,
  );
  assert.equal(rule['condition_parameters'], { threshold: 99.5, window_seconds: 86_400 });
  service.time.now += 60_000;
  assert.equal(body(await request('PUT', `/v1/alerts/rules/${rule.id}`, { body: rule })), rule);
});

test('the error for an invalid rule names all invalid fields', async () => {
  const elsewhere = await aCheck({}, { key: second.keys.editor });
  assert.equal(
    broken(
      await create({
        name: ' ',
        check_id: elsewhere,
        channel_ids: ['k3v9x0q2m7ab'],
        severity: 'fatal',
        condition: 'consecutive_failures',
        multi_region_mode: 'specific_count',
        confirmations: 11,
        cooldown_period: -1,
      }),
    ),
    {
      name: ['Must not be blank.'],
      severity: ['Must be one of: low, medium, high, critical.'],
      confirmations: ['Must be less than or equal to 10.'],
      cooldown_period: ['Must be greater than or equal to 0.'],
      'condition_parameters.count': ['Missing required field.'],
      'multi_region_threshold.count': ['Missing required field.'],
      check_id: ['There is no such check.'],
      channel_ids: ['There are no such channels: k3v9x0q2m7ab.'],
    },
  );
  assert.equal(Object.keys(broken(await request('POST', '/v1/alerts/rules', { body: {} }))).sort(), [
    'channel_ids',
    'check_id',
    'condition',
    'name',
  ]);
});

test('rule parameters outside their limits are refused', async () => {
  const refused = async (condition: string, condition_parameters: object) =>
    Object.keys(broken(await create({ condition, condition_parameters }))).sort();
  assert.equal(await refused('check_degraded', { response_time: 0 }), ['condition_parameters.response_time']);
  assert.equal(await refused('consecutive_failures', { count: 101 }), ['condition_parameters.count']);
  assert.equal(await refused('uptime_below_threshold', { threshold: 0, window_seconds: 60 }), [
    'condition_parameters.threshold',
    'condition_parameters.window_seconds',
  ]);
  assert.equal(await refused('uptime_below_threshold', { threshold: 100.1, window_seconds: 31 * 86_400 }), [
    'condition_parameters.threshold',
    'condition_parameters.window_seconds',
  ]);
});

test('a condition that the check can never meet is refused', async () => {
  const slow = { condition: 'check_degraded', condition_parameters: { response_time: 10_000 } };
  assert.equal(Object.keys(broken(await create(slow))), ['condition_parameters.response_time']);
  const two = { multi_region_mode: 'specific_count', multi_region_threshold: { count: 2 } };
  assert.equal(Object.keys(broken(await create(two))), ['multi_region_threshold.count']);
  // A stored condition stays valid even if the check changes.
  const rule = body(await create({ ...slow, condition_parameters: { response_time: 9_000 } }), 201);
  await request('PATCH', `/v1/checks/${check_id}`, { body: { timeout: 5 } });
  assert.is(body(await patch(rule.id, { ...rule, name: 'Slow' })).name, 'Slow');
  await request('PATCH', `/v1/checks/${check_id}`, { body: { timeout: 10 } });
});

test('a change of a rule affects only the sent fields', async () => {
  const { id } = body(await create(), 201);
  assert.equal(Object.keys(broken(await patch(id, { condition: 'consecutive_failures' }))), [
    'condition_parameters.count',
  ]);
  const changed = body(
    await patch(id, { condition: 'consecutive_failures', condition_parameters: { count: 3, threshold: 1 } }),
  );
  assert.equal(changed['condition_parameters'], { count: 3 });
  assert.equal(body(await patch(id, { condition: 'check_timeout' }))['condition_parameters'], {});
  assert.equal(Object.keys(broken(await patch(id, { name: null, channel_ids: [] }))).sort(), ['channel_ids', 'name']);
});

test('a rule can be muted until a future time, and this time is shown until it has passed', async () => {
  const inAnHour = new Date(service.time.now + 3_600_000).toISOString();
  const { id, muted_until: until } = body(await create({ muted_until: inAnHour }), 201);
  assert.is(until, `${inAnHour.slice(0, -1)}000`);
  const audited = (await request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin })).json() as {
    audit_logs: { action: string; changes: Record<string, unknown> }[];
  };
  const updated = audited.audit_logs.filter(({ action }) => action === 'alert_rule.updated');
  assert.equal(
    updated.map(({ changes }) => changes),
    [{ muted_until: { old: null, new: until } }],
  );
  assert.is(body(await patch(id, { name: 'Shop is gone' }))['muted_until'], until);
  assert.is(body(await patch(id, { muted_until: '2020-01-01T00:00:00Z' }))['muted_until'], null);
  assert.is(body(await patch(id, { muted_until: inAnHour }))['muted_until'], until);
  service.time.now += 3_600_000;
  assert.is((await get(id))['muted_until'], null);
  assert.equal(Object.keys(broken(await patch(id, { muted_until: 'tomorrow' }))), ['muted_until']);
});

test('rules are listed as an array, newest first, for the organization or for one check', async () => {
  const other = await aCheck({ name: 'API' });
  service.time.now += 1_000;
  const { id } = body(await create({ check_id: other }), 201);
  const list = (await request('GET', '/v1/alerts/rules')).json() as Rule[];
  assert.is(list[0]?.id, id);
  assert.ok(list.length > 1);
  const some = (await request('GET', `/v1/alerts/rules?check_id=${other}`)).json() as Rule[];
  assert.equal(
    some.map((rule) => rule.id),
    [id],
  );
  assert.equal((await request('GET', '/v1/alerts/rules', { key: second.keys.editor })).json(), []);
});

const listed = async (query = ''): Promise<string[]> =>
  ((await request('GET', `/v1/alerts/rules${query}`)).json() as Rule[]).map(({ id }) => id);

test('a rule can have a tag instead of a check, and rules by tag are listed only on request', async () => {
  const { name, condition, channel_ids } = aRule;
  const input = { name, condition, channel_ids, tag: 'prod' };
  const rule = body(await request('POST', '/v1/alerts/rules', { body: input }), 201);
  assert.equal([rule['tag'], rule['check_id'], rule['check_name'], rule['suppressed_by']], ['prod', null, null, null]);
  assert.equal(await get(rule.id), rule);
  assert.equal(body(await request('PUT', `/v1/alerts/rules/${rule.id}`, { body: rule })), rule);
  const watched = await aCheck({ tags: ['eu', 'prod'] });
  const { id: own } = body(await create({ check_id: watched }), 201);
  for (const query of ['', '?by_tag=false', `?check_id=${watched}`]) {
    assert.not.ok((await listed(query)).includes(rule.id), query);
  }
  assert.equal(await listed('?tag=prod'), [rule.id]);
  assert.equal(await listed('?tag=eu'), []);
  const all = await listed('?by_tag=true');
  assert.ok(all.includes(rule.id) && all.includes(own));
  assert.equal((await listed(`?check_id=${watched}&by_tag=true`)).sort(), [own, rule.id].sort());
  assert.equal(await listed(`?check_id=${check_id}&by_tag=true&tag=prod`), []);
  const theirs = await request('GET', '/v1/alerts/rules?by_tag=true', { key: second.keys.editor });
  assert.equal(theirs.json(), []);
  assert.is((await request('GET', '/v1/alerts/rules?tag=Prod')).status, 400);
  const contradiction = await request('GET', '/v1/alerts/rules?tag=prod&by_tag=false');
  assert.is(contradiction.status, 400);
  assert.equal((contradiction.json() as { errors: object }).errors, {
    query: { by_tag: ['Must be true, or left out, if a tag is sent.'] },
  });
});

test('a rule has either a check or a tag', async () => {
  const both = ['A rule watches one check or the checks with a tag. Send only one of check_id and tag.'];
  assert.equal(broken(await create({ tag: 'prod' })), { tag: both });
  assert.equal(broken(await create({ check_id: null })), { check_id: ['Missing required field.'] });
  assert.equal(Object.keys(broken(await create({ check_id: null, tag: 'Prod' }))), ['tag']);
  const { id } = body(await create(), 201);
  const subject = async (changes: object) => {
    const { check_id: check, tag } = body(await patch(id, changes));
    return { check, tag };
  };
  assert.equal(await subject({ tag: 'prod' }), { check: null, tag: 'prod' });
  assert.equal(await subject({ check_id }), { check: check_id, tag: null });
  assert.equal(await subject({ check_id: null, tag: 'eu' }), { check: null, tag: 'eu' });
  assert.equal(await subject({ check_id, tag: null }), { check: check_id, tag: null });
  assert.equal(broken(await patch(id, { check_id, tag: 'prod' })), { tag: both });
  assert.equal(broken(await patch(id, { check_id: null })), { check_id: ['Missing required field.'] });
});

test('a rule with a tag remains when a check with the tag is deleted', async () => {
  const { id } = body(await create({ check_id: null, tag: 'gone' }), 201);
  const other = await aCheck({ tags: ['gone'] });
  assert.is((await request('DELETE', `/v1/checks/${other}`)).status, 204);
  await service.readers.waitFor(['alert_rules'], { appended: new Map([['main', await lastPosition()]]) });
  assert.equal(await listed('?tag=gone'), [id]);
});

test('a rule is deleted with its check', async () => {
  const other = await aCheck();
  const { id } = body(await create({ check_id: other }), 201);
  assert.is((await request('DELETE', `/v1/checks/${other}`)).status, 204);
  await service.readers.waitFor(['alert_rules'], { appended: new Map([['main', await lastPosition()]]) });
  assert.is((await request('GET', `/v1/alerts/rules/${id}`)).status, 404);
  assert.is((await patch(id, { name: 'x' })).status, 404);
});

test('a deleted channel is removed from a rule, even if the client sends it back', async () => {
  const [one, two] = [await storeChannel(service, first.id, 'One'), await storeChannel(service, first.id, 'Two')];
  const { id } = body(await create({ channel_ids: [two, one] }), 201);
  await storeChannelEvent(service, first.id, { type: 'AlertChannelDeleted', data: { channel_id: two } });
  const rule = await get(id);
  assert.equal(rule.channel_ids, [one]);
  assert.equal(body(await patch(id, rule)), rule);
});

test('only editors and admins write rules, and every role reads them', async () => {
  const { id } = body(await create(), 201);
  for (const role of ['viewer', 'billing'] as const) {
    const key = first.keys[role];
    assert.is((await create({}, { key })).status, 403);
    assert.is((await request('GET', `/v1/alerts/rules/${id}`, { key })).status, 200);
  }
  assert.is((await request('DELETE', `/v1/alerts/rules/${id}`)).status, 204);
  assert.is((await request('GET', `/v1/alerts/rules/${id}`)).status, 404);
});

const lastPosition = async (): Promise<bigint> => {
  const end = await service.stores.main.readAll({ after: 0n, limit: 100_000 });
  return end.at(-1)?.position ?? 0n;
};

test.run();
