import type { TSchema } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CSV, JSON_LINES, type MediaType } from '../../http/media/media-types.ts';
import { operationsOf } from '../../http/routes/operation.ts';
import { responseTypes } from '../../http/routes/route.ts';
import { needsSession, PERMISSIONS } from '../../api/permissions.ts';
import type { Method, Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { ANY_BODY } from '../../http/media/body-types.ts';
import { ROLES, type Role } from '../../domain/organization/roles.ts';
import { INSTANT_PATTERN, MINUTE_MS } from '../../domain/time.ts';
import { bodyFor, NOT_REPEATABLE, fillPath, createAll, takesJson, type Ids } from './fixtures.ts';
import { request, type Reply } from './http.ts';
import { signInAs } from './users.ts';
import { MANY_PLANS } from './payments.ts';
import { startService } from './service.ts';

/** Walks through all declared routes, so that new files in api/v1/ are covered automatically. */
const test = suite('all declared routes');

const service = await startService({ plans: MANY_PLANS });
const { first, second } = service;
test.after(() => service.stop());

const PLACEHOLDERS: Ids = {};
const declared = v1Routes.flatMap((route) => route.methods.map((method) => ({ route, method })));
/**
 * Routes of resources. Sign-in, passwords, second factors and sessions have rules of their own, which the tests in
 * v1/login/ cover. Access to all routes is tested in every-caller.test.ts.
 */
const operations = declared.filter(
  ({ route: { path, unrepeatable = false, anyHeaders = false } }) =>
    (!unrepeatable || anyHeaders) && !path.startsWith('/v1/users/{user_id}/sessions'),
);
/**
 * Routes that authenticate keys. All other routes are opened by a signed link or a heartbeat id, or are open to
 * everybody.
 */
const byKey = operations.filter(({ route: { access } }) => 'needs' in access || 'key' in access.public);
const bodied = operations.filter(
  ({ route, method }) => takesJson(route) && (method === 'post' || method === 'put' || method === 'patch'),
);
const gets = byKey.filter(({ method }) => method === 'get');
/** Types of streamed files. */
const FILE_TYPES = new Set<MediaType | undefined>([CSV, JSON_LINES]);
/** Routes whose responses support conditional requests; a streamed file has no `ETag`. */
const comparable = gets.filter(({ route }) => !FILE_TYPES.has(responseTypes(route)[0]));

/** Returns whether the response is an endless stream, which cannot be cached. */
const isEndless = (route: Route): boolean => responseTypes(route).every(({ keepAlive }) => keepAlive !== null);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

const name = (method: Method, route: Route): string => `${method.toUpperCase()} ${route.path}`;

/** Returns whether callers other than admins see only resources that they created themselves. */
const isOwn = ({ access }: Route): boolean => 'needs' in access && access.needs === 'api_keys.own';

/** Access tokens of an editor of each organization. */
const sessions = {
  first: (await signInAs(service, first.id, 'editor')).token,
  second: (await signInAs(service, second.id, 'editor')).token,
};

/** Returns a key whose role may call the route, or an access token if the route needs a session. */
const keyFor = (route: Route, keys: Record<Role, string> = first.keys): string => {
  if ('needs' in route.access && needsSession(route.access.needs)) {
    return keys === first.keys ? sessions.first : sessions.second;
  }
  const roles = rolesOf(route) ?? ROLES;
  if (isOwn(route)) return maker(keys);
  return keys[roles.includes('editor') ? 'editor' : (roles[0] ?? 'admin')];
};

/** Returns the roles that may call a route, or null if the route needs no key. */
const rolesOf = ({ access }: Route): readonly Role[] | null => ('public' in access ? null : PERMISSIONS[access.needs]);

/** Returns a key that may create every resource. */
const maker = (keys: Record<Role, string>): string => keys.admin;

const made = new Map<string, Promise<Ids>>();
/**
 * Returns the ids of the resources in a path. Creates the resources once in the first organization, for requests that
 * only read.
 */
const idsOf = (path: string): Promise<Ids> => {
  const ids = made.get(path) ?? createAll(service, v1Routes, path, maker(first.keys));
  made.set(path, ids);
  return ids;
};

test('the API declares routes', () => {
  assert.ok(operations.length > 0);
});

test('the schemas of every route compile', () => {
  for (const route of v1Routes) {
    for (const [, { params, query, body }] of operationsOf(route)) {
      assert.equal(
        [params(), query(), body()].map((one) => one !== null),
        [route.params, route.query, route.body].map((one) => one !== undefined),
        route.path,
      );
    }
  }
});

test('a request without a key or with an invalid key is 401', async () => {
  for (const { route, method } of byKey) {
    const path = fillPath(route.path, PLACEHOLDERS);
    if (rolesOf(route)) {
      assert.is((await service.request(method.toUpperCase(), path, { key: null })).status, 401, name(method, route));
    }
    assert.is((await service.request(method.toUpperCase(), path, { key: 'wrong' })).status, 401, name(method, route));
  }
});

test('a request with an insufficient role is 403', async () => {
  for (const { route, method } of operations) {
    for (const role of ROLES) {
      if (rolesOf(route)?.includes(role) ?? true) continue;
      const key = first.keys[role];
      const reply = await service.request(method.toUpperCase(), fillPath(route.path, PLACEHOLDERS), { key });
      assert.is(reply.status, 403, `${role}: ${name(method, route)}`);
    }
  }
});

test('every route for reading responds 200 to each role that it declares', async () => {
  for (const { route, method } of gets) {
    const path = fillPath(route.path, await idsOf(route.path));
    if ('needs' in route.access && needsSession(route.access.needs)) continue;
    for (const role of rolesOf(route) ?? []) {
      if (isOwn(route) && route.path.includes('{') && role !== 'admin') continue;
      const reply = await service.request('GET', path, { key: first.keys[role] });
      assert.is(reply.status, 200, `${role}: ${name(method, route)}: ${reply.text}`);
    }
  }
});

/** Returns the text and headers of a response, without the headers that differ in every response. */
const tellingOf = ({ text, headers }: Reply): string =>
  `${text} ${JSON.stringify({ ...headers, date: null, 'x-request-id': null })}`;

test('an id of another organization is 404, indistinguishable from an unknown id', async () => {
  const foreignAdmin = (await signInAs(service, second.id, 'admin')).token;
  for (const { route, method } of operations) {
    const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
    if (parameters.length === 0 || !rolesOf(route)) continue;
    const ids = await idsOf(route.path);
    const foreign = keyFor(route, second.keys);
    const body = bodyFor(method, route, ids);
    const sent = { ...(body && { body }) };
    const distinct = new Set<string>();
    for (const key of [foreign, foreignAdmin]) {
      const reply = await service.request(method.toUpperCase(), fillPath(route.path, ids), { key, ...sent });
      assert.is(reply.status, 404, `foreign: ${name(method, route)}: ${reply.text}`);
      distinct.add(tellingOf(reply));
    }
    for (const [index, parameter] of parameters.entries()) {
      const path = fillPath(route.path, { ...ids, [parameter]: 'zzzzzzzzzzzz' });
      const absent = await service.request(method.toUpperCase(), path, { key: keyFor(route), ...sent });
      assert.is(absent.status, 404, `${parameter}: ${name(method, route)}: ${absent.text}`);
      if (index === 0) distinct.add(tellingOf(absent));
    }
    assert.is(distinct.size, 1, `${name(method, route)} tells them apart: ${[...distinct].join('\n')}`);
  }
});

test('a method that a path does not support is 405, and the response lists the supported methods', async () => {
  for (const path of new Set(v1Routes.map((route) => route.path))) {
    const methods = declared.filter(({ route }) => route.path === path).map(({ method }) => method.toUpperCase());
    const allowed = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])]);
    for (const method of METHODS.filter((one) => !allowed.has(one))) {
      const reply = await request(service.port, { method, path: fillPath(path, PLACEHOLDERS) });
      assert.is(reply.status, 405, `${method} ${path}`);
      assert.equal(new Set(reply.headers.allow?.split(', ')), allowed, path);
    }
  }
});

test('an Accept header without JSON is 406 on every route', async () => {
  for (const { route, method } of byKey) {
    const headers = { accept: 'text/html' };
    const path = fillPath(route.path, PLACEHOLDERS);
    const reply = await service.request(method.toUpperCase(), path, { key: keyFor(route), headers });
    assert.is(reply.status, 406, name(method, route));
  }
});

test('a body that is too large is 413, a body of another type 415, and a malformed body 400', async () => {
  const json = { 'content-type': 'application/json' };
  const broken: [number, string, Record<string, string>][] = [
    [413, 'x'.repeat(1_048_577), json],
    [415, 'x', { 'content-type': 'text/plain' }],
    [400, '{"name":', json],
  ];
  const strict = operations.filter(
    ({ route, method }) => method !== 'get' && takesJson(route) && !route.accepts?.includes(ANY_BODY),
  );
  for (const { route, method } of strict) {
    const path = fillPath(route.path, PLACEHOLDERS);
    for (const [status, body, headers] of broken) {
      const reply = await service.request(method.toUpperCase(), path, { key: keyFor(route), body, headers });
      assert.is(reply.status, status, name(method, route));
    }
  }
});

test('a byte order mark before a JSON body is ignored', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const { route, method } of bodied.filter(({ route }) => !route.accepts?.includes(ANY_BODY))) {
    const path = fillPath(route.path, PLACEHOLDERS);
    // The body is valid JSON, so a refusal can only concern the path or the fields.
    const reply = await service.request(method.toUpperCase(), path, {
      key: keyFor(route),
      body: '\uFEFF"text"',
      headers: { ...headers, 'idempotency-key': `mark ${name(method, route)}` },
    });
    assert.ok([404, 422].includes(reply.status), `${name(method, route)}: ${reply.text}`);
  }
});

test('an empty body is 422 if fields are required, and the response names each of them', async () => {
  for (const { route, method } of bodied) {
    const required = (route.body?.['required'] ?? []) as string[];
    if (required.length === 0) continue;
    const path = fillPath(route.path, await idsOf(route.path));
    const reply = await service.request(method.toUpperCase(), path, { key: keyFor(route) });
    assert.is(reply.status, 422, `${name(method, route)}: ${reply.text}`);
    const { errors } = reply.json() as { errors: { json: Record<string, string[]> } };
    for (const field of required) assert.equal(errors.json[field], ['Missing required field.'], name(method, route));
  }
});

test('a blank name is 422, no matter which kinds of whitespace it consists of', async () => {
  const named = bodied.filter(({ route }) => 'name' in ((route.body?.['properties'] ?? {}) as object));
  assert.ok(named.length > 5);
  for (const { route, method } of named) {
    const path = fillPath(route.path, await idsOf(route.path));
    const body = { ...bodyFor(method, route, await idsOf(route.path)), name: '\u3164 \u200b\u202e\u00a0' };
    const reply = await service.request(method.toUpperCase(), path, { key: keyFor(route), body });
    assert.is(reply.status, 422, `${name(method, route)}: ${reply.text}`);
    const { errors } = reply.json() as { errors: { json: Record<string, string[]> } };
    assert.equal(errors.json['name'], ['Must not be blank.'], name(method, route));
  }
});

/**
 * Fields that are alternatives, such as `url` and `host`. A body needs only one of the alternatives, so omitting a
 * single one is no error. A report needs a period unless it has a schedule.
 */
const ONE_OF: ReadonlySet<string> = new Set([
  'url',
  'endpoint',
  'period_seconds',
  'period_start',
  'period_end',
  'ids',
  'change',
]);
/** Alternatives on single routes: an alert rule needs a check or a tag. */
const ONE_OF_ROUTE: ReadonlySet<string> = new Set(['/v1/alerts/rules check_id', '/v1/alerts/rules/simulate check_id']);

test('absent fields have the default of their schema', async () => {
  let compared = 0;
  for (const { route, method } of bodied.filter((one) => one.method === 'post')) {
    const ids = await idsOf(route.path);
    const required = new Set((route.body?.['required'] ?? []) as string[]);
    const whole = Object.entries(bodyFor(method, route, ids) ?? {});
    const isNeeded = (field: string): boolean =>
      required.has(field) || ONE_OF.has(field) || ONE_OF_ROUTE.has(`${route.path} ${field}`);
    const body = Object.fromEntries(whole.filter(([field]) => isNeeded(field)));
    const reply = await service.request('POST', fillPath(route.path, ids), { key: keyFor(route), body });
    assert.ok(reply.status < 300, `${name(method, route)}: ${reply.text}`);
    const answer = reply.json() as Record<string, unknown>;
    const properties = (route.body?.['properties'] ?? {}) as Record<string, { default?: unknown }>;
    for (const [field, property] of Object.entries(properties)) {
      if (!('default' in property) || !(field in answer) || field in body) continue;
      assert.equal(answer[field], property.default, `${name(method, route)}: ${field}`);
      compared += 1;
    }
  }
  assert.ok(compared > 60);
});

/** Returns the name and the maximum of a list's page size parameter, or null for routes without pages. */
const pagingOf = (route: Route): { size: string; largest: number } | null => {
  const parameters = (route.query?.['properties'] ?? {}) as Record<string, TSchema>;
  const size = ['page_size', 'per_page'].find((parameter) => parameter in parameters);
  return size === undefined ? null : { size, largest: Number(parameters[size]?.['maximum']) };
};

/** Fields of a page other than its items. */
const BESIDE_ITEMS: ReadonlySet<string> = new Set(['pagination', 'counts', 'hours_from']);

test('an invalid page or page size is 400, and a page beyond the end is an empty array', async () => {
  for (const { route, method } of gets) {
    const paging = pagingOf(route);
    if (!paging) continue;
    const path = fillPath(route.path, await idsOf(route.path));
    const { size, largest } = paging;
    assert.is(largest, route.path === '/v1/checks/overview' ? 5_000 : 100, name(method, route));
    const tooMany = (largest + 1).toString();
    for (const search of ['page=0', 'page=-1', 'page=x', 'page=1.5', `${size}=0`, `${size}=${tooMany}`, `${size}=`]) {
      const reply = await service.request('GET', `${path}?${search}`, { key: keyFor(route) });
      assert.is(reply.status, 400, `${name(method, route)}?${search}`);
    }
    const reply = await service.request('GET', `${path}?page=99999&${size}=100`, { key: keyFor(route) });
    assert.is(reply.status, 200, name(method, route));
    const answer = reply.json() as { pagination: Record<string, unknown> };
    const { pagination } = answer;
    const rest = Object.entries(answer).filter(([field]) => !BESIDE_ITEMS.has(field));
    assert.equal(
      rest.map(([, items]) => items),
      [[]],
      name(method, route),
    );
    assert.is(pagination['page'], 99999);
    // docs/reference/requests.md#pagination: the pagination of reports has no other fields.
    if (route.path === '/v1/reports') assert.equal(Object.keys(pagination), ['page', 'page_size', 'total']);
    else assert.is(pagination['has_next'], false);
  }
});

/** Lists sorted by name, position or status, where new items appear among the others. */
const IN_PLACE: ReadonlySet<string> = new Set([
  '/v1/pages',
  '/v1/check-groups',
  '/v1/check-groups/{group_id}/checks',
  '/v1/checks/overview',
  '/v1/incident-templates',
]);

test('with `created_until`, pages of a list do not change when items are added at the top of the list', async () => {
  let compared = 0;
  for (const { route, method } of gets.filter(({ route }) => pagingOf(route) && !IN_PLACE.has(route.path))) {
    const { created_until: until } = (route.query?.['properties'] ?? {}) as Record<string, TSchema>;
    assert.ok(until, name(method, route));
    const [, field = ''] = /`(\w+)`/.exec(String(until['description'])) ?? [];
    const path = fillPath(route.path, await idsOf(route.path));
    const itemsOf = async (search: string): Promise<Record<string, string>[]> => {
      const reply = await service.request('GET', `${path}?${search}`, { key: keyFor(route) });
      assert.is(reply.status, 200, `${name(method, route)}: ${reply.text}`);
      return Object.values(reply.json() as object).find(Array.isArray) as Record<string, string>[];
    };
    const items = await itemsOf('page=1');
    const [newest] = items;
    if (!newest) continue;
    assert.equal(await itemsOf(`created_until=${newest[field] ?? ''}`), items, name(method, route));
    assert.equal(await itemsOf('created_until=1999-12-31'), [], name(method, route));
    compared += 1;
  }
  assert.ok(compared > 7);
});

/**
 * Query parameters that accept exactly one value of a fixed set. `region` is one of them because names of regions
 * contain commas.
 */
const ONE_VALUE: ReadonlySet<string> = new Set(['format', 'region', 'sort', 'GET /v1/checks/get-regions check_type']);

test('a filter with several comma-separated values finds items with any of them', async () => {
  let compared = 0;
  for (const { route, method } of comparable) {
    const path = fillPath(route.path, await idsOf(route.path));
    const parameters = Object.entries((route.query?.['properties'] ?? {}) as Record<string, TSchema>);
    for (const [parameter, schema] of parameters) {
      const which = `${name(method, route)} ${parameter}`;
      if (ONE_VALUE.has(parameter) || ONE_VALUE.has(which)) continue;
      assert.is(schema['enum'], undefined, `${which} takes one value only`);
      const { enum: values } = (schema['items'] ?? {}) as { enum?: string[] };
      if (!values) continue;
      const found = async (wanted: readonly string[]): Promise<string[]> => {
        const reply = await service.request('GET', `${path}?${parameter}=${wanted.join(',')}`, { key: keyFor(route) });
        assert.is(reply.status, 200, `${which}: ${reply.text}`);
        const answer = reply.json() as Record<string, unknown>;
        const items = (Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray)) as { id: string }[];
        return items.map(({ id }) => id).sort();
      };
      const each = await Promise.all(values.map((value) => found([value])));
      // A group of statuses such as `active` can match the same items as a single status.
      assert.equal(await found(values), [...new Set(each.flat())].sort(), which);
      compared += 1;
    }
  }
  assert.ok(compared > 10);
});

test('a time range that ends before it starts is 400, and the error names the end of the range', async () => {
  const timed = gets.flatMap(({ route, method }) => {
    const parameters = Object.keys((route.query?.['properties'] ?? {}) as object);
    const ends = ['end', 'end_date', 'end_time'].filter((end) => parameters.includes(end));
    return ends.map((end) => ({ route, method, end, start: end.replace('end', 'start') }));
  });
  assert.ok(timed.length > 7);
  for (const { route, method, end, start } of timed) {
    const path = fillPath(route.path, await idsOf(route.path));
    const reply = await service.request('GET', `${path}?${start}=2026-11-02&${end}=2026-11-01`, { key: keyFor(route) });
    assert.is(reply.status, 400, `${name(method, route)}: ${reply.text}`);
  }
});

test('HEAD responds like GET, and a matching If-None-Match is 304', async () => {
  for (const { route, method } of comparable) {
    const path = fillPath(route.path, await idsOf(route.path));
    const key = keyFor(route);
    const get = await service.request('GET', path, { key });
    assert.is(get.status, 200, `${name(method, route)}: ${get.text}`);
    const head = await service.request('HEAD', path, { key });
    assert.is(head.status, 200, name(method, route));
    assert.is(head.text, '');
    assert.is(head.headers.etag, get.headers.etag, name(method, route));
    if (isEndless(route)) continue;
    assert.is(head.headers['content-length'], get.headers['content-length']);
    const { etag = '' } = get.headers;
    assert.match(etag, route.revised ? /^"\d+-/ : /^W\/"/);
    const fresh = await service.request('GET', path, { key, headers: { 'if-none-match': etag } });
    assert.is(fresh.status, 304, name(method, route));
    assert.is(fresh.text, '');
  }
});

/**
 * Fields that depend on the current time: end times of statistics, creation times of statements, durations of active
 * alerts, and the last use of a key.
 */
const UNTIL_NOW: ReadonlySet<string> = new Set([
  '/v1/checks/{check_id}/uptime',
  '/v1/pages/{page_id}/statements/{month}',
  '/v1/alerts',
  '/v1/alerts/{alert_id}',
  '/v1/alerts/{alert_id}/history/diff',
  '/v1/api-keys/{key_id}/history/diff',
  '/v1/api-tokens',
  '/v1/api-keys',
]);
/** Milliseconds after which periods and signed links change. */
const QUARTER_OF_AN_HOUR = 15 * MINUTE_MS;

test('a conditional request for an unchanged resource is still 304 a minute later', async () => {
  const left = QUARTER_OF_AN_HOUR - (service.time.now % QUARTER_OF_AN_HOUR);
  if (left <= MINUTE_MS) service.time.now += left;
  const changed: string[] = [];
  for (const { route, method } of comparable.filter(({ route }) => !UNTIL_NOW.has(route.path) && !isEndless(route))) {
    const path = fillPath(route.path, await idsOf(route.path));
    const key = keyFor(route);
    const { etag = '' } = (await service.request('GET', path, { key })).headers;
    service.time.now += MINUTE_MS;
    const later = await service.request('GET', path, { key, headers: { 'if-none-match': etag } });
    service.time.now -= MINUTE_MS;
    if (later.status !== 304) changed.push(`${name(method, route)}: ${later.text}`);
  }
  assert.equal(changed, []);
});

test('a request sent twice with the same Idempotency-Key is performed once, and the second response repeats the first', async () => {
  const repeatable = operations.filter(
    ({ route, method }) => method !== 'get' && route.unrepeatable !== true && (method === 'delete' || takesJson(route)),
  );
  for (const { route, method } of repeatable) {
    const isOnce = method === 'delete' || NOT_REPEATABLE.has(route.path);
    const ids = isOnce ? await createAll(service, v1Routes, route.path, maker(first.keys)) : await idsOf(route.path);
    const body = bodyFor(method, route, ids);
    const path = fillPath(route.path, ids);
    const again = { key: keyFor(route), headers: { 'idempotency-key': name(method, route) }, ...(body && { body }) };
    const one = await service.request(method.toUpperCase(), path, again);
    assert.ok(one.status < 300, `${name(method, route)}: ${one.text}`);
    const two = await service.request(method.toUpperCase(), path, again);
    assert.is(two.headers['idempotent-replayed'], 'true', name(method, route));
    assert.is(two.status, one.status);
    if ((route.oneTime ?? []).length === 0) assert.is(two.text, one.text);
  }
});

test('PUT behaves the same as PATCH on every route', () => {
  const paths = (method: Method) => operations.filter((one) => one.method === method).map(({ route }) => route.path);
  const patched = new Set(paths('patch'));
  for (const path of paths('patch')) {
    const routes = operations.filter(({ route }) => route.path === path);
    const [patch, put] = (['patch', 'put'] as const).map((method) => routes.find((one) => one.method === method));
    assert.is(put?.route, patch?.route, path);
  }
  assert.ok(patched.size > 0);
});

/** Resources that are still shown after their deletion, such as runners with a void token. */
const SHOWN_WHEN_DELETED: readonly string[] = ['/v1/runners/{runner_id}'];

test('a deleted resource is gone, and deleting it again is 404', async () => {
  for (const { route, method } of operations.filter((one) => one.method === 'delete')) {
    const path = fillPath(route.path, await createAll(service, v1Routes, route.path, maker(first.keys)));
    const key = keyFor(route);
    const reply = await service.request('DELETE', path, { key });
    assert.is(reply.status, 204, `${name(method, route)}: ${reply.text}`);
    assert.is((await service.request('DELETE', path, { key })).status, 404, name(method, route));
    if (gets.some((one) => one.route.path === route.path)) {
      const status = SHOWN_WHEN_DELETED.includes(route.path) ? 200 : 404;
      assert.is((await service.request('GET', path, { key })).status, status, name(method, route));
    }
  }
});

test('the response to a deletion waits until the read models no longer show the resource', () => {
  for (const { route, method } of operations.filter((one) => one.method === 'delete')) {
    assert.ok((route.waitsFor?.length ?? 0) > 0, `${name(method, route)} does not say which read models it waits for.`);
  }
});

/** Returns all schemas inside the schema of a response, with their paths. */
const schemasIn = (schema: unknown, schemaPath: string): [string, TSchema][] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => schemasIn(value, `${schemaPath}/${key}`));
  return [[schemaPath, schema as TSchema], ...inner];
};
const answers = declared.flatMap(({ route, method }) =>
  Object.entries(route.responses).flatMap(([status, schema]) => schemasIn(schema, `${name(method, route)} ${status}`)),
);

const isNullable = (schema: TSchema): boolean => {
  const { type, anyOf } = schema as { type?: string | string[]; anyOf?: { type?: string }[] };
  return (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some((one) => one.type === 'null');
};

test('the description of each percentile states its precision', () => {
  const percentiles = answers.flatMap(([schemaPath, schema]) =>
    Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {})
      .filter(([field]) => /^p\d\d$/.test(field))
      .map(([field, { description }]) => [`${schemaPath}: ${field}`, String(description)] as const),
  );
  assert.ok(percentiles.length > 4);
  for (const [schemaPath, description] of percentiles)
    assert.match(description, /approximate: .* by less than 0\.8 %/, schemaPath);
});

test('a nullable field is always present in responses', () => {
  for (const [schemaPath, schema] of answers) {
    const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] };
    if (!Array.isArray(required)) continue;
    for (const [field, property] of Object.entries(properties)) {
      if (isNullable(property)) assert.ok(required.includes(field), `${schemaPath}: ${field} may be left out`);
    }
  }
});

test('times are declared with their exact format', () => {
  for (const [schemaPath, schema] of answers) {
    const { properties = {} } = schema as { properties?: Record<string, TSchema & { pattern?: string }> };
    for (const [field, property] of Object.entries(properties)) {
      if (!/(_at|_for|_until|^timestamp)$/.test(field) || typeof property !== 'object') continue;
      assert.is(property.pattern, INSTANT_PATTERN, `${schemaPath}: ${field}`);
    }
  }
});

test.run();
