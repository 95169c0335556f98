import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CREDIT_LIMIT_EXCEEDED } from '../../../domain/credits/credits.ts';
import { NotFound } from '../../../domain/errors.ts';
import { readCreditsUsed, readEntitlements, createSuspensionReader } from '../../../queries/organizations/credits.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import { findOrganization, listApiKeys, organizationDetails } from '../../../queries/organizations/organizations.ts';
import { CHECK, checkCreated } from '../../domain/check/examples.ts';
import { subscribed, TEAM_PLAN } from '../../domain/organization/examples.ts';
import { ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { ORGANIZATION, OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of organizations and their credits');

const created: Fact = { type: 'OrganizationCreated', data: { organization_id: ORGANIZATION, name: 'Acme' } };
const other: Fact = { type: 'OrganizationCreated', data: { organization_id: OTHER_ORGANIZATION, name: 'Other' } };
const limited = (credit_limit: number): Fact => ({
  type: 'OrganizationCreditLimitChanged',
  data: { organization_id: ORGANIZATION, changes: { credit_limit }, previous: { credit_limit: null } },
});
const inOrganization = (organization_id: string) => ({ data: { ...subscribed.data, organization_id } });
const cost = (credits: number, recorded_at: string, fields: Parameters<typeof ranOk>[0] = {}): Fact => {
  const id = `${recorded_at} ${fields.organization_id ?? ''}`;
  return {
    ...ranOk({ result_id: `result ${id}`, run_id: `run ${id}`, credits, ...fields }),
    metadata: { recorded_at },
  };
};

/** Runs that cost 5 credits within November, 40 in the months around it, and 70 in another organization. */
const COSTS = [
  cost(10, '2026-10-31T23:59:59.999999'),
  cost(2, '2026-11-01T00:00:00.000000'),
  cost(3, '2026-11-20T15:00:00.000000'),
  cost(30, '2026-12-01T00:00:00.000000'),
  cost(70, '2026-11-20T15:00:00.000000', { organization_id: OTHER_ORGANIZATION }),
];

test('an organization can read only itself', async () => {
  const scope = scopeOf([created, other]);
  assert.is((await findOrganization(scope, ORGANIZATION)).name, 'Acme');
  await rejects(findOrganization(scope, OTHER_ORGANIZATION), NotFound, 'There is no such organization.');
});

test('the used credits are those of the current UTC month', async () => {
  const scope = scopeOf(COSTS);
  assert.is(await readCreditsUsed(scope), 5);
  assert.is(await readCreditsUsed({ ...scope, now: '2026-10-31T23:59:59.999999' }), 10);
  assert.is(await readCreditsUsed({ ...scope, organizationId: OTHER_ORGANIZATION }), 70);
});

test('an organization shows its credit balance', async () => {
  const { credits } = await organizationDetails(scopeOf([created, limited(100), ...COSTS]), ORGANIZATION, {
    billing: true,
  });
  assert.equal(credits, {
    limit: 100,
    used: 5,
    period_start: '2026-11-01T00:00:00.000000',
    period_end: '2026-12-01T00:00:00.000000',
  });
});

test("the limits of organizations follow from their plans and the operator's settings", async () => {
  const entitlements = await readEntitlements(
    scopeOf([created, other, limited(0), { ...subscribed, ...inOrganization(OTHER_ORGANIZATION) }]),
  );
  assert.equal(Object.fromEntries(entitlements), {
    [ORGANIZATION]: { subscription: null, creditLimit: 0 },
    [OTHER_ORGANIZATION]: { subscription: { plan: TEAM_PLAN }, creditLimit: null },
  });
});

test('checks are suspended if there are no credits left, and the balance is read once for all checks', async () => {
  const reasonOf = async (limit: number): Promise<string | null> => {
    const scope = scopeOf([created, limited(limit), checkCreated(), ...COSTS]);
    const check = await findCheck(scope, CHECK);
    const suspended = createSuspensionReader(scope);
    const reason = await suspended(check);
    assert.is(await suspended(check), reason);
    assert.equal(scope.reads, ['checks.get', 'organizations.get', 'credit_days.getMany']);
    return reason;
  };
  assert.is(await reasonOf(5), CREDIT_LIMIT_EXCEEDED);
  assert.is(await reasonOf(6), null);
});

test('the credit balance is not read if no check is active', async () => {
  const scope = scopeOf([created, limited(0), checkCreated({ active: false })]);
  const check = await findCheck(scope, CHECK);
  assert.is(await createSuspensionReader(scope)(check), null);
  assert.equal(scope.reads, ['checks.get']);
});

test('the API keys of an organization are listed oldest first, without revoked ones', async () => {
  const keyOf = (id: string, organization_id = ORGANIZATION): Fact => ({
    type: 'ApiKeyCreated',
    data: {
      organization_id,
      api_key_id: id,
      name: id,
      prefix: 'upt_12345678',
      hash: Buffer.from(id.padEnd(32)).toString('hex'),
      role: 'viewer',
      expires_at: null,
      origin: 'request',
      created_by: null,
      created_by_key: null,
      allowed_ips: [],
    },
  });
  const revoked: Fact = {
    type: 'ApiKeyRevoked',
    data: { organization_id: ORGANIZATION, api_key_id: 'gone', hash: Buffer.from('gone'.padEnd(32)).toString('hex') },
  };
  const facts = [created, keyOf('second'), keyOf('gone'), keyOf('first'), keyOf('theirs', OTHER_ORGANIZATION), revoked];
  const keys = await listApiKeys(scopeOf(facts));
  assert.equal(
    keys.map(({ api_key_id }) => api_key_id),
    ['second', 'first'],
  );
});

test.run();
