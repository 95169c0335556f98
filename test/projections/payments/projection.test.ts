import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { payments } from '../../../projections/payments/projection.ts';
import { ordered, PAYMENT_ID, SELLER, TEAM } from '../../payments.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const ACME = 'acme';
const LATER = '2026-11-21T09:00:00.000000';
const END = '2026-12-21T09:00:00.000000';
const WEEK_BEFORE = '2026-12-14T09:00:00.000000';
const ids = { payment_id: PAYMENT_ID, organization_id: ACME };
const subscription = { organization_id: ACME, subscription_id: 'one' };

const invoiced: Fact = {
  type: 'PaymentInvoiced',
  data: { ...ids, invoice_number: '2026-000001', invoiced_at: LATER, seller: SELLER },
};
const paid: Fact = { type: 'PaymentSucceeded', data: { ...ids, paid_at: LATER } };
const canceled: Fact = { type: 'PaymentCanceled', data: { ...ids, canceled_at: LATER } };
const renewing = (auto_renew: boolean): Fact => ({
  type: 'OrganizationUpdated',
  data: { organization_id: ACME, changes: { auto_renew }, previous: { auto_renew: !auto_renew } },
});
const started: Fact = {
  type: 'SubscriptionStarted',
  data: { ...subscription, plan: TEAM, start_date: LATER, end_date: END, payment_id: PAYMENT_ID },
};
const extended: Fact = {
  type: 'SubscriptionExtended',
  data: {
    ...subscription,
    end_date: '2027-01-20T09:00:00.000000',
    previous: { end_date: END },
    payment_id: 'payment00002',
  },
};
const ended = (ended_at: string): Fact => ({ type: 'SubscriptionEnded', data: { ...subscription, ended_at } });
const notRenewed: Fact = {
  type: 'SubscriptionNotRenewed',
  data: { ...subscription, plan_name: 'Team', end_date: END },
};
const renewal: Fact = ordered({
  payment_id: 'payment00002',
  renewal: { subscription_id: 'one', end_date: END },
});

projectionRules(payments, [
  ordered(),
  renewing(true),
  invoiced,
  paid,
  started,
  renewal,
  extended,
  notRenewed,
  ended(END),
  canceled,
]);

const test = suite('the read model of payments');

test('a new payment is listed until it has an invoice, and then a notice of the invoice is listed', async () => {
  const before = projection(payments).given(ordered());
  assert.is((await before.document('payment_beginnings', PAYMENT_ID))?.due_at, ordered().data.created_at);
  await before.thenNone('payment_notices');
  const after = projection(payments).given(ordered(), invoiced);
  await after.thenNone('payment_beginnings');
  assert.is((await after.document('payments', PAYMENT_ID))?.invoice?.number, '2026-000001');
  assert.is((await after.document('payment_notices', PAYMENT_ID))?.priority, 'account');
});

test('the invoice of a canceled payment has no notice', async () => {
  await projection(payments).given(ordered(), canceled, invoiced).thenNone('payment_notices');
  await projection(payments).given(ordered(), invoiced, canceled).thenNone('payment_notices');
});

test('a settled payment is listed until its subscription starts', async () => {
  assert.ok(await projection(payments).given(ordered(), paid).document('paid_plans', PAYMENT_ID));
  await projection(payments).given(ordered(), paid, started).thenNone('paid_plans');
});

test('the end of a subscription is listed, and moves to a later time when the subscription is extended', async () => {
  const due = async (...facts: Fact[]) =>
    (
      await projection(payments)
        .given(...facts)
        .document('subscription_ends', ACME)
    )?.due_at;
  assert.is(await due(started), END);
  assert.is(await due(started, extended), '2027-01-20T09:00:00.000000');
  assert.is(await due(started, ended(END)), undefined);
});

test('the renewal of a subscription is listed while its organization has automatic renewal', async () => {
  const due = async (...facts: Fact[]) =>
    (
      await projection(payments)
        .given(...facts)
        .document('renewals', ACME)
    )?.due_at;
  assert.is(await due(started), undefined);
  assert.is(await due(started, renewing(true)), WEEK_BEFORE);
  assert.is(await due(renewing(true), started), WEEK_BEFORE);
  assert.is(await due(renewing(true), started, renewing(false)), undefined);
  assert.is(await due(renewing(true), started, renewal), undefined);
  assert.is(await due(renewing(true), started, renewal, renewing(false), renewing(true)), undefined);
  assert.is(await due(renewing(true), started, renewal, extended), '2027-01-13T09:00:00.000000');
  assert.is(await due(renewing(true), started, notRenewed), undefined);
});

test('a renewal missed during downtime is still listed, and the renewal of a subscription that ended early is not', async () => {
  const due = async (...facts: Fact[]) =>
    (
      await projection(payments)
        .given(...facts)
        .document('renewals', ACME)
    )?.due_at;
  assert.is(await due(renewing(true), started, ended(END)), WEEK_BEFORE);
  assert.is(await due(renewing(true), started, ended(END), renewal), undefined);
  assert.is(await due(renewing(true), started, ended('2026-12-01T00:00:00.000000')), undefined);
  // No renewal is due for a subscription that has ended.
  assert.is(await due(started, ended(END), renewing(true)), undefined);
});

test.run();
