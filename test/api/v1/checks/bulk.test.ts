import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REGIONS } from '../../../../domain/check/regions.ts';
import { NO_LIMITS, plansOf } from '../../../../domain/organization/plans.ts';
import { ReadModelLate } from '../../../../projections/readers.ts';
import { StoreUnavailable } from '../../../../stores/event-store/port.ts';
import { storeChannel } from '../../stored-channels.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest, type Service } from '../../service.ts';

const test = suite('POST /v1/checks/bulk');
const service = await startService({ regions: REGIONS });
const { request, first, second } = service;
test.after(() => service.stop());

type Json = Record<string, unknown>;
interface Result {
  id: string | null;
  status: number;
  error: { message: string; errors: { json?: Record<string, string[]> } } | null;
}

const WEB = { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 60 };
const made = async (path: string, body: object, ask: ServiceRequest = {}): Promise<Json & { id: string }> => {
  const reply = await request('POST', path, { body, ...ask });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Json & { id: string };
};
const check = async (more: object = {}, ask: ServiceRequest = {}): Promise<string> =>
  (await made('/v1/checks', { ...WEB, ...more }, ask)).id;
const read = async (id: string): Promise<Json> => (await request('GET', `/v1/checks/${id}`)).json() as Json;
const post = (body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('POST', '/v1/checks/bulk', { body, ...ask });
const bulk = async (body: object, ask: ServiceRequest = {}): Promise<Result[]> => {
  const reply = await post(body, ask);
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { results: Result[] }).results;
};
const statuses = (results: readonly Result[]): number[] => results.map(({ status }) => status);
const refusedFields = async (body: object): Promise<Record<string, string[]>> => {
  const reply = await post(body);
  assert.is(reply.status, 422, reply.text);
  return (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;
};
const eventsOf = async (id: string, { stores }: Pick<Service, 'stores'> = service): Promise<string[]> =>
  (await stores.main.readStream(`check-${id}`)).map(({ type }) => type);

test('a bulk change sets fields of checks by id, and the response shows the new state', async () => {
  const ids = [await check(), await check({ interval: 300 })];
  const group = await made('/v1/check-groups', { name: 'Shops' });
  const change = { active: false, interval: 120, timeout: 5, group_id: group.id };
  const results = await bulk({ ids, change });
  assert.equal(
    results,
    ids.map((id) => ({ id, status: 200, error: null })),
  );
  const after = await Promise.all(ids.map(read));
  for (const one of after) {
    assert.equal([one['active'], one['interval'], one['timeout'], one['group_id']], [false, 120, 5, group.id]);
  }
  assert.equal(
    after.map((one) => one['position']),
    [1, 2],
  );
  await bulk({ ids, change: { group_id: null } });
  assert.is((await read(ids[0] ?? ''))['group_id'], null);
});

test('each item of a bulk change has the same status and error as a request to the route for one check', async () => {
  const [web, synthetic] = [
    await check(),
    await check({ type: 'synthetic', url: null, parameters: { pw_script: "test('x', async () => {});" }, timeout: 60 }),
  ];
  const foreign = await check({}, { key: second.keys.editor });
  const gone = await check();
  await request('DELETE', `/v1/checks/${gone}`);
  const ids = [web, synthetic, foreign, gone, 'zzzzzzzzzzzz'];
  const results = await bulk({ ids, change: { timeout: 100 } });
  assert.equal(
    results.map(({ id, status }) => [id, status]),
    [
      [web, 422],
      [synthetic, 200],
      [foreign, 404],
      [gone, 404],
      ['zzzzzzzzzzzz', 404],
    ],
  );
  const single = await request('PATCH', `/v1/checks/${web}`, { body: { timeout: 100 } });
  assert.equal(results[0]?.error, single.json());
  // The response does not reveal which ids belong to other organizations.
  assert.equal(results[2]?.error, results[4]?.error);
  assert.equal(results[2]?.error, (await request('PATCH', '/v1/checks/zzzzzzzzzzzz', { body: {} })).json());
});

test('an unknown group, channel or region is refused for each check, and nothing changes', async () => {
  const id = await check();
  const before = await eventsOf(id);
  for (const [change, status] of [
    [{ group_id: 'zzzzzzzzzzzz' }, 422],
    [{ channel_ids: ['zzzzzzzzzzzz'], active: false }, 422],
    [{ parameters: { regions: ['Atlantis'] } }, 400],
  ] as const) {
    assert.equal(statuses(await bulk({ ids: [id], change })), [status], JSON.stringify(change));
  }
  assert.equal(await eventsOf(id), before);
});

test('a bulk change of regions keeps all other parameters of each check, including secrets', async () => {
  const parameters = { search_text: 'ok', http_request: { username: 'me', password: 'correct horse' } };
  const id = await check({ parameters });
  const regions = REGIONS.slice(0, 2).map((region) => region.id);
  await bulk({ ids: [id], change: { parameters: { regions } } });
  assert.equal((await read(id))['parameters'], { ...parameters, regions });
});

test('a bulk change sets, adds and removes tags', async () => {
  const [one, two] = [await check({ tags: ['eu', 'shop'] }), await check()];
  const after = async (change: object): Promise<unknown[]> => {
    assert.equal(statuses(await bulk({ ids: [one, two], change })), [200, 200]);
    return [(await read(one))['tags'], (await read(two))['tags']];
  };
  assert.equal(await after({ add_tags: ['team:a'] }), [['eu', 'shop', 'team:a'], ['team:a']]);
  assert.equal(await after({ remove_tags: ['eu', 'team:a'], add_tags: ['us'] }), [['shop', 'us'], ['us']]);
  assert.equal(await after({ tags: ['b', 'a'] }), [
    ['a', 'b'],
    ['a', 'b'],
  ]);
  const found = await bulk({ filter: { tag: 'a, c' }, change: { active: false } });
  assert.equal(new Set(found.map(({ id }) => id)), new Set([one, two]));
  const many = Array.from({ length: 19 }, (_, n) => `tag-${n}`);
  const [refused] = await bulk({ ids: [one], change: { add_tags: many } });
  assert.is(refused?.status, 422);
  assert.equal(refused?.error?.errors.json, {
    add_tags: ['There would be 21 tags; at most 20 are allowed.'],
  });
  assert.equal(Object.keys(await refusedFields({ ids: [one], change: { tags: [], add_tags: ['a'] } })), [
    'change.tags',
  ]);
  assert.equal(Object.keys(await refusedFields({ ids: [one], change: { add_tags: ['A B'] } })), ['change.add_tags.0']);
});

test("the filter of a bulk change selects the same checks as the overview, in the caller's organization", async () => {
  const group = await made('/v1/check-groups', { name: 'Filtered' });
  const inGroup = await check({ name: 'Filtered one', group_id: group.id });
  const paused = await check({ name: 'Filtered two', active: false });
  const tcp = await check({ name: 'Filtered three', type: 'tcp', url: null, host: 'mail.example', port: 25 });
  await check({ name: 'Filtered foreign' }, { key: second.keys.editor });
  const found = async (filter: object): Promise<Set<string | null>> =>
    new Set((await bulk({ filter: { q: 'filtered', ...filter }, change: { interval: 90 } })).map(({ id }) => id));
  assert.equal(await found({}), new Set([inGroup, paused, tcp]));
  assert.equal(await found({ status: 'paused' }), new Set([paused]));
  assert.equal(await found({ status: 'pending,down' }), new Set([inGroup, tcp]));
  assert.equal(await found({ status: ['pending', 'paused'], type: ['web'] }), new Set([inGroup, paused]));
  assert.equal(await found({ type: 'tcp' }), new Set([tcp]));
  assert.equal(await found({ group_id: group.id }), new Set([inGroup]));
  assert.equal(await found({ group_id: 'ungrouped' }), new Set([paused, tcp]));
  assert.equal(await found({ active: false }), new Set([paused]));
  assert.equal(await found({ q: 'MAIL.exam' }), new Set([tcp]));
  assert.equal(await found({ q: 'nothing like it' }), new Set());
  await request('PATCH', `/v1/check-groups/${group.id}`, { body: { active: false } });
  assert.equal(await found({ status: 'paused' }), new Set([paused, inGroup]));
});

test('a misspelt, empty or invalid filter is refused instead of selecting everything', async () => {
  const change = { delete: true };
  assert.ok((await refusedFields({ filter: { tags: 'eu' }, change }))['filter.tags']);
  assert.equal(await refusedFields({ filter: {}, change }), { filter: ['Must have at least 1 field.'] });
  assert.equal(await refusedFields({ filter: { status: 'dwn' }, change }), {
    'filter.status': ['Must be one or more of: down, pending, up, paused.'],
  });
  assert.ok((await refusedFields({ filter: { q: '' }, change }))['filter.q']);
  assert.ok((await refusedFields({ ids: ['zzzzzzzzzzzz'], change: { actve: false } }))['change.actve']);
});

test('a contradictory bulk change of checks is refused, and the error names the field', async () => {
  const [ids, change] = [['zzzzzzzzzzzz'], { active: false }];
  assert.equal(Object.keys(await refusedFields({})).sort(), ['change', 'ids']);
  assert.equal(Object.keys(await refusedFields({ ids })), ['change']);
  assert.equal(Object.keys(await refusedFields({ ids, filter: { active: true }, change })), ['filter']);
  assert.equal(Object.keys(await refusedFields({ create: [WEB], ids, change })).sort(), ['change', 'ids']);
  assert.equal(Object.keys(await refusedFields({ ids, change: { delete: true, active: true } })), ['change.delete']);
  assert.equal(Object.keys(await refusedFields({ filter: { active: true }, change: { restore: true } })), ['filter']);
  assert.equal(Object.keys(await refusedFields({ ids, change: { delete: false } })), ['change.delete']);
  assert.equal(Object.keys(await refusedFields({ ids: ['x'], change })), ['ids.0']);
  assert.equal(Object.keys(await refusedFields({ ids, change: { channel_ids: [] } })), ['change.channel_ids']);
  assert.equal(Object.keys(await refusedFields({ ids: [], change })), ['ids']);
  const many = Array.from({ length: 1_001 }, (_, n) => n.toString(36).padStart(12, '0'));
  assert.equal(Object.keys(await refusedFields({ ids: many, change })), ['ids']);
});

test('a bulk request creates checks in the same way as the route for one check', async () => {
  const token = await made('/v1/secrets', { secret_name: 'BULK', secret_value: 'correct horse' });
  const group = await made('/v1/check-groups', { name: 'Created' });
  const create = [
    { ...WEB, name: 'One', group_id: group.id, secrets: [{ secret_id: token.id, env_variable: 'TOKEN' }], unknown: 1 },
    { ...WEB, name: '', interval: 1 },
    { ...WEB, name: 'Two', group_id: group.id },
    'text',
    { ...WEB, secrets: [{ secret_id: 'zzzzzzzzzzzz', env_variable: 'TOKEN' }] },
  ];
  const results = await bulk({ create });
  assert.equal(statuses(results), [201, 422, 201, 422, 422]);
  assert.equal(
    results.map(({ id }) => id !== null),
    [true, false, true, false, false],
  );
  const single = await request('POST', '/v1/checks', { body: create[1] as object });
  assert.equal(results[1]?.error, single.json());
  const [one, two] = [await read(results[0]?.id ?? ''), await read(results[2]?.id ?? '')];
  assert.equal([one['name'], one['position'], two['position']], ['One', 1, 2]);
  assert.is((one['secrets'] as unknown[]).length, 1);
});

test('a bulk request deletes and restores checks', async () => {
  const ids = [await check(), await check()];
  assert.equal(statuses(await bulk({ ids, change: { delete: true } })), [204, 204]);
  assert.equal(statuses(await bulk({ ids, change: { delete: true } })), [404, 404]);
  for (const id of ids) assert.is((await request('GET', `/v1/checks/${id}`)).status, 404);
  const foreign = await bulk({ ids, change: { restore: true } }, { key: second.keys.editor });
  assert.equal(statuses(foreign), [404, 404]);
  assert.equal(statuses(await bulk({ ids, change: { restore: true } })), [200, 200]);
  for (const id of ids) assert.is((await read(id))['id'], id);
});

test('a bulk change sets the channels of all rules of a check, and adds a rule to checks without one', async () => {
  const [old, one, two] = [
    await storeChannel(service, first.id),
    await storeChannel(service, first.id),
    await storeChannel(service, first.id),
  ];
  const [ruled, bare] = [await check(), await check()];
  for (const condition of ['check_failed', 'check_timeout']) {
    await made('/v1/alerts/rules', { name: condition, check_id: ruled, condition, channel_ids: [old] });
  }
  const rulesOf = async (id: string): Promise<Json[]> => {
    const reply = (await request('GET', `/v1/alerts/rules?check_id=${id}`)).json();
    return (Array.isArray(reply) ? reply : Object.values(reply as object)[0]) as Json[];
  };
  const ids = [ruled, bare];
  for (let times = 0; times < 2; times++) {
    assert.equal(statuses(await bulk({ ids, change: { channel_ids: [one, two] } })), [200, 200]);
    assert.equal((await rulesOf(ruled)).map((rule) => [rule['condition'], rule['channel_ids']]).sort(), [
      ['check_failed', [one, two]],
      ['check_timeout', [one, two]],
    ]);
    assert.equal(
      (await rulesOf(bare)).map((rule) => [rule['name'], rule['condition'], rule['channel_ids']]),
      [['Down', 'check_failed', [one, two]]],
    );
  }
  const [rule] = await rulesOf(bare);
  await request('DELETE', `/v1/alerts/rules/${String(rule?.['id'])}`);
  assert.equal(statuses(await bulk({ ids: [bare], change: { channel_ids: [two] } })), [200]);
  assert.equal(
    (await rulesOf(bare)).map((one) => one['channel_ids']),
    [[two]],
  );
});

test('a repeated bulk change has no effect and appends no events', async () => {
  const ids = [await check(), await check()];
  await bulk({ ids: [...ids, ...ids], change: { active: false } });
  const before = await Promise.all(ids.map((id) => eventsOf(id)));
  assert.equal(before, [
    ['CheckCreated', 'CheckUpdated'],
    ['CheckCreated', 'CheckUpdated'],
  ]);
  assert.equal(statuses(await bulk({ ids, change: { active: false } })), [200, 200]);
  assert.equal(await Promise.all(ids.map((id) => eventsOf(id))), before);
});

test('a bulk request repeated with its Idempotency-Key gets the same results and creates nothing twice', async () => {
  const ask = { headers: { 'idempotency-key': 'bulk creation' } };
  const [one, two] = [await post({ create: [WEB, WEB] }, ask), await post({ create: [WEB, WEB] }, ask)];
  assert.is(two.headers['idempotent-replayed'], 'true');
  assert.is(two.text, one.text);
  const ids = (one.json() as { results: Result[] }).results.map(({ id }) => id ?? '');
  for (const id of ids) assert.equal(await eventsOf(id), ['CheckCreated']);
});

test('items that failed because a store was unavailable are performed when the request is repeated with its Idempotency-Key, and no item is performed twice', async () => {
  const ids = [await check(), await check(), await check()];
  const { main } = service.stores;
  const append = main.append.bind(main);
  const broken: typeof append = async (stream, ...given) => {
    if (stream === `check-${ids[1] ?? ''}`) throw new StoreUnavailable('The disk is full.');
    return append(stream, ...given);
  };
  for (const change of [{ active: false }, { delete: true }]) {
    const ask = { headers: { 'idempotency-key': JSON.stringify(change) } };
    const done = 'delete' in change ? 204 : 200;
    main.append = broken;
    assert.equal(statuses(await bulk({ ids, change }, ask)), [done, 503, done]);
    main.append = append;
    assert.equal(statuses(await bulk({ ids, change }, ask)), [done, done, done]);
  }
  for (const id of ids) assert.equal(await eventsOf(id), ['CheckCreated', 'CheckUpdated', 'CheckDeleted']);
});

test('a bulk request responds with its results even if a read model is late', async () => {
  const id = await check();
  const { waitFor } = service.readers;
  service.readers.waitFor = () => Promise.reject(new ReadModelLate('checks'));
  try {
    const reply = await post({ ids: [id, 'zzzzzzzzzzzz'], change: { active: false } });
    assert.is(reply.status, 202, reply.text);
    const { message, results } = reply.json() as { message: string; results: Result[] };
    assert.match(message, 'The change is stored');
    assert.equal(statuses(results), [200, 404]);
  } finally {
    service.readers.waitFor = waitFor;
  }
});

test('a viewer cannot make bulk changes of checks', async () => {
  const id = await check();
  assert.is((await post({ ids: [id], change: { active: false } }, { key: first.keys.viewer })).status, 403);
  assert.equal(await eventsOf(id), ['CheckCreated']);
});

test('the limits of the plan apply to each check of a bulk request', async () => {
  const plan = {
    id: 'small',
    name: 'Small',
    description: null,
    price: { amount: 0, currency: 'EUR' },
    duration: 30,
    limits: { ...NO_LIMITS, checks: 2, shortest_interval: 60 },
  };
  const limited = await startService({ plans: plansOf([plan], 'small') });
  const resultsOf = async (body: object): Promise<Result[]> => {
    const reply = await limited.request('POST', '/v1/checks/bulk', { body });
    return (reply.json() as { results: Result[] }).results;
  };
  try {
    const results = await resultsOf({ create: [WEB, WEB, WEB] });
    assert.equal(statuses(results).sort(), [201, 201, 403]);
    const ids = results.flatMap(({ id }) => id ?? []);
    assert.equal(statuses(await resultsOf({ ids, change: { interval: 30 } })), [403, 403]);
    await resultsOf({ ids, change: { delete: true } });
    assert.equal(statuses(await resultsOf({ create: [WEB] })), [201]);
    assert.equal(statuses(await resultsOf({ ids, change: { restore: true } })).sort(), [200, 403]);
  } finally {
    await limited.stop();
  }
});

test('a filter that matches too many checks is refused with the number of matches', async () => {
  const crowded = await startService();
  try {
    const create = Array.from({ length: 501 }, () => WEB);
    for (let times = 0; times < 2; times++) {
      const reply = await crowded.request('POST', '/v1/checks/bulk', { body: { create } });
      assert.is(reply.status, 200, reply.text);
    }
    const body = { filter: { active: true }, change: { active: false } };
    const refused = await crowded.request('POST', '/v1/checks/bulk', { body });
    assert.is(refused.status, 422);
    const { errors } = refused.json() as { errors: { json: Record<string, string[]> } };
    assert.match(errors.json['filter']?.[0] ?? '', 'Matches 1,002 resources');
  } finally {
    await crowded.stop();
  }
});

test('items of a bulk request beyond the deadline are not started, and the errors of these items say so', async () => {
  const hurried = await startService({ answeredWithin: 4_000 });
  try {
    const created = await hurried.request('POST', '/v1/checks/bulk', {
      body: { create: Array.from({ length: 120 }, () => WEB) },
    });
    const ids = (created.json() as { results: Result[] }).results.flatMap(({ id }) => id ?? []);
    const { main } = hurried.stores;
    const append = main.append.bind(main);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    main.append = async (...given) => {
      await released;
      return append(...given);
    };
    const reply = await hurried.request('POST', '/v1/checks/bulk', { body: { ids, change: { active: false } } });
    release();
    const { results } = reply.json() as { results: Result[] };
    assert.is(reply.status, 200);
    assert.equal(new Set(statuses(results)), new Set([503]));
    assert.match(results[0]?.error?.message ?? '', 'may still be performed');
    assert.match(results.at(-1)?.error?.message ?? '', 'was not started');
    assert.equal(await eventsOf(ids.at(-1) ?? '', hurried), ['CheckCreated']);
  } finally {
    await hurried.stop();
  }
});

test.run();
