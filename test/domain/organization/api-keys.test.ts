import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict, Forbidden, Invalid, NotFound } from '../../../domain/errors.ts';
import { prefixOfApiKey } from '../../../domain/organization/api-key.ts';
import {
  createApiKey,
  MAX_API_KEYS,
  MAX_API_KEYS_PER_USER,
  revokeApiKey,
  type KeyCreator,
  type NewApiKey,
} from '../../../domain/organization/api-keys.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { specification } from '../specification.ts';
import {
  ANN,
  invited,
  joined,
  keyCreated,
  keyRevoked,
  organizationCreated as created,
  promoted,
  userRemoved,
} from './examples.ts';

const now = '2026-11-20T15:04:05.123000';
const later = '2026-12-01T00:00:00.000000';
const KEY = 'a-key-of-thirty-two-characters-!';

const input = (changes: Partial<NewApiKey> = {}): NewApiKey => ({
  id: `id of ${KEY}`,
  key: KEY,
  name: 'Admin',
  role: 'admin',
  expiresAt: null,
  origin: 'request',
  allowedIps: [],
  maker: null,
  ...changes,
});

/** Returns the input for an API key without any optional field. */
const inputFor = (maker: KeyCreator, changes: Partial<NewApiKey> = {}): NewApiKey =>
  input({ role: null, maker, ...changes });
const byAnn: KeyCreator = { userId: ANN, keyId: null };
const byKey = (key: string, userId: string | null = null): KeyCreator => ({ userId, keyId: `id of ${key}` });
const ann = (role: string) => [invited({ role }), joined()];
const GONE = 'The owner of this key no longer has access.';

type Created = ReturnType<typeof keyCreated>;

const organization = specification(organizationDecider);
const test = suite('an organization');

test('an API key is stored as its hash and first characters', () => {
  organization
    .given(created)
    .when((state) => createApiKey(state, input({ role: 'viewer', expiresAt: later }), now))
    .then(keyCreated(KEY, { role: 'viewer', expires_at: later }));
  const state = organization.given(created).state();
  assert.not.match(JSON.stringify(createApiKey(state, input({ id: 'key' }), now)), KEY);
});

test("an API key can't be created expired or twice", () => {
  organization
    .given(created)
    .when((state) => createApiKey(state, input({ expiresAt: now }), now))
    .throws(Invalid);
  organization
    .given(created, keyCreated('other'), keyCreated(KEY), keyRevoked(KEY))
    .when((state) => createApiKey(state, input(), now))
    .throws(Conflict);
});

test('an API key accepts only an existing role in exact case', () => {
  for (const role of ['owner', 'Admin', '', 'constructor']) {
    organization
      .given(created)
      .when((state) => createApiKey(state, input({ role }), now))
      .throws(Invalid, undefined, ({ errors }) => {
        assert.equal(errors.json?.role, [`There is no role "${role}". The roles are viewer, editor, admin, billing.`]);
      });
  }
});

test('an API key with an unknown role of a later release is accepted in the log and can be revoked', () => {
  const later = keyCreated('later', { role: 'auditor' });
  organization
    .given(created, keyCreated('one'), later)
    .when((state) => revokeApiKey(state, 'id of later', now))
    .then(keyRevoked('later'));
  organization
    .given(created, keyCreated('one'), later)
    .when((state) => revokeApiKey(state, 'id of one', now))
    .throws(Conflict);
});

test('an API key needs an existing organization', () => {
  organization
    .given()
    .when((state) => createApiKey(state, input(), now))
    .throws(NotFound);
});

test('an API key is revoked once', () => {
  const keys = [created, keyCreated('one'), keyCreated('two')];
  organization
    .given(...keys)
    .when((state) => revokeApiKey(state, 'id of one', now))
    .then(keyRevoked('one'));
  organization
    .given(...keys, keyRevoked('one'))
    .when((state) => revokeApiKey(state, 'id of one', now))
    .throws(NotFound);
});

test("the last working admin API key of an organization can't be revoked", () => {
  const expired = keyCreated('old', { expires_at: now });
  const viewer = keyCreated('viewer', { role: 'viewer' });
  const keys = [created, keyCreated('one'), expired, viewer];
  organization
    .given(...keys)
    .when((state) => revokeApiKey(state, 'id of one', now))
    .throws(Conflict, 'This is the last admin key of the organization. Create another one first.');
  organization
    .given(...keys)
    .when((state) => revokeApiKey(state, 'id of old', now))
    .then(keyRevoked('old'));
  organization
    .given(...keys)
    .when((state) => revokeApiKey(state, 'id of viewer', now))
    .then(keyRevoked('viewer'));
});

test('the prefix of an API key shows at most a quarter of the key', () => {
  assert.is(prefixOfApiKey('upt_abcdefghijklmnopqrstuvwxyz012345'), 'upt_abcd');
  assert.is(prefixOfApiKey('0123456789ab'), '012');
  assert.is(prefixOfApiKey('abc'), '');
});

test('an API key of a user has the role of the user by default', () => {
  for (const role of ['viewer', 'editor', 'admin', 'billing']) {
    organization
      .given(created, ...ann(role))
      .when((state) => createApiKey(state, inputFor(byAnn), now))
      .then(keyCreated(KEY, { role, created_by: ANN }));
  }
  organization
    .given(created, ...ann('admin'))
    .when((state) => createApiKey(state, inputFor(byAnn, { role: 'billing' }), now))
    .then(keyCreated(KEY, { role: 'billing', created_by: ANN }));
});

test("an API key can't have more permissions than its creator", () => {
  for (const [own, role] of [
    ['viewer', 'editor'],
    ['viewer', 'billing'],
    ['editor', 'billing'],
    ['billing', 'editor'],
    ['editor', 'admin'],
    ['billing', 'admin'],
  ] as const) {
    const sentence =
      `The role "${role}" in the field role exceeds your role, ${own}. A key can't have more permissions than ` +
      'its creator.';
    organization
      .given(created, ...ann(own))
      .when((state) => createApiKey(state, inputFor(byAnn, { role }), now))
      .throws(Forbidden, sentence);
    organization
      .given(created, keyCreated('parent', { role: own }))
      .when((state) => createApiKey(state, inputFor(byKey('parent'), { role }), now))
      .throws(Forbidden, sentence);
  }
});

test('an API key of a user has the lower of two roles: its own role and the present role of the user', () => {
  const hers = keyCreated('hers', { role: 'admin', created_by: ANN });
  organization
    .given(created, ...ann('viewer'), hers)
    .when((state) => createApiKey(state, inputFor(byKey('hers', ANN)), now))
    .then(keyCreated(KEY, { role: 'viewer', created_by: ANN, created_by_key: 'id of hers' }));
  organization
    .given(created, ...ann('viewer'), hers)
    .when((state) => createApiKey(state, inputFor(byKey('hers', ANN), { role: 'editor' }), now))
    .throws(Forbidden);
});

test("users with an unknown role of a later release can't create API keys", () => {
  const auditor = keyCreated('auditor', { role: 'auditor' });
  for (const role of [null, 'viewer', 'auditor']) {
    organization
      .given(created, auditor)
      .when((state) => createApiKey(state, inputFor(byKey('auditor'), { role }), now))
      .throws(role === 'viewer' ? Forbidden : Invalid);
  }
});

test('an API key created by another key can neither outlive that key nor allow more addresses', () => {
  const bounds = { expires_at: later, allowed_ips: ['192.0.2.0/24', '2001:db8::/32'] };
  const given = [created, keyCreated('parent', bounds)];
  const by = byKey('parent');
  const heir = { ...bounds, created_by_key: 'id of parent' };
  organization
    .given(...given)
    .when((state) => createApiKey(state, inputFor(by), now))
    .then(keyCreated(KEY, heir));
  organization
    .given(...given)
    .when((state) => createApiKey(state, inputFor(by, { expiresAt: later, allowedIps: ['192.0.2.128/25'] }), now))
    .then(keyCreated(KEY, { ...heir, allowed_ips: ['192.0.2.128/25'] }));
  organization
    .given(...given)
    .when((state) => createApiKey(state, inputFor(by, { expiresAt: '2026-12-01T00:00:00.000001' }), now))
    .throws(Invalid, undefined, ({ errors }) => {
      assert.equal(Object.keys(errors.json ?? {}), ['expires_at']);
    });
  const allowedIps = ['192.0.2.7', '192.0.0.0/16', '::/0', '0.0.0.0/0', '::ffff:192.0.2.7', '198.51.100.1'];
  organization
    .given(...given)
    .when((state) => createApiKey(state, inputFor(by, { allowedIps }), now))
    .throws(Invalid, undefined, ({ errors }) => {
      assert.equal(
        Object.keys(errors.json ?? {}),
        [1, 2, 3, 5].map((index) => `allowed_ips.${index}`),
      );
    });
});

test("users who have lost access can't create API keys", () => {
  const hers = keyCreated('hers', { created_by: ANN });
  for (const [given, maker] of [
    [[invited()], byAnn],
    [[...ann('admin'), userRemoved], byAnn],
    [[...ann('admin'), hers, userRemoved], byKey('hers', ANN)],
    [[keyCreated('revoked'), keyRevoked('revoked')], byKey('revoked')],
    [[keyCreated('expired', { expires_at: now })], byKey('expired')],
    [[], byKey('unknown')],
    [[], { userId: null, keyId: null }],
  ] as const) {
    organization
      .given(created, ...given)
      .when((state) => createApiKey(state, inputFor(maker, { role: 'viewer' }), now))
      .throws(Forbidden, GONE);
  }
});

test('the addresses of an API key are stored as written without duplicates, and invalid addresses are refused', () => {
  organization
    .given(created)
    .when((state) => createApiKey(state, input({ allowedIps: [' 10.0.0.0/8', '::1 ', '10.0.0.0/8'] }), now))
    .then(keyCreated(KEY, { allowed_ips: ['10.0.0.0/8', '::1'] }));
  const allowedIps = ['10.0.0.1', '', '10.1', 'fe80::1%eth0', '10.0.0.0/33', '0x7f.0.0.1', '10.0.0.1,10.0.0.2'];
  organization
    .given(created)
    .when((state) => createApiKey(state, input({ allowedIps }), now))
    .throws(Invalid, undefined, ({ errors }) => {
      assert.equal(
        Object.keys(errors.json ?? {}),
        [1, 2, 3, 4, 5, 6].map((index) => `allowed_ips.${index}`),
      );
    });
});

test('an organization has at most a thousand working API keys, not counting those of the environment', () => {
  const keys = Array.from({ length: MAX_API_KEYS - 1 }, (_, index) => keyCreated(index.toString()));
  organization
    .given(created, ...keys, keyCreated('last'))
    .when((state) => createApiKey(state, input(), now))
    .throws(Forbidden);
  organization
    .given(created, ...keys, keyCreated('last'))
    .when((state) => createApiKey(state, input({ origin: 'environment' }), now))
    .then(keyCreated(KEY, { origin: 'environment' }));
  organization
    .given(created, ...keys, keyCreated('last'), keyRevoked('last'))
    .when((state) => createApiKey(state, input(), now))
    .then(keyCreated(KEY));
});

test('an organization with the maximum number of API keys revokes the key that expired first to make room for a new one', () => {
  const [first, second] = ['2026-11-20T15:04:05.122000', now].map((expires_at) =>
    keyCreated(expires_at, { expires_at }),
  );
  const keys = Array.from({ length: MAX_API_KEYS - 2 }, (_, index) => keyCreated(index.toString()));
  organization
    .given(created, second as Created, ...keys, first as Created)
    .when((state) => createApiKey(state, input(), now))
    .then(keyCreated(KEY), keyRevoked('2026-11-20T15:04:05.122000'));
  organization
    .given(created, second as Created, ...keys)
    .when((state) => createApiKey(state, input(), now))
    .then(keyCreated(KEY));
});

test('a user has at most a hundred API keys, so that no user exhausts the limit of the organization', () => {
  const hers = Array.from({ length: MAX_API_KEYS_PER_USER - 1 }, (_, index) =>
    keyCreated(index.toString(), { role: 'viewer', created_by: ANN }),
  );
  const last = keyCreated('last', { role: 'viewer', created_by: ANN, expires_at: later });
  const given = [created, ...ann('viewer'), ...hers, last];
  for (const maker of [byAnn, byKey('0', ANN)]) {
    organization
      .given(...given)
      .when((state) => createApiKey(state, inputFor(maker), now))
      .throws(Forbidden, 'A user can have at most 100 API keys. Delete unused ones.');
  }
  organization
    .given(...given)
    .when((state) => createApiKey(state, inputFor(byAnn), later))
    .then(keyCreated(KEY, { role: 'viewer', created_by: ANN }), keyRevoked('last'));
  organization
    .given(...given)
    .when((state) => createApiKey(state, input(), now))
    .then(keyCreated(KEY));
});

test('an organization keeps one admin user, or an admin API key without expiry or address limits', () => {
  const LAST = 'This is the last admin key of the organization. Create another one first.';
  const one = keyCreated('one');
  const bound = { allowed_ips: ['192.0.2.1'] };
  for (const other of [
    [],
    [keyCreated('soon', { expires_at: later })],
    [keyCreated('bound', bound)],
    [keyCreated('of a viewer', { created_by: ANN }), ...ann('viewer')],
    [invited({ role: 'admin' })],
    [...ann('admin'), userRemoved],
  ]) {
    organization
      .given(created, one, ...other)
      .when((state) => revokeApiKey(state, 'id of one', now))
      .throws(Conflict, LAST);
  }
  for (const other of [[keyCreated('two')], ann('admin'), [...ann('editor'), promoted]]) {
    organization
      .given(created, one, ...other)
      .when((state) => revokeApiKey(state, 'id of one', now))
      .then(keyRevoked('one'));
  }
  organization
    .given(
      created,
      keyCreated('one', { ...bound, expires_at: later }),
      keyCreated('two', { ...bound, expires_at: later }),
    )
    .when((state) => revokeApiKey(state, 'id of one', now))
    .then(keyRevoked('one'));
});

test.run();
