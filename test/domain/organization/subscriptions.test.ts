import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OrganizationEvent } from '../../../domain/organization/events.ts';
import { organizationDecider, type Organization } from '../../../domain/organization/state.ts';
import { endSubscription, subscribe, waitsUntil } from '../../../domain/organization/subscriptions.ts';
import type { Plan } from '../../../domain/organization/subscription-events.ts';
import { LARGE, TEAM, YEN } from '../../payments.ts';
import { specification } from '../specification.ts';
import { ACME } from './examples.ts';

const NOW = '2026-11-20T15:00:00.000000';
const DAY_15 = '2026-12-05T15:00:00.000000';
const DAY_30 = '2026-12-20T15:00:00.000000';
const organization = specification(organizationDecider);
const test = suite('a subscription');

const created: OrganizationEvent = { type: 'OrganizationCreated', data: { organization_id: ACME, name: 'Acme' } };
const started = (plan: Plan, start_date: string, end_date: string, id = 'one'): OrganizationEvent => ({
  type: 'SubscriptionStarted',
  data: { organization_id: ACME, subscription_id: id, plan, start_date, end_date, payment_id: `paid ${id}` },
});
const ended = (ended_at: string): OrganizationEvent => ({
  type: 'SubscriptionEnded',
  data: { organization_id: ACME, subscription_id: 'one', ended_at },
});
const buying =
  (plan: Plan, now: string, id = 'two', days = plan.duration) =>
  (state: Organization) =>
    subscribe(state, id, { plan, days, paymentId: `paid ${id}` }, now);

test('a subscription starts on payment and lasts for the paid days', () => {
  organization
    .given(created)
    .when(buying(TEAM, NOW, 'one'))
    .then(started(TEAM, NOW, DAY_30));
});

test('a payment for the same plan extends the subscription', () => {
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(buying(TEAM, DAY_15))
    .then({
      type: 'SubscriptionExtended',
      data: {
        organization_id: ACME,
        subscription_id: 'one',
        end_date: '2027-01-19T15:00:00.000000',
        previous: { end_date: DAY_30 },
        payment_id: 'paid two',
      },
    });
});

test('a payment for another plan replaces the subscription immediately and adds the value of its remaining time', () => {
  // Fifteen days of a plan at a hundred times the price are worth 1,500 days of the new plan.
  organization
    .given(created, started(LARGE, NOW, DAY_30))
    .when(buying(TEAM, DAY_15))
    .then(ended(DAY_15), started(TEAM, DAY_15, '2031-02-12T15:00:00.000000', 'two'));
  // Conversely, 15 remaining days of the cheaper plan are worth 3 hours and 36 minutes of the expensive plan.
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(buying(LARGE, DAY_15))
    .then(ended(DAY_15), started(LARGE, DAY_15, '2027-01-04T18:36:00.000000', 'two'));
});

test('a payment for the same plan at a new price extends the subscription without losing a day', () => {
  const dearer = { ...TEAM, price: { amount: 9_980, currency: 'EUR' } };
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(buying(dearer, DAY_15))
    .then(ended(DAY_15), started(dearer, DAY_15, '2027-01-19T15:00:00.000000', 'two'));
  const cheaper = { ...TEAM, price: { amount: 2_495, currency: 'EUR' } };
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(buying(cheaper, DAY_15))
    .then(ended(DAY_15), started(cheaper, DAY_15, '2027-02-03T15:00:00.000000', 'two'));
});

test('a subscription to a plan in another currency starts after the present subscription', () => {
  const given = organization.given(created, started(TEAM, NOW, DAY_30));
  given.when(buying(YEN, DAY_15)).thenNothing();
  assert.is(waitsUntil(given.state(), YEN, DAY_15), DAY_30);
  assert.is(waitsUntil(given.state(), LARGE, DAY_15), null);
  given.when(buying(YEN, DAY_30)).then(ended(DAY_30), started(YEN, DAY_30, '2027-12-20T15:00:00.000000', 'two'));
});

test('a subscription to another plan starts after the present one if the remaining value would last more than ten years', () => {
  const tiny = { ...TEAM, id: 'tiny', price: { amount: 1, currency: 'EUR' } };
  organization
    .given(created, started(LARGE, NOW, DAY_30))
    .when(buying(tiny, DAY_15))
    .thenNothing();
});

test('the end of a subscription is recorded once, and not before the subscription ends', () => {
  const end = (now: string) => (state: Organization) => endSubscription(state, now);
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(end(DAY_15))
    .thenNothing();
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(end('2027-03-01T00:00:00.000000'))
    .then(ended(DAY_30));
  organization
    .given(created, started(TEAM, NOW, DAY_30), ended(DAY_30))
    .when(end(DAY_30))
    .thenNothing();
});

test('a new subscription can follow a subscription that has ended, even if the end was not recorded', () => {
  const late = '2027-01-01T00:00:00.000000';
  organization
    .given(created, started(TEAM, NOW, DAY_30))
    .when(buying(TEAM, late))
    .then(ended(DAY_30), started(TEAM, late, '2027-01-31T00:00:00.000000', 'two'));
});

test.run();
