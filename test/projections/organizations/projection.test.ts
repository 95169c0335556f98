import { suite } from 'uvu';
import { hashOfApiKey } from '../../../domain/organization/api-key.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import type { Fact } from '../history.ts';
import * as facts from '../../domain/organization/examples.ts';
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
    created_by: null,
    created_by_key: null,
    allowed_ips: [],
  },
};
const keyRevoked: Fact = { type: 'ApiKeyRevoked', data: { organization_id: 'acme', api_key_id: 'key1', hash } };

const limited: Fact = {
  type: 'OrganizationCreditLimitChanged',
  data: { organization_id: 'acme', changes: { credit_limit: 500 }, previous: { credit_limit: null } },
};

const organization = {
  id: 'acme',
  name: 'Acme',
  auto_renew: false,
  invoice_details: { legal_name: null, tax_id: null, address: null, email: null },
  subscription_id: null,
  plan: null,
  subscribed_until: null,
  credit_limit: null,
  created_at: at(0),
  updated_at: at(0),
};

const test = suite('the read model of organizations');

test('organizations are stored by id', async () => {
  await projection(organizations).given(created).then('organizations', organization);
});

test('the monthly credit limit set by an operator is stored', async () => {
  await projection(organizations)
    .given(created, limited)
    .then('organizations', { ...organization, credit_limit: 500, updated_at: at(1) });
});

test('an API key is stored by its hash until it is revoked', async () => {
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
      created_by_key: null,
      allowed_ips: [],
      created_at: at(1),
      expires_at: '2027-01-01T00:00:00.000000',
    });
  await projection(organizations).given(created, keyCreated, keyRevoked).thenNone('api_keys');
});

test('changes that users make to their organization are stored', async () => {
  await projection(organizations)
    .given(created, facts.updated)
    .then('organizations', { ...organization, name: 'Acme Ltd', auto_renew: true, updated_at: at(1) });
});

test('the plan of the subscription in effect is stored until its end, and so is every subscription', async () => {
  const subscribed = { subscription_id: 'subscription', plan: facts.TEAM_PLAN };
  await projection(organizations)
    .given(created, facts.subscribed, facts.extended)
    .then('organizations', { ...organization, ...subscribed, subscribed_until: '2027-01-19T15:00:00.000000' });
  const ended = projection(organizations).given(created, facts.subscribed, facts.extended, facts.subscriptionEnded);
  await ended.then('organizations', organization);
  await ended.then('subscriptions', {
    id: 'subscription',
    organization_id: 'acme',
    plan: facts.TEAM_PLAN,
    start_date: '2026-11-20T15:00:00.000000',
    end_date: '2027-01-19T15:00:00.000000',
    ended_at: '2027-01-19T15:00:00.000000',
    created_at: at(1),
  });
});

test('users are stored without credentials, and removed users stay stored', async () => {
  const ann = {
    id: facts.ANN,
    organization_id: 'acme',
    email: facts.sealedOf('ann@example.com'),
    email_key: 'key of ann@example.com',
    email_verified: false,
    first_name: null,
    last_name: null,
    role: 'editor',
    status: 'invited',
    has_second_factor: false,
    sign_ins: 0,
    last_login: null,
    created_at: at(1),
    updated_at: at(1),
  } as const;
  await projection(organizations).given(created, facts.invited()).then('users', ann);
  const joined = {
    ...ann,
    email_verified: true,
    first_name: facts.sealedOf('Ann'),
    last_name: facts.sealedOf('Lee'),
    status: 'active',
    updated_at: at(2),
  } as const;
  await projection(organizations)
    .given(created, facts.invited(), facts.joined(), facts.sessionStarted)
    .then('users', { ...joined, sign_ins: 1, last_login: at(3) });
  await projection(organizations)
    .given(created, facts.invited(), facts.joined(), facts.secondFactorEnabled)
    .then('users', { ...joined, has_second_factor: true, updated_at: at(3) });
  await projection(organizations)
    .given(created, facts.invited(), facts.joined(), facts.secondFactorEnabled, facts.userRemoved)
    .then('users', { ...joined, status: 'disabled', updated_at: at(4) });
});

test.run();
projectionRules(organizations, [
  created,
  keyCreated,
  limited,
  ...facts.USER_EVENTS,
  facts.subscribed,
  facts.extended,
  facts.updated,
  facts.subscriptionEnded,
  keyRevoked,
]);
