import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthenticate, type KnownKey } from '../../api/authentication.ts';
import { hashOfToken } from '../../commands/sign-in/session-tokens.ts';
import { HttpError } from '../../http/errors.ts';
import { rejects } from '../rejects.ts';
import { credentialOf } from '../../http/authorization.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';

const test = suite('authentication by API key and access token');

const KEY = 'upt_secret';
const document: KnownKey = {
  hash: hashOfApiKey(KEY),
  keyId: 'key000000001',
  organizationId: 'organization',
  role: 'editor',
  createdBy: 'user00000001',
  allowedIps: [],
  expiresAt: '2026-06-01T00:00:00.000000',
};

const TOKEN = `uta_${'a'.repeat(43)}`;

const opened = (version?: () => bigint) => {
  const keys = new Map([[document.hash, document]]);
  const sessions = new Map([
    [hashOfToken(TOKEN), { sessionId: 'session00001', userId: 'user00000001', organizationId: 'organization' }],
  ]);
  const users = new Map([['user00000001', { userId: 'user00000001', organizationId: 'organization', role: 'editor' }]]);
  const time = { now: '2026-05-31T23:59:59.999000', monotonic: 0 };
  const looked = { keys: 0, sessions: 0 };
  const authenticate = createAuthenticate({
    find: async (hash) => {
      looked.keys += 1;
      return keys.get(hash) ?? null;
    },
    user: async (_, userId) => users.get(userId) ?? null,
    session: async (hash) => {
      looked.sessions += 1;
      return sessions.get(hash) ?? null;
    },
    now: () => time.now,
    clock: () => time.monotonic,
    ...(version && { version }),
  });
  return { authenticate, keys, sessions, users, time, looked };
};

test('a caller with a known key is authenticated with the organization and role of the key', async () => {
  assert.equal(await opened().authenticate(KEY), {
    actor: { kind: 'api_key', id: 'key000000001', role: 'editor' },
    organizationId: 'organization',
    limitKey: 'key000000001',
    userId: 'user00000001',
    sessionId: null,
    keyId: 'key000000001',
  });
});

test('an unknown key is not authenticated', async () => {
  const { authenticate } = opened();
  assert.is(await authenticate('upt_other'), null);
  assert.is(await authenticate(hashOfApiKey(KEY)), null);
});

test('a key is refused from the instant it expires', async () => {
  const { authenticate, time } = opened();
  assert.ok(await authenticate(KEY));
  time.now = '2026-06-01T00:00:00.000000';
  assert.is(await authenticate(KEY), null);
});

test('a cached caller is looked up again after any key has changed', async () => {
  let version = 1n;
  const { authenticate, keys, looked } = opened(() => version);
  await authenticate(KEY);
  await authenticate(KEY);
  assert.is(looked.keys, 1);
  keys.clear();
  version = 2n;
  assert.is(await authenticate(KEY), null);
});

test('a cached caller expires with its key', async () => {
  const { authenticate, time } = opened(() => 1n);
  assert.ok(await authenticate(KEY));
  time.now = '2026-06-02T00:00:00.000000';
  assert.is(await authenticate(KEY), null);
});

test('a key that is revoked during its lookup is not cached', async () => {
  let version = 1n;
  const { authenticate, keys } = opened(() => version);
  const first = authenticate(KEY);
  version = 2n;
  await first;
  keys.clear();
  assert.is(await authenticate(KEY), null);
});

test('an access token authenticates its user, and all tokens of a user identify the same caller', async () => {
  assert.equal(await opened().authenticate(TOKEN), {
    actor: { kind: 'user', id: 'user00000001', role: 'editor' },
    organizationId: 'organization',
    limitKey: 'user user00000001',
    userId: 'user00000001',
    sessionId: 'session00001',
    keyId: null,
  });
});

test('only credentials in the form of an access token are looked up as sessions, and all other credentials are looked up as keys', async () => {
  const { authenticate, looked } = opened();
  for (const text of ['uta_', `${TOKEN}a`, TOKEN.toUpperCase(), `utr_${'a'.repeat(86)}`]) {
    assert.is(await authenticate(text), null, text);
  }
  assert.is(looked.sessions, 0);
  await authenticate(`uta_${'b'.repeat(43)}`);
  assert.is(looked.sessions, 1);
  assert.is(looked.keys, 4);
});

test('a valid session is cached for less than a second', async () => {
  const { authenticate, sessions, time, looked } = opened();
  await authenticate(TOKEN);
  sessions.clear();
  time.monotonic = 999;
  assert.ok(await authenticate(TOKEN));
  assert.is(looked.sessions, 1);
  time.monotonic = 1_000;
  assert.is(await authenticate(TOKEN), null);
});

test('the cache time of a session starts when its lookup starts, however long the lookup takes', async () => {
  const { authenticate, sessions, time } = opened();
  const looking = authenticate(TOKEN);
  time.monotonic = 5_000;
  await looking;
  sessions.clear();
  assert.is(await authenticate(TOKEN), null);
});

test('callers are looked up again after the cache was cleared', async () => {
  const { authenticate, keys, sessions } = opened(() => 1n);
  await authenticate(TOKEN);
  await authenticate(KEY);
  keys.clear();
  sessions.clear();
  authenticate.forget();
  assert.is(await authenticate(TOKEN), null);
  assert.is(await authenticate(KEY), null);
});

test('a session of an inactive user is not authenticated', async () => {
  const { authenticate, users } = opened();
  users.clear();
  assert.is(await authenticate(TOKEN), null);
});

test('a key works only from its allowed addresses, in any notation', async () => {
  const { authenticate, keys } = opened();
  const only = (...allowedIps: string[]) => keys.set(document.hash, { ...document, allowedIps });
  only('192.0.2.0/24', '2001:db8::/32');
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7']) assert.ok(await authenticate(KEY, address));
  for (const address of ['192.0.3.7', '2001:db9::7', '::', 'nonsense', undefined]) {
    await rejects(authenticate(KEY, address), HttpError, 'This API key must not be used from this address.');
  }
  only('a range of a later release');
  await rejects(authenticate(KEY, '192.0.2.7'), HttpError);
  // Clients without the key do not learn that the key has allowed addresses.
  assert.is(await authenticate('upt_other', '192.0.3.7'), null);
});

test('the Authorization header is accepted with and without Bearer', () => {
  assert.is(credentialOf('upt_secret'), 'upt_secret');
  assert.is(credentialOf('bearer  upt_secret '), 'upt_secret');
  assert.is(credentialOf('Bearer '), null);
  assert.is(credentialOf(undefined), null);
});

test.run();
