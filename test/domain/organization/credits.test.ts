import { suite } from 'uvu';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { changeCreditLimit, reachCreditLimit, type CreditUsage } from '../../../domain/organization/credits.ts';
import type { OrganizationEvent } from '../../../domain/organization/events.ts';
import { SELF_HOSTED } from '../../../domain/organization/plans.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { specification } from '../specification.ts';

const NOVEMBER = '2026-11-01T00:00:00.000000';
const DECEMBER = '2026-12-01T00:00:00.000000';

const created: OrganizationEvent = { type: 'OrganizationCreated', data: { organization_id: 'acme', name: 'Acme' } };
const changed = (from: number | null, to: number | null): OrganizationEvent => ({
  type: 'OrganizationCreditLimitChanged',
  data: { organization_id: 'acme', changes: { credit_limit: to }, previous: { credit_limit: from } },
});
const reached = (credit_limit: number, used: number, period_start = NOVEMBER): OrganizationEvent => ({
  type: 'CreditLimitReached',
  data: { organization_id: 'acme', period_start, credit_limit, used },
});
const used = (credits: number, period_start = NOVEMBER): CreditUsage => ({ period_start, used: credits });

const organization = specification(organizationDecider);
const test = suite('the credit limit of an organization');

test('a credit limit is unset by default, and an operator can set, change and remove it', () => {
  organization
    .given(created)
    .when((it) => changeCreditLimit(it, 500, used(10), SELF_HOSTED))
    .then(changed(null, 500));
  organization
    .given(created, changed(null, 500))
    .when((it) => changeCreditLimit(it, null, used(10), SELF_HOSTED))
    .then(changed(500, null));
});

test('an unchanged credit limit records no event', () => {
  organization
    .given(created, changed(null, 500))
    .when((it) => changeCreditLimit(it, 500, used(700), SELF_HOSTED))
    .thenNothing();
  organization
    .given(created)
    .when((it) => changeCreditLimit(it, null, used(700), SELF_HOSTED))
    .thenNothing();
});

test('a credit limit is an integer of 0 or more', () => {
  for (const limit of [-1, 1.5, Number.NaN, Infinity, 2 ** 60])
    organization
      .given(created)
      .when((it) => changeCreditLimit(it, limit, used(0), SELF_HOSTED))
      .throws(Invalid);
  organization
    .given(created)
    .when((it) => changeCreditLimit(it, 0, used(0), SELF_HOSTED))
    .then(changed(null, 0), reached(0, 0));
});

test("the credit limit of a nonexistent organization can't be set", () => {
  organization
    .given()
    .when((it) => changeCreditLimit(it, 500, used(0), SELF_HOSTED))
    .throws(NotFound);
});

test('reaching a credit limit is recorded once a month', () => {
  const limited = organization.given(created, changed(null, 500));
  limited.when((it) => reachCreditLimit(it, used(499), SELF_HOSTED)).thenNothing();
  limited.when((it) => reachCreditLimit(it, used(500), SELF_HOSTED)).then(reached(500, 500));
  const full = organization.given(created, changed(null, 500), reached(500, 500));
  full.when((it) => reachCreditLimit(it, used(501), SELF_HOSTED)).thenNothing();
  full.when((it) => reachCreditLimit(it, used(20, DECEMBER), SELF_HOSTED)).thenNothing();
  full.when((it) => reachCreditLimit(it, used(500, DECEMBER), SELF_HOSTED)).then(reached(500, 500, DECEMBER));
});

test('an unset credit limit is never reached', () => {
  organization
    .given(created)
    .when((it) => reachCreditLimit(it, used(1_000_000), SELF_HOSTED))
    .thenNothing();
});

test('a raised credit limit can be reached again, and a credit limit lowered below the usage is reached immediately', () => {
  const full = organization.given(created, changed(null, 500), reached(500, 500));
  full.when((it) => changeCreditLimit(it, 600, used(500), SELF_HOSTED)).then(changed(500, 600));
  full.when((it) => changeCreditLimit(it, 400, used(500), SELF_HOSTED)).then(changed(500, 400), reached(400, 500));
  organization
    .given(created, changed(null, 500), reached(500, 500), changed(500, 600))
    .when((it) => reachCreditLimit(it, used(600), SELF_HOSTED))
    .then(reached(600, 600));
});

test.run();
