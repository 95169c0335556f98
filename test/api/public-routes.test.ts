import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openApi } from '../../api/openapi/document.ts';
import { ok, route, type Route } from '../../api/route.ts';
import { recordAppended } from '../../commands/engine/appended-positions.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import { signedToken } from '../../domain/signed-token.ts';
import { instantOf } from '../../domain/time.ts';
import { ANY_BODY, FORM_BODY, JSON_BODY } from '../../http/media/body-types.ts';
import { CSV, HTML, JSON_TYPE } from '../../http/media/media-types.ts';
import { seeOther } from '../../http/routes/route.ts';
import type { TestRequest } from './http.ts';
import { serveNotes } from './notes.ts';

const test = suite('routes without a key');

/** The contexts that the routes below have received. */
const contexts: CommandContext[] = [];

const tag = 'Shops';
const shop = { params: Type.Object({ shop: Type.String() }), tag };
/** The organizations of the shops. Visitors from 127.0.0.9 see no shop. */
const OWNERS: Record<string, string> = { bakery: 'organization1', dairy: 'organization2' };
const access = {
  public: {
    tenant: async ({ shop: name }: { shop: string }, { clientAddress }: { clientAddress: string | null }) =>
      clientAddress === '127.0.0.9' ? null : (OWNERS[name] ?? null),
  },
};

const routes: Route[] = [
  route({
    ...shop,
    methods: ['get'],
    path: '/shops/{shop}',
    summary: 'A shop',
    access,
    produces: [HTML],
    responses: { 200: Type.String() },
    handle: ({ context, params }) => ok(() => `<h1>${params.shop} of ${context.organizationId}</h1>`),
  }),
  route({
    ...shop,
    methods: ['get'],
    path: '/shops/{shop}/list',
    summary: 'What a shop sells',
    access,
    produces: [JSON_TYPE, CSV],
    responses: { 200: Type.Array(Type.String()) },
    handle: ({ type }) => ok(() => (type === CSV ? 'bread\r\n' : ['bread'])),
  }),
  route({
    ...shop,
    methods: ['post'],
    path: '/shops/{shop}/orders',
    summary: 'Order',
    access,
    accepts: [FORM_BODY, JSON_BODY],
    body: Type.Object({
      what: Type.String({ minLength: 1 }),
      pieces: Type.Optional(Type.Integer({ minimum: 1 })),
      extras: Type.Optional(Type.Array(Type.String())),
    }),
    responses: { 200: Type.Object({ what: Type.String() }) },
    handle: ({ body, context }) => {
      contexts.push(context);
      return ok(() => ({ ...body, organization: context.organizationId }));
    },
  }),
  route({
    ...shop,
    methods: ['get', 'post'],
    path: '/shops/{shop}/ping',
    summary: 'Ring the bell',
    effect: 'write',
    access,
    accepts: [ANY_BODY],
    responses: { 200: Type.Object({ status: Type.String() }) },
    handle: ({ context }) => {
      contexts.push(context);
      recordAppended(context.appended, 'main', [{ type: 'Rung' }], 1n);
      return ok(() => ({ status: 'ok' }));
    },
  }),
  route({
    methods: ['post'],
    path: '/unsubscribe',
    summary: 'Leave by a link',
    tag,
    access: { public: { link: 'unsubscribe' } },
    accepts: [],
    responses: { 200: Type.Object({ who: Type.String() }) },
    handle: ({ context, subject }) => {
      contexts.push(context);
      return ok(() => ({ who: `${subject ?? 'nobody'} of ${context.organizationId}` }));
    },
  }),
  route({
    methods: ['post'],
    path: '/sent',
    summary: 'Send a form and be shown something else',
    tag,
    access: { public: { tenant: null } },
    accepts: [FORM_BODY],
    produces: [HTML],
    body: Type.Object({ name: Type.String({ maxLength: 5 }) }),
    responses: { 303: null },
    handle: () => seeOther('/shops/bakery'),
  }),
];

const served = await serveNotes({ further: routes, trustProxy: '127.0.0.1' });
const { bare, keys, time } = served;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const form = (path: string, body: string, headers: Record<string, string> = {}) =>
  bare({ method: 'POST', path, body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } });

test.before.each(() => {
  contexts.length = 0;
});
test.after(() => served.stop());

test('a public route works on the data of the organization in its path', async () => {
  const reply = await bare({ path: '/shops/dairy' });
  assert.is(reply.status, 200);
  assert.is(reply.text, '<h1>dairy of organization2</h1>');
});

test('a public route is 404 if the resource in its path does not exist or is not visible to the visitor', async () => {
  assert.is((await bare({ path: '/shops/butcher' })).status, 404);
  assert.is((await bare({ path: '/shops/bakery', localAddress: '127.0.0.9' })).status, 404);
});

test('a public route ignores a key unless it declares an optional key', async () => {
  assert.is((await bare({ path: '/shops/bakery', headers: { authorization: 'Basic bm9ib2R5Og==' } })).status, 200);
  const letter: TestRequest = { method: 'POST', path: '/v1/letters', body: { text: 'hello' } };
  assert.is((await bare({ ...letter, headers: { authorization: 'Basic bm9ib2R5Og==' } })).status, 401);
});

test('a public route responds to browsers with a page that only loads content of the service', async () => {
  const reply = await bare({ path: '/shops/bakery', headers: { accept: BROWSER } });
  assert.is(reply.status, 200);
  assert.is(reply.headers['content-type'], 'text/html; charset=utf-8');
  assert.match(String(reply.headers['content-security-policy']), /default-src 'none';script-src 'self'/);
  assert.is(reply.headers['x-content-type-options'], 'nosniff');
  assert.is(reply.headers['cache-control'], 'no-cache');
  assert.match(reply.headers.etag ?? '', /^W\//);
  const fresh = await bare({ path: '/shops/bakery', headers: { 'if-none-match': reply.headers.etag ?? '' } });
  assert.is(fresh.status, 304);
  const head = await bare({ method: 'HEAD', path: '/shops/bakery' });
  assert.is(head.text, '');
  assert.is(head.headers['content-length'], reply.headers['content-length']);
});

test('errors are pages on routes that respond with pages', async () => {
  for (const path of ['/shops/butcher', '/shops/%3Cscript%3E']) {
    const reply = await bare({ path, headers: { accept: BROWSER } });
    assert.is(reply.status, 404);
    assert.is(reply.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(reply.text, '<h1>Not Found</h1>');
    assert.not.match(reply.text, '<script>');
  }
  const wrong = await bare({ method: 'DELETE', path: '/shops/bakery' });
  assert.is(wrong.status, 405);
  assert.match(wrong.headers['content-type'] ?? '', 'text/html');
  assert.is(wrong.headers.allow, 'GET, HEAD');
  const other = await bare({ path: '/shops/bakery', headers: { accept: 'application/json' } });
  assert.is(other.status, 406);
  assert.match(other.text, 'This path responds with text/html only.');
});

test('errors are JSON on routes that do not respond with pages', async () => {
  const reply = await bare({ path: '/shops/butcher/list', headers: { accept: 'text/csv' } });
  assert.is(reply.status, 404);
  assert.is((reply.json() as { code: number }).code, 404);
});

test('a route with several media types responds with the preferred one and sends Vary', async () => {
  const csv = await bare({ path: '/shops/bakery/list', headers: { accept: 'text/csv, */*;q=0.1' } });
  assert.is(csv.text, 'bread\r\n');
  assert.is(csv.headers['content-type'], 'text/csv; charset=utf-8');
  assert.is(String(csv.headers.vary), 'Accept');
  assert.is(csv.headers['content-security-policy'], "default-src 'none';frame-ancestors 'none'");
  assert.equal((await bare({ path: '/shops/bakery/list' })).json(), ['bread']);
});

test('a form is converted to the types of the schema', async () => {
  const reply = await form('/shops/bakery/orders', 'what=ros%C3%A9+cake&pieces=2&extras=nuts&extras=cream&other=x');
  assert.equal(reply.json(), {
    what: 'rosé cake',
    pieces: 2,
    extras: ['nuts', 'cream'],
    organization: 'organization1',
  });
  assert.equal((await form('/shops/bakery/orders', 'what=bread&pieces=&extras=one')).json(), {
    what: 'bread',
    extras: ['one'],
    organization: 'organization1',
  });
  const json = await bare({ method: 'POST', path: '/shops/bakery/orders', body: { what: 'bread' } });
  assert.is(json.status, 200);
});

test('the error for a form names each invalid field', async () => {
  const reply = await form('/shops/bakery/orders', 'what=one&what=two&pieces=many&__proto__=x&constructor=y');
  assert.is(reply.status, 422);
  assert.equal((reply.json() as { errors: object }).errors, {
    json: { what: ['Must be a string.'], pieces: ['Must be an integer.'] },
  });
  assert.equal((await form('/shops/bakery/orders', 'what=%00')).status, 422);
  const page = await form('/sent', 'name=too+long', { accept: BROWSER });
  assert.is(page.status, 422);
  assert.match(page.text, '<!doctype html>');
  const many = await form('/shops/bakery/orders', Array.from({ length: 1_001 }, (_, index) => `a${index}=1`).join('&'));
  assert.is(many.status, 400);
});

test('a body of an unsupported type is refused', async () => {
  const reply = await bare({ method: 'POST', path: '/sent', body: { name: 'x' } });
  assert.is(reply.status, 415);
  assert.match(reply.text, 'application/x-www-form-urlencoded');
  const token = await linkOf('unsubscribe');
  assert.is((await form(`/unsubscribe?token=${token}`, 'a=1')).status, 415);
});

test('the response to a form redirects to the result', async () => {
  const reply = await form('/sent', 'name=x', { accept: BROWSER });
  assert.is(reply.status, 303);
  assert.is(reply.headers.location, '/shops/bakery');
});

test('the client address and the user agent of a visitor are encrypted with a key of the organization and month', async () => {
  await form('/shops/dairy/orders', 'what=milk', { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Mozilla/5.0' });
  const [context] = contexts;
  assert.equal(context?.actor, { kind: 'system', id: 'public', role: null });
  assert.is(context?.clientAddress?.key, 'visitors-organization2-2026-11');
  const location = { organizationId: 'organization2', field: 'client_address' };
  assert.is(context?.clientAddress && (await keys.open(context.clientAddress, location)), '198.51.100.7');
  const agent = { organizationId: 'organization2', field: 'user_agent' };
  assert.is(context?.userAgent && (await keys.open(context.userAgent, agent)), 'Mozilla/5.0');
});

test('the encrypted client addresses do not show that two visits are of the same visitor', async () => {
  for (let visit = 0; visit < 2; visit++) await form('/shops/dairy/orders', 'what=milk');
  const [first, second] = contexts;
  assert.is.not(first?.clientAddress?.sealed, second?.clientAddress?.sealed);
});

test('if the key of the month was deleted, a request of a visitor is performed without storing the client address', async () => {
  time.now = Date.UTC(2026, 11, 1);
  await form('/shops/bakery/orders', 'what=bread');
  await keys.forget('visitors-organization1-2026-12');
  await form('/shops/bakery/orders', 'what=bread');
  assert.is(contexts[0]?.clientAddress?.key, 'visitors-organization1-2026-12');
  assert.is(contexts[1]?.clientAddress, undefined);
  await form('/shops/dairy/orders', 'what=milk');
  assert.is(contexts[2]?.clientAddress?.key, 'visitors-organization2-2026-12');
  time.now = Date.UTC(2026, 10, 20);
});

test('Idempotency-Keys are separate by visitor and organization, and an IPv6 network counts as one visitor', async () => {
  const order = (shopName: string, from: string, what = 'bread') =>
    form(`/shops/${shopName}/orders`, `what=${what}`, { 'idempotency-key': 'one', 'x-forwarded-for': from });
  assert.is((await order('bakery', '198.51.100.7')).headers['idempotent-replayed'], undefined);
  assert.is((await order('bakery', '198.51.100.7')).headers['idempotent-replayed'], 'true');
  assert.is((await order('bakery', '198.51.100.7', 'cake')).status, 422);
  assert.is((await order('bakery', '198.51.100.8', 'cake')).status, 200);
  // This request has the same key and client address, but concerns another organization.
  assert.is((await order('dairy', '198.51.100.7', 'milk')).status, 200);
  assert.is((await order('bakery', '2001:db8::1')).headers['idempotent-replayed'], undefined);
  assert.is((await order('bakery', '2001:db8::2')).headers['idempotent-replayed'], 'true');
  assert.is((await order('bakery', '2001:db8:0:1::1')).headers['idempotent-replayed'], undefined);
});

test('the stored response to a visitor is encrypted with the key of the organization', async () => {
  await form('/shops/dairy/orders', 'what=secret', { 'idempotency-key': 'sealed' });
  await keys.forget('organization-organization2');
  const again = await form('/shops/dairy/orders', 'what=secret', { 'idempotency-key': 'sealed' });
  assert.equal(again.json(), { message: '[forgotten]' });
});

test('requests from one network to all public paths share a rate limit', async () => {
  const limited = await serveNotes({ further: routes, trustProxy: '127.0.0.1', rateLimit: 2 });
  const from = (address: string, path = '/shops/bakery') =>
    limited.bare({ path, headers: { 'x-forwarded-for': address } });
  assert.is((await from('2001:db8::1')).status, 200);
  assert.is((await from('2001:db8::2', '/shops/dairy')).status, 200);
  const refused = await from('2001:db8::3');
  assert.is(refused.status, 429);
  assert.match(refused.headers['content-type'] ?? '', 'text/html');
  assert.is((await from('2001:db8:0:1::1')).status, 200);
  await limited.stop();
});

test('a GET route that writes encrypts the client address and the user agent, refuses HEAD, is not cached, and is performed once per Idempotency-Key', async () => {
  const headers = { 'user-agent': 'cron' };
  const reply = await bare({ path: '/shops/bakery/ping', headers });
  assert.is(reply.status, 200);
  assert.is(reply.headers['cache-control'], 'no-store');
  assert.is(reply.headers.etag, undefined);
  assert.is(contexts[0]?.clientAddress?.key, 'visitors-organization1-2026-11');
  const head = await bare({ method: 'HEAD', path: '/shops/bakery/ping' });
  assert.is(head.status, 405);
  assert.is(head.headers.allow, 'GET, POST');
  const once = { 'idempotency-key': 'ping' };
  await bare({ path: '/shops/bakery/ping', headers: once });
  assert.is((await bare({ path: '/shops/bakery/ping', headers: once })).headers['idempotent-replayed'], 'true');
  assert.is(contexts.length, 2);
});

test('a route that declares any body accepts every type', async () => {
  for (const headers of [{}, { 'content-type': 'image/png' }, { 'content-type': 'application/json' }]) {
    const reply = await bare({ method: 'POST', path: '/shops/bakery/ping', body: '{', headers });
    assert.is(reply.status, 200, JSON.stringify(headers));
  }
});

const linkOf = (purpose: string, expiresIn = 60_000) =>
  signedToken(
    { purpose, organizationId: 'organization3', subject: 'ann', expiresAt: instantOf(time.now + expiresIn) },
    (kind, text) => keys.fingerprint(kind, text),
  );

test('a route with a signed link accepts the link until it expires', async () => {
  const leave = (token: string) => bare({ method: 'POST', path: `/unsubscribe?token=${encodeURIComponent(token)}` });
  const token = await linkOf('unsubscribe');
  assert.equal((await leave(token)).json(), { who: 'ann of organization3' });
  assert.is(contexts[0]?.clientAddress?.key, 'visitors-organization3-2026-11');
  const [payload = '', signature = ''] = token.split('.');
  const forged = Buffer.from('["organization1","ann",null]').toString('base64url');
  const wrong = ['', 'x', '.', `${forged}.${signature}`, `${payload}.`, `${payload}.${signature}x`, `${token}.x`];
  for (const one of [...wrong, await linkOf('confirm'), await linkOf('unsubscribe', 0)]) {
    const reply = await leave(one);
    assert.is(reply.status, 403, one);
    assert.is((reply.json() as { message: string }).message, 'This link is invalid or has expired.');
  }
  assert.is((await bare({ method: 'POST', path: '/unsubscribe' })).status, 403);
});

test('a request to a public route that breaks several rules gets the error of the first rule in a fixed order', async () => {
  const typed = { 'content-type': 'application/x-www-form-urlencoded' };
  const steps: [number, TestRequest][] = [
    [405, { method: 'DELETE', path: '/shops/butcher/orders' }],
    [406, { method: 'POST', path: '/shops/butcher/orders', headers: { accept: 'image/png' }, body: 'x' }],
    [415, { method: 'POST', path: '/shops/butcher/orders', body: 'x' }],
    [400, { method: 'POST', path: '/shops/butcher/orders', body: Buffer.from([0xff]), headers: typed }],
    [404, { method: 'POST', path: '/shops/butcher/orders', body: 'x', headers: typed }],
    [422, { method: 'POST', path: '/shops/bakery/orders', body: 'x', headers: typed }],
  ];
  for (const [status, sent] of steps) assert.is((await bare(sent)).status, status, `${status}`);
});

interface Published {
  security?: object[];
  parameters: { name: string }[];
  requestBody?: { content: object };
  responses: Record<string, { content?: object }>;
}

test('the OpenAPI document contains the security and media types of public routes', () => {
  const document = openApi(routes) as {
    paths: Record<string, Record<string, Published>>;
    components: { securitySchemes: Record<string, { in: string; name: string }> };
  };
  const operation = (path: string, method: string) => document.paths[path]?.[method];
  assert.equal(operation('/shops/{shop}', 'get')?.security, []);
  assert.equal(operation('/unsubscribe', 'post')?.security, [{ SignedLink: [] }]);
  const { SignedLink } = document.components.securitySchemes;
  assert.is(SignedLink?.in, 'query');
  assert.is(SignedLink?.name, 'token');
  assert.equal(Object.keys(operation('/shops/{shop}', 'get')?.responses['200']?.content ?? {}), ['text/html']);
  assert.equal(Object.keys(operation('/shops/{shop}/list', 'get')?.responses['200']?.content ?? {}), [
    'application/json',
    'text/csv',
  ]);
  assert.equal(Object.keys(operation('/shops/{shop}/orders', 'post')?.requestBody?.content ?? {}), [
    'application/x-www-form-urlencoded',
    'application/json',
  ]);
  const ping = operation('/shops/{shop}/ping', 'get');
  assert.equal(
    ping?.parameters.map(({ name }) => name),
    ['shop', 'Idempotency-Key'],
  );
  assert.ok(ping && '202' in ping.responses && !('304' in ping.responses));
});

test.run();
