import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Method, Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { bodyFor, fillPath, createAll } from './fixtures.ts';
import type { Reply } from './http.ts';
import { startService } from './service.ts';

const test = suite('If-Match');

const service = await startService();
const { first } = service;
test.after(() => service.stop());

const KEY = { key: first.keys.admin };
const revised = v1Routes.filter((route) => route.revised);
const routeOf = (path: string, method: Method): Route => {
  const route = revised.find((one) => one.path === path && one.methods.includes(method));
  if (!route) throw new Error(`${path} takes no ${method}.`);
  return route;
};
const paths = [...new Set(revised.map(({ path }) => path))];

interface Shown {
  revision: number;
  name: string;
}

/** The name of a secret cannot change, so tests change its value instead. */
const SECRET = '/v1/secrets/{secret_id}';
const named = (path: string, name: string): object => (path === SECRET ? { secret_value: name } : { name });

/** Creates a resource of a path. Returns its path and a body that changes it. */
const make = async (path: string) => {
  const ids = await createAll(service, v1Routes, path, first.keys.admin);
  const at = fillPath(path, ids);
  return {
    at,
    get: (headers: Record<string, string> = {}) => service.request('GET', at, { ...KEY, headers }),
    send: (method: 'put' | 'patch' | 'delete', headers: Record<string, string>, body?: object): Promise<Reply> => {
      const sent = body ?? bodyFor(method, routeOf(path, method), ids) ?? {};
      return service.request(method.toUpperCase(), at, { ...KEY, headers, ...(method !== 'delete' && { body: sent }) });
    },
  };
};
const shownBy = (reply: Reply): Shown => {
  const { revision, name, secret_value } = reply.json() as Shown & { secret_value?: string };
  return { revision, name: secret_value ?? name };
};

test('If-Match applies to checks, groups, rules, channels, heartbeats, pages, components, templates, runners and secrets', () => {
  assert.equal(paths.sort(), [
    '/v1/alerts/channels/{channel_id}',
    '/v1/alerts/rules/{rule_id}',
    '/v1/check-groups/{group_id}',
    '/v1/checks/{check_id}',
    '/v1/heartbeats/{heartbeat_key}',
    '/v1/incident-templates/{incident_template_id}',
    '/v1/pages/{page_id}',
    '/v1/pages/{page_id}/component-groups/{component_id}',
    '/v1/pages/{page_id}/components/{component_id}',
    '/v1/runners/{runner_id}',
    '/v1/secrets/{secret_id}',
  ]);
  for (const path of paths) {
    const methods = revised.filter((route) => route.path === path).flatMap((route) => route.methods);
    assert.equal(methods.sort(), ['delete', 'get', 'patch', 'put'], path);
  }
});

for (const path of paths) {
  test(`a read of ${path} has a strong ETag that starts with the revision`, async () => {
    const { get } = await make(path);
    const reply = await get();
    const { revision } = shownBy(reply);
    assert.ok(Number.isInteger(revision) && revision >= 1);
    assert.match(String(reply.headers.etag), new RegExp(`^"${revision}-[\\w+/]{27}"$`));
    assert.is((await get({ 'if-none-match': String(reply.headers.etag) })).status, 304);
    assert.is((await get({ 'if-none-match': `"${revision}"` })).status, 200);
  });

  test(`a change of ${path} at another revision is 412 and changes nothing`, async () => {
    const { get, send } = await make(path);
    const before = await get();
    const { revision, name } = shownBy(before);
    const read = String(before.headers.etag);
    const changed = await send('patch', { 'if-match': read }, named(path, `${name} 2`));
    assert.is(changed.status, 200, changed.text);
    const after = await get();
    assert.is(shownBy(after).name, `${name} 2`);
    assert.ok(shownBy(after).revision > revision);
    assert.is(shownBy(changed).revision, shownBy(after).revision);
    assert.is.not(after.headers.etag, read);
    for (const method of ['put', 'patch', 'delete'] as const) {
      for (const tag of [read, `"${revision}"`, `W/${String(after.headers.etag)}`, '"0"', '"x"']) {
        const refused = await send(method, { 'if-match': tag }, named(path, 'Lost'));
        assert.is(refused.status, 412, `${method} ${tag}`);
        assert.match((refused.json() as { message: string }).message, /^The resource was changed since it was read/);
      }
    }
    assert.is((await get()).text, after.text);
    for (const tag of ['*', `"0", "${shownBy(after).revision}"`]) {
      assert.is((await send('put', { 'if-match': tag })).status, 200);
      const { revision: now } = shownBy(await get());
      if (now !== shownBy(after).revision) break;
    }
    const now = await get();
    assert.is((await send('delete', { 'if-match': String(now.headers.etag) })).status, 204);
    assert.is((await send('delete', { 'if-match': '*' })).status, 404);
  });

  test(`of two concurrent changes of the same revision of ${path}, exactly one succeeds`, async () => {
    const { get, send } = await make(path);
    const { headers } = await get();
    const tag = { 'if-match': String(headers.etag) };
    const replies = await Promise.all([1, 2, 3, 4].map((n) => send('patch', tag, named(path, `Name ${n}`))));
    assert.equal(replies.map(({ status }) => status).sort(), [200, 412, 412, 412]);
    const won = replies.find(({ status }) => status === 200);
    assert.is(shownBy(await get()).name, won && shownBy(won).name);
  });

  test(`of a concurrent deletion and change of ${path}, exactly one succeeds`, async () => {
    const { get, send } = await make(path);
    const { headers } = await get();
    const tag = { 'if-match': String(headers.etag) };
    const [deleted, changed] = await Promise.all([send('delete', tag), send('patch', tag, named(path, 'Changed'))]);
    const isDeleted = deleted.status === 204;
    assert.equal([deleted.status, changed.status], isDeleted ? [204, 404] : [412, 200]);
    // A revoked runner is still shown.
    assert.is((await get()).status, isDeleted && path !== '/v1/runners/{runner_id}' ? 404 : 200);
  });
}

test('a repeated request with If-Match gets its first response, regardless of the current revision', async () => {
  const { get, send } = await make('/v1/check-groups/{group_id}');
  const headers = { 'if-match': String((await get()).headers.etag), 'idempotency-key': 'once' };
  const done = await send('patch', headers, { name: 'Once' });
  assert.is(done.status, 200);
  const again = await send('patch', headers, { name: 'Once' });
  assert.equal([again.status, again.text], [200, done.text]);
  assert.is(again.headers['idempotent-replayed'], 'true');
  const refused = { 'if-match': '"0"', 'idempotency-key': 'never' };
  assert.is((await send('patch', refused, { name: 'Twice' })).status, 412);
  assert.is((await send('patch', refused, { name: 'Twice' })).headers['idempotent-replayed'], 'true');
  // The same key with another If-Match is another request.
  assert.is((await send('patch', { ...refused, 'if-match': '*' }, { name: 'Twice' })).status, 422);
});

test('a status set by an incident changes the ETag of a component but not its revision', async () => {
  const { at, get } = await make('/v1/pages/{page_id}/components/{component_id}');
  const before = await get();
  const page = at.split('/').slice(0, 4).join('/');
  const id = at.split('/').at(-1) ?? '';
  const body = { name: 'Down', body: 'No answer.', status: 'investigating', components: { [id]: 'major_outage' } };
  assert.is((await service.request('POST', `${page}/incidents`, { ...KEY, body })).status, 201);
  const after = await get();
  assert.is((after.json() as { status: string }).status, 'major_outage');
  assert.is(shownBy(after).revision, shownBy(before).revision);
  assert.is.not(after.headers.etag, before.headers.etag);
});

test('a component has revisions separate from those of its page and other components', async () => {
  const { at, get, send } = await make('/v1/pages/{page_id}/components/{component_id}');
  const page = at.split('/').slice(0, 4).join('/');
  const tag = { 'if-match': String((await get()).headers.etag) };
  const ofPage = { 'if-match': String((await service.request('GET', page, KEY)).headers.etag) };
  assert.is((await service.request('POST', `${page}/components`, { ...KEY, body: { name: 'Other' } })).status, 201);
  assert.is((await service.request('PATCH', page, { ...KEY, headers: ofPage, body: { headline: 'Hi' } })).status, 200);
  assert.is((await service.request('PATCH', page, { ...KEY, headers: ofPage, body: { headline: 'Ho' } })).status, 412);
  assert.is((await send('patch', tag, { name: 'Renamed' })).status, 200);
});

test('a page keeps its subdomain if a change has an outdated revision', async () => {
  const { get, send } = await make('/v1/pages/{page_id}');
  assert.is((await send('patch', { 'if-match': '"0"' }, { subdomain: 'taken-by-nobody' })).status, 412);
  assert.is((await send('patch', { 'if-match': '*' }, { subdomain: 'taken-by-it' })).status, 200);
  const other = await make('/v1/pages/{page_id}');
  assert.is((await other.send('patch', {}, { subdomain: 'taken-by-nobody' })).status, 200);
  assert.is((await get()).status, 200);
});

test('an If-Match header that is not a list of tags is 400', async () => {
  const { send, get } = await make('/v1/check-groups/{group_id}');
  const reply = await send('patch', { 'if-match': '7' }, { name: 'Lost' });
  assert.is(reply.status, 400);
  assert.match(reply.text, /If-Match/);
  assert.is.not(shownBy(await get()).name, 'Lost');
});

test('HEAD has the same ETag as GET', async () => {
  const { at, get } = await make('/v1/checks/{check_id}');
  const head = await service.request('HEAD', at, KEY);
  assert.is(head.headers.etag, (await get()).headers.etag);
});

test.run();
