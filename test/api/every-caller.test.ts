import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needsSession, PERMISSIONS } from '../../api/permissions.ts';
import type { Method, Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { revokeApiKey } from '../../commands/organizations/api-keys.ts';
import { endSession } from '../../commands/sign-in/sessions.ts';
import { removeUser } from '../../commands/organizations/users.ts';
import { ROLES, type Role } from '../../domain/organization/roles.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { instantOf } from '../../domain/time.ts';
import { fillPath } from './fixtures.ts';
import { storeKey, storeSession, signInAs } from './users.ts';
import { startService } from './service.ts';

/** Calls every declared route with all kinds of credentials. The declaration determines the expected status. */
const test = suite('every route admits exactly the callers that it declares');

const service = await startService();
const { first, second } = service;
test.after(() => service.stop());

/**
 * The kind of credentials in a request: valid credentials of a role, credentials that are not allowed at the address of
 * the tests (`forbidden`), invalid credentials (`nobody`), or none (`nothing`).
 */
type Shown = { by: 'key' | 'session'; role: Role } | { by: 'forbidden' | 'nobody' | 'nothing' };

interface Knocking {
  name: string;
  credentials: string | null;
  shown: Shown;
}

/**
 * The status for callers with the permission. The permission is checked before the `Accept` header. The header in these
 * requests is then refused, so no request has an effect.
 */
const PASSED = 406;

/**
 * The status of routes with a signed link that accept any media type. The `Accept` header of the request is valid, so
 * the request is refused only because it has no signature.
 */
const LINK = 403;

/**
 * The status of routes that ignore media type headers. These routes check the ids in the path next, and the ids in the
 * path do not exist.
 */
const UNKNOWN = 404;

const expected = ({ access, produces, anyHeaders = false }: Route, shown: Shown): number => {
  if (anyHeaders) return UNKNOWN;
  if ('public' in access && 'link' in access.public && produces?.some((type) => type.name === '*/*')) return LINK;
  if ('public' in access && (shown.by === 'nothing' || !('key' in access.public))) return PASSED;
  if (shown.by === 'nothing' || shown.by === 'nobody') return 401;
  if (shown.by === 'forbidden') return 403;
  if ('public' in access) return PASSED;
  const roles: readonly Role[] = PERMISSIONS[access.needs];
  if (!('role' in shown) || !roles.includes(shown.role)) return 403;
  return needsSession(access.needs) && shown.by === 'key' ? 403 : PASSED;
};

const operations = v1Routes.flatMap((route) => route.methods.map((method) => ({ route, method })));
const name = (method: Method, route: Route): string => `${method.toUpperCase()} ${route.path}`;
const knock = (method: Method, route: Route, key: string | null, headers: Record<string, string> = {}) =>
  service.request(method.toUpperCase(), fillPath(route.path, {}), {
    key,
    headers: { accept: 'image/none', ...headers },
  });

const context = (organizationId: string) => service.context(organizationId, randomUUID());

/** Returns credentials that were valid and have been revoked or have expired. */
const formerly = async (): Promise<Knocking[]> => {
  const nobody = { by: 'nobody' } as const;
  const seen: Knocking[] = [];
  const add = async (what: string, credentials: string, end: () => Promise<unknown>): Promise<void> => {
    // This request puts the credential into the cache, if credentials of its kind are cached.
    assert.is((await service.request('GET', '/v1/component-statuses', { key: credentials })).status, 200, what);
    await end();
    seen.push({ name: what, credentials, shown: nobody });
  };

  const old = await signInAs(service, first.id, 'admin');
  const soon = instantOf(service.time.now + 1_000);
  const expiring = await storeKey(service, first.id, { role: 'admin', expiresAt: soon });
  for (const [what, credentials] of [
    ['an expired key', expiring],
    ['an expired access token', old.token],
  ] as const) {
    await add(what, credentials, async () => undefined);
  }
  service.time.now += 15 * 60_000 + 1;

  const revoked = await storeKey(service, first.id, { role: 'admin' });
  const document = await service.readers
    .for({ appended: new Map() })(organizations)
    .api_keys.get(hashOfApiKey(revoked));
  await add('a revoked key', revoked, async () => {
    const commandContext = context(first.id);
    await service.commands.bind(revokeApiKey)(document?.api_key_id ?? '', commandContext);
    await service.readers.waitFor(['organizations'], commandContext);
  });

  const ended = await signInAs(service, first.id, 'admin');
  await add('a session that was ended', ended.token, async () => {
    await service.commands.bind(endSession)(ended.sessionId, 'signed_out', context(first.id));
    service.time.now += 1_000;
  });

  const removed = await signInAs(service, first.id, 'admin');
  const adminKey = await storeKey(service, first.id, { role: 'admin', createdBy: removed.userId });
  await add('a key of a user who was removed', adminKey, async () => undefined);
  await add('a session of a user who was removed', removed.token, async () => {
    const commandContext = context(first.id);
    await service.commands.bind(removeUser)(removed.userId, commandContext);
    await service.readers.waitFor(['organizations'], commandContext);
  });

  const { refreshToken } = await signInAs(service, first.id, 'admin');
  return [
    ...seen,
    { name: 'an unknown key', credentials: 'upt_unknown', shown: nobody },
    { name: 'an unknown access token', credentials: `uta_${'a'.repeat(43)}`, shown: nobody },
    { name: 'a refresh token', credentials: refreshToken, shown: nobody },
    { name: 'the hash of a key', credentials: hashOfApiKey(first.keys.admin), shown: nobody },
    { name: 'a key after another scheme', credentials: `Basic ${first.keys.admin}`, shown: nobody },
    { name: 'a key after two schemes', credentials: `Bearer Bearer ${first.keys.admin}`, shown: nobody },
    { name: 'two keys', credentials: `${first.keys.admin}, ${first.keys.admin}`, shown: nobody },
  ];
};

const everybody = async (): Promise<Knocking[]> => {
  const knocking = await formerly();
  for (const role of ROLES) {
    const { token, userId } = await signInAs(service, first.id, role);
    const key = { by: 'key', role } as const;
    const session = { by: 'session', role } as const;
    const admins = await storeKey(service, first.id, { role: 'admin', createdBy: userId });
    const foreign = await signInAs(service, second.id, role);
    knocking.push(
      { name: `a key of role ${role}`, credentials: first.keys[role], shown: key },
      { name: `a session of role ${role}`, credentials: token, shown: session },
      { name: `a session of role ${role}, by Bearer`, credentials: `bEARER   ${token} `, shown: session },
      { name: `a key of role admin, made by somebody of role ${role}`, credentials: admins, shown: key },
      // Callers of another organization are admitted too. They get 404 for ids of the first organization
      // (every-route.test.ts).
      { name: `a key of role ${role} of another organization`, credentials: second.keys[role], shown: key },
      { name: `a session of role ${role} of another organization`, credentials: foreign.token, shown: session },
    );
  }
  const elsewhere = await storeKey(service, first.id, { role: 'admin', allowedIps: ['192.0.2.0/24', '2001:db8::1'] });
  const here = await storeKey(service, first.id, { role: 'admin', allowedIps: ['127.0.0.0/8'] });
  return [
    ...knocking,
    { name: 'nothing', credentials: null, shown: { by: 'nothing' } },
    { name: 'an empty header', credentials: ' ', shown: { by: 'nothing' } },
    { name: 'a key that works elsewhere', credentials: elsewhere, shown: { by: 'forbidden' } },
    { name: 'a key that works from here', credentials: here, shown: { by: 'key', role: 'admin' } },
  ];
};

const all = await everybody();

for (const { name: who, credentials, shown } of all) {
  // An empty header counts as a header: a route with an optional key refuses the empty header as an invalid key.
  const header = who === 'an empty header' ? ({ by: 'nobody' } as const) : shown;
  test(`every route responds as declared to a caller identified by ${who}`, async () => {
    const wrong: string[] = [];
    for (const { route, method } of operations) {
      const { status } = await knock(method, route, credentials);
      const wanted = expected(route, header);
      if (status !== wanted) wrong.push(`${name(method, route)}: ${status}, not ${wanted}`);
    }
    assert.equal(wrong, []);
  });
}

test('the tested credentials include each role, a session and each kind of refusal', () => {
  assert.ok(operations.some(({ route }) => expected(route, { by: 'key', role: 'admin' }) === 403));
  assert.ok(ROLES.every((role) => operations.some(({ route }) => expected(route, { by: 'key', role }) === PASSED)));
});

test('the error for an API key on a route that needs a session says that a session is needed', async () => {
  for (const { route, method } of operations) {
    if (!('needs' in route.access) || !needsSession(route.access.needs)) continue;
    const reply = await knock(method, route, first.keys.admin);
    assert.match((reply.json() as { message: string }).message, /^This needs a session/, name(method, route));
  }
});

test('credentials in the query, in a cookie or in other headers are ignored', async () => {
  const { token } = await signInAs(service, first.id, 'admin');
  for (const key of [first.keys.admin, token]) {
    for (const parameter of ['token', 'access_token', 'api_key', 'key', 'authorization']) {
      const path = `/v1/pages?${parameter}=${encodeURIComponent(key)}`;
      assert.is((await service.request('GET', path, { key: null })).status, 401, parameter);
    }
    for (const header of [
      'cookie',
      'x-api-key',
      'proxy-authorization',
      'x-authorization',
      'x-forwarded-authorization',
    ]) {
      const headers = { [header]: header === 'cookie' ? `token=${encodeURIComponent(key)}` : key };
      assert.is((await service.request('GET', '/v1/pages', { key: null, headers })).status, 401, header);
    }
  }
});

/** Sends a request with raw header lines. Returns the status of the response. */
const raw = (...lines: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => {
      socket.end(['GET /v1/pages HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n'));
    });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.once('error', reject);
    socket.once('close', () => {
      resolve(Number(text.split(' ')[1]));
    });
  });

test('a request with several Authorization headers or with invalid bytes in the header is not authenticated', async () => {
  const { admin } = first.keys;
  const { token } = await signInAs(service, first.id, 'admin');
  assert.is(await raw(`Authorization: ${admin}`), 200);
  assert.is(await raw(`authorization: Bearer ${token}`), 200);
  assert.is(await raw(`Authorization: ${admin}`, `Authorization: ${token}`), 401);
  assert.is(await raw('Authorization: wrong', `Authorization: ${admin}`), 401);
  assert.is(await raw(`Authorization: ${admin}`, `authorization: ${admin}`), 401);
  for (const bytes of ['\0', '\x01', '\n']) {
    assert.ok([400, 401].includes(await raw(`Authorization: Bearer ${bytes}${admin}`)), JSON.stringify(bytes));
    assert.ok([400, 401].includes(await raw(`Authorization: ${admin}${bytes}x`)), JSON.stringify(bytes));
  }
});

test('metrics can be read with a session of a user who has the permission', async () => {
  const headers = { 'x-forwarded-for': '127.0.0.9' };
  const { token } = await signInAs(service, first.id, 'viewer');
  assert.is((await service.request('GET', '/metrics', { key: token, headers })).status, 200);
  const stranger = await signInAs(service, first.id, 'viewer');
  await service.commands.bind(endSession)(stranger.sessionId, 'ended', context(first.id));
  assert.is((await service.request('GET', '/metrics', { key: stranger.token, headers })).status, 401);
});

test('a request repeated with another access token of the same user gets the stored response', async () => {
  const user = await signInAs(service, first.id, 'editor');
  const other = await signInAs(service, first.id, 'editor');
  const post = (key: string) =>
    service.request('POST', '/v1/pages', { key, body: { name: 'Shop' }, headers: { 'idempotency-key': 'one' } });
  const made = await post(user.token);
  assert.is(made.status, 200);
  const again = await post((await storeSession(service, first.id, user.userId)).token);
  assert.is(again.headers['idempotent-replayed'], 'true');
  assert.is((await post(other.token)).headers['idempotent-replayed'], undefined);
});

test.run();
