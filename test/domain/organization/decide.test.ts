import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bootstrapOrganization, createOrganization, type FirstKey } from '../../../domain/organization/decide.ts';
import { Conflict, Invalid } from '../../../domain/errors.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { specification } from '../specification.ts';
import { keyCreated, keyRevoked, organizationCreated as created } from './examples.ts';

const now = '2026-11-20T15:04:05.123000';
const KEY = 'a-key-of-thirty-two-characters-!';

const first = (key: string, origin: FirstKey['origin']) => ({
  id: 'acme',
  name: 'Acme',
  key: { id: `id of ${key}`, key, origin },
});

const organization = specification(organizationDecider);
const test = suite('an organization');

test('an organization is created with a trimmed name', () => {
  organization
    .given()
    .when((state) => createOrganization(state, { id: 'acme', name: ' Acme ' }))
    .then(created);
});

test('an organization is not created twice', () => {
  organization
    .given(created)
    .when((state) => createOrganization(state, { id: 'acme', name: 'Acme' }))
    .throws(Conflict);
});

test('the name of an organization has 1 to 100 characters', () => {
  for (const name of ['', '  ', 'a'.repeat(101)]) {
    organization
      .given()
      .when((state) => createOrganization(state, { id: 'acme', name }))
      .throws(Invalid, undefined, ({ errors }) => {
        assert.ok(errors.json?.name);
      });
  }
});

test('an organization with an admin API key is created only at the first start', () => {
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

test('a changed ADMIN_API_KEY replaces the previous one', () => {
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

test('a revoked ADMIN_API_KEY does not become valid again', () => {
  const keys = [created, keyCreated('one'), keyCreated(KEY, { origin: 'environment' }), keyRevoked(KEY)];
  organization
    .given(...keys)
    .when((state) => bootstrapOrganization(state, first(KEY, 'environment'), now))
    .thenNothing();
});

test.run();
