import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { intervalLimitError, planLimitError, limitsOf } from '../../../domain/organization/limits.ts';
import { SELF_HOSTED } from '../../../domain/organization/plans.ts';
import { TEAM_PLAN } from './examples.ts';

test('an organization has the plan of its subscription, or the default plan if it has no subscription', () => {
  const none = limitsOf({ subscription: null, creditLimit: null }, SELF_HOSTED);
  assert.is(none.plan.id, 'self-hosted');
  assert.is(none.limits.checks, null);
  const bought = limitsOf({ subscription: { plan: TEAM_PLAN }, creditLimit: null }, SELF_HOSTED);
  assert.equal(bought, { plan: TEAM_PLAN, limits: TEAM_PLAN.limits });
});

test('a credit limit set by the operator replaces the credit limit of the plan, but no other limit', () => {
  for (const creditLimit of [0, 5]) {
    const { limits } = limitsOf({ subscription: { plan: TEAM_PLAN }, creditLimit }, SELF_HOSTED);
    assert.equal(limits, { ...TEAM_PLAN.limits, credits: creditLimit });
  }
});

test('the error for an exceeded limit names the plan and the limit', () => {
  assert.is(
    planLimitError(TEAM_PLAN, 'checks', 50).message,
    'The plan "Team" allows 50 checks, and the organization already has that many.',
  );
  assert.is(
    planLimitError(TEAM_PLAN, 'pages', 1).message,
    'The plan "Team" allows 1 page, and the organization already has that many.',
  );
  assert.is(planLimitError(TEAM_PLAN, 'users', 0).message, 'The plan "Team" allows no users.');
  assert.is(intervalLimitError(TEAM_PLAN, 60).message, 'The plan "Team" allows intervals of 60 seconds or more.');
});

test.run();
