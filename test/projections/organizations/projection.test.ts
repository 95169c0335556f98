import { suite } from 'uvu';
import { hashOfApiKey } from '../../../domain/organization/api-key.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const hash = hashOfApiKey('the key');
const at = (second: number): string => `2026-11-20T15:00:0${second}.000000`;

const created: Fact = { type: 'OrganizationCreated', data: { organization_id: 'acme', name: 'Acme' } };
const keyCreated: Fact = {
  type: 'ApiKeyCreated',
  data: {
    organization_id: 'acme',
    api_key_id: 'key1',
    name: 'Deploys',
    prefix: 'upt_abcd',
    hash,
    role: 'editor',
    expires_at: '2027-01-01T00:00:00.000000',
    origin: 'request',
  },
};
const keyRevoked: Fact = { type: 'ApiKeyRevoked', data: { organization_id: 'acme', api_key_id: 'key1', hash } };

const limited: Fact = {
  type: 'OrganizationCreditLimitChanged',
  data: { organization_id: 'acme', changes: { credit_limit: 500 }, previous: { credit_limit: null } },
};

const test = suite('the read model of organizations');

test('holds organizations by id', async () => {
  await projection(organizations)
    .given(created)
    .then('organizations', { id: 'acme', name: 'Acme', credit_limit: null, created_at: at(0), updated_at: at(0) });
});

test('holds what an operator allows an organization to use in a month', async () => {
  await projection(organizations)
    .given(created, limited)
    .then('organizations', { id: 'acme', name: 'Acme', credit_limit: 500, created_at: at(0), updated_at: at(1) });
});

test('holds an API key by its hash, for as long as it is not revoked', async () => {
  await projection(organizations)
    .given(created, keyCreated)
    .then('api_keys', {
      id: hash,
      api_key_id: 'key1',
      organization_id: 'acme',
      name: 'Deploys',
      prefix: 'upt_abcd',
      role: 'editor',
      created_by: null,
      created_at: at(1),
      expires_at: '2027-01-01T00:00:00.000000',
    });
  await projection(organizations).given(created, keyCreated, keyRevoked).thenNone('api_keys');
});

test.run();
projectionRules(organizations, [created, keyCreated, limited, keyRevoked]);
