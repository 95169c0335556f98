import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashOfApiKey, prefixOfApiKey } from '../../../domain/organization/api-key.ts';
import {
  bootstrapOrganization,
  createApiKey,
  createOrganization,
  revokeApiKey,
  type FirstKey,
  type NewApiKey,
} from '../../../domain/organization/decide.ts';
import { Conflict, Invalid, NotFound } from '../../../domain/errors.ts';
import type { OrganizationEvent } from '../../../domain/organization/events.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { specification } from '../specification.ts';

const now = '2026-11-20T15:04:05.123000';
const later = '2026-12-01T00:00:00.000000';
const KEY = 'a-key-of-thirty-two-characters-!';

const created: OrganizationEvent = { type: 'OrganizationCreated', data: { organization_id: 'acme', name: 'Acme' } };

type Created = Extract<OrganizationEvent, { type: 'ApiKeyCreated' }>;
const keyCreated = (key: string, changes: Partial<Created['data']> = {}): Created => ({
  type: 'ApiKeyCreated',
  data: {
    organization_id: 'acme',
    api_key_id: `id of ${key}`,
    name: 'Admin',
    prefix: prefixOfApiKey(key),
    hash: hashOfApiKey(key),
    role: 'admin',
    expires_at: null,
    origin: 'request',
    ...changes,
  },
});
const keyRevoked = (key: string): OrganizationEvent => ({
  type: 'ApiKeyRevoked',
  data: { organization_id: 'acme', api_key_id: `id of ${key}`, hash: hashOfApiKey(key) },
});

const input = (changes: Partial<NewApiKey> = {}): NewApiKey => ({
  id: `id of ${KEY}`,
  key: KEY,
  name: 'Admin',
  role: 'admin',
  expiresAt: null,
  origin: 'request',
  ...changes,
});
const first = (key: string, origin: FirstKey['origin']) => ({
  id: 'acme',
  name: 'Acme',
  key: { id: `id of ${key}`, key, origin },
});

const organization = specification(organizationDecider);
const test = suite('an organization');

test('is created with a trimmed name', () => {
  organization
    .given()
    .when((state) => createOrganization(state, { id: 'acme', name: ' Acme ' }))
    .then(created);
});

test('is not created twice', () => {
  organization
    .given(created)
    .when((state) => createOrganization(state, { id: 'acme', name: 'Acme' }))
    .throws(Conflict);
});

test('needs a name of 1 to 100 characters', () => {
  for (const name of ['', '  ', 'a'.repeat(101)]) {
    organization
      .given()
      .when((state) => createOrganization(state, { id: 'acme', name }))
      .throws(Invalid, undefined, ({ errors }) => {
        assert.ok(errors.json?.name);
      });
  }
});

test('gets an API key of which only hash and first characters are kept', () => {
  organization
    .given(created)
    .when((state) => createApiKey(state, input({ role: 'viewer', expiresAt: later }), now))
    .then(keyCreated(KEY, { role: 'viewer', expires_at: later }));
  const state = organization.given(created).state();
  assert.not.match(JSON.stringify(createApiKey(state, input({ id: 'key' }), now)), KEY);
});

test('gets no key that has expired, and none that was made before', () => {
  organization
    .given(created)
    .when((state) => createApiKey(state, input({ expiresAt: now }), now))
    .throws(Invalid);
  organization
    .given(created, keyCreated('other'), keyCreated(KEY), keyRevoked(KEY))
    .when((state) => createApiKey(state, input(), now))
    .throws(Conflict);
});

test('gets no key of a role that there is none of, nor one that differs in case', () => {
  for (const role of ['owner', 'Admin', '', 'constructor']) {
    organization
      .given(created)
      .when((state) => createApiKey(state, input({ role }), now))
      .throws(Invalid, undefined, ({ errors }) => {
        assert.equal(errors.json?.role, [`There is no role "${role}". There are viewer, editor, admin, billing.`]);
      });
  }
});

test('may hold a key of a role that only a later release knows, and revokes it', () => {
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

test('that does not exist gets no key', () => {
  organization
    .given()
    .when((state) => createApiKey(state, input(), now))
    .throws(NotFound);
});

test('revokes a key once', () => {
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

test('keeps its last working admin key', () => {
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

test('is made with its admin key at the first start, and not again', () => {
  const made = keyCreated(KEY, { origin: 'first_start' });
  organization
    .given()
    .when((state) => bootstrapOrganization(state, first(KEY, 'first_start'), now))
    .then(created, made);
  organization
    .given(created, made)
    .when((state) => bootstrapOrganization(state, first('another', 'first_start'), now))
    .thenNothing();
});

test('takes ADMIN_API_KEY as it changes, and lets the former one go', () => {
  const generated = keyCreated('generated', { origin: 'first_start' });
  const former = keyCreated('former', { origin: 'environment' });
  organization
    .given(created, generated, former)
    .when((state) => bootstrapOrganization(state, first('former', 'environment'), now))
    .thenNothing();
  organization
    .given(created, generated, former)
    .when((state) => bootstrapOrganization(state, first(KEY, 'environment'), now))
    .then(keyCreated(KEY, { origin: 'environment' }), keyRevoked('former'));
});

test('does not take back an ADMIN_API_KEY that was revoked', () => {
  const keys = [created, keyCreated('one'), keyCreated(KEY, { origin: 'environment' }), keyRevoked(KEY)];
  organization
    .given(...keys)
    .when((state) => bootstrapOrganization(state, first(KEY, 'environment'), now))
    .thenNothing();
});

test('shows at most a quarter of a key as its prefix', () => {
  assert.is(prefixOfApiKey('upt_abcdefghijklmnopqrstuvwxyz012345'), 'upt_abcd');
  assert.is(prefixOfApiKey('0123456789ab'), '012');
  assert.is(prefixOfApiKey('abc'), '');
});

test.run();
