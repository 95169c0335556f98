import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import {
  abandonPayment,
  cancelPayment,
  PaymentClaimLost,
  invoicePayment,
  orderPayment,
  settlePayment,
} from '../../../domain/payment/decide.ts';
import type { PaymentEvent } from '../../../domain/payment/events.ts';
import { paymentDecider } from '../../../domain/payment/state.ts';
import { monthsOf, paymentTermsOf } from '../../../domain/payment/terms.ts';
import { CUSTOMER, FREE, forTeam, ordered, PAYMENT_ID, SELLER, TEAM, WEEK, YEN } from '../../payments.ts';
import { specification } from '../specification.ts';

const LATER = '2026-11-21T09:00:00.000000';
const payment = specification(paymentDecider);
const test = suite('a payment');

const ids = { payment_id: PAYMENT_ID, organization_id: 'acme' };
const invoiced: PaymentEvent = {
  type: 'PaymentInvoiced',
  data: { ...ids, invoice_number: '2026-000001', invoiced_at: LATER, seller: SELLER },
};
const paid: PaymentEvent = { type: 'PaymentSucceeded', data: { ...ids, paid_at: LATER } };
const canceled: PaymentEvent = { type: 'PaymentCanceled', data: { ...ids, canceled_at: LATER } };
const abandoned: PaymentEvent = { type: 'PaymentAbandoned', data: { ...ids, claim: 1 } };
const order = {
  id: PAYMENT_ID,
  organizationId: 'acme',
  payment: forTeam(),
  customer: CUSTOMER,
  renewal: null,
  claim: 1,
};

test('an ordered payment is pending', () => {
  payment
    .given()
    .when((state) => orderPayment(state, order, ordered().data.created_at))
    .then(ordered());
});

test("a payment can't be ordered with a claim that another payment has closed", () => {
  payment
    .given(abandoned)
    .when((state) => orderPayment(state, order, LATER))
    .throws(PaymentClaimLost);
  payment
    .given()
    .when((state) => abandonPayment(state, order, 1))
    .then(abandoned);
  payment
    .given(ordered())
    .when((state) => abandonPayment(state, order, 1))
    .thenNothing();
});

test('a payment in any status is invoiced once, and keeps its invoice number', () => {
  const invoice = { number: '2026-000001', seller: SELLER };
  for (const before of [[ordered()], [ordered(), canceled], [ordered(), paid]]) {
    payment
      .given(...before)
      .when((state) => invoicePayment(state, invoice, LATER))
      .then(invoiced);
  }
  payment
    .given(ordered(), invoiced)
    .when((state) => invoicePayment(state, { ...invoice, number: '2026-000002' }, LATER))
    .thenNothing();
});

test('a payment is settled once', () => {
  const settle = (state: Parameters<typeof settlePayment>[0]) => settlePayment(state, LATER);
  payment.given(ordered(), invoiced).when(settle).then(paid);
  payment.given(ordered(), paid).when(settle).throws(IllegalState, 'The payment was already settled on 2026-11-21.');
  payment
    .given(ordered(), canceled)
    .when(settle)
    .throws(IllegalState, "The payment was canceled on 2026-11-21, so it can't be settled.");
  payment.given().when(settle).throws(NotFound);
  payment.given(abandoned).when(settle).throws(NotFound);
});

test('a payment can be canceled while it is pending', () => {
  const cancel = (state: Parameters<typeof cancelPayment>[0]) => cancelPayment(state, LATER);
  payment.given(ordered()).when(cancel).then(canceled);
  payment
    .given(ordered(), paid)
    .when(cancel)
    .throws(IllegalState, "The payment was settled on 2026-11-21, so it can't be canceled.");
  payment
    .given(ordered(), canceled)
    .when(cancel)
    .throws(IllegalState, 'The payment was already canceled on 2026-11-21.');
});

test('a payment is for a multiple of the days that the price of the plan covers', () => {
  assert.equal(paymentTermsOf(TEAM, null), {
    description: 'Team, 30 days',
    amount: { amount: 4_990, currency: 'EUR' },
    plan: TEAM,
    period_months: 1,
    days: 30,
  });
  const half = paymentTermsOf(TEAM, 6);
  assert.equal([half.amount.amount, half.days, half.period_months], [29_940, 180, 6]);
  const year = paymentTermsOf(YEN, 24);
  assert.equal([year.amount.amount, year.days, year.period_months], [10_000, 730, 24]);
  const week = paymentTermsOf(WEEK, null);
  assert.equal([week.days, week.period_months], [7, null]);
});

test('a payment for another period or a free plan is refused', () => {
  const refused = (field: string, plan: typeof TEAM, months: number | null): void => {
    assert.throws(
      () => paymentTermsOf(plan, months),
      (error: unknown) => error instanceof Invalid && field in (error.errors.json ?? {}),
    );
  };
  refused('period_months', YEN, 6);
  refused('period_months', YEN, 1_200);
  refused('period_months', WEEK, 1);
  refused('period_months', TEAM, 0);
  refused('period_months', { ...TEAM, price: { ...TEAM.price, amount: Number.MAX_SAFE_INTEGER } }, 2);
  refused('plan_id', FREE, null);
});

test('a payment counts 30 days as one month and 365 days as twelve months', () => {
  assert.equal([7, 30, 90, 360, 365, 730, 366].map(monthsOf), [null, 1, 3, 12, 12, 24, null]);
});

test.run();
