import { isDeepStrictEqual } from 'node:util';
import { derivedId } from '../identity.ts';
import { DAY_MS, later, millisecondsOf, type Instant } from '../time.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, type Organization, type Subscription } from './state.ts';
import type { Plan } from './subscription-events.ts';

/** A plan for a number of days that was paid for, or granted by the operator (`paymentId` null). */
export interface PaidPlan {
  plan: Plan;
  days: number;
  paymentId: string | null;
}

/** Maximum of days to which the rest of another plan is converted. If it is longer, the new plan starts after the old one. */
const LONGEST_REST_DAYS = 3_660;

/**
 * Applies a paid plan to an organization's subscription, so that no paid time is lost (docs/reference/plans.md#change-of-plan). The
 * same plan is extended. Another plan starts immediately, and is extended by the value of the rest of the old plan.
 *
 * @param id the id of a new subscription
 * @returns no event while the plan has to wait (see {@link waitsUntil})
 * @throws NotFound the organization does not exist
 */
export const subscribe = (state: Organization, id: string, bought: PaidPlan, now: Instant): OrganizationEvent[] => {
  const organization = existing(state);
  const { subscription } = organization;
  if (!subscription || subscription.endDate <= now) {
    return [...endSubscription(state, now), startSubscription(state, id, bought, now, 0)];
  }
  if (continues(subscription, bought.plan)) return [extendSubscription(state, subscription, bought)];
  const rest = restOf(subscription, bought.plan, now);
  if (rest === null) return [];
  return [ended(organization.id, subscription, now), startSubscription(state, id, bought, now, rest)];
};

/** The end of the subscription for which a paid plan has to wait; null if it can start now. */
export const waitsUntil = (state: Organization, plan: Plan, now: Instant): Instant | null => {
  const { subscription } = existing(state);
  return subscription && startsAfter(subscription, plan, now) ? subscription.endDate : null;
};

/** Whether a paid plan can start only after a subscription has ended. */
export const startsAfter = (subscription: Pick<Subscription, 'plan' | 'endDate'>, plan: Plan, now: Instant): boolean =>
  subscription.endDate > now && !continues(subscription, plan) && restOf(subscription, plan, now) === null;

/** The end of a plan that starts at an instant and lasts `days`. */
export const endOf = (start: Instant, days: number): Instant => later(start, days * DAY_MS);
/** Ends an expired subscription, as of its end date. Does nothing while it lasts, or without one. @throws NotFound */
export const endSubscription = (state: Organization, now: Instant): OrganizationEvent[] => {
  const { id: organization_id, subscription } = existing(state);
  if (!subscription || subscription.endDate > now) return [];
  return [ended(organization_id, subscription, subscription.endDate)];
};

const ended = (organization_id: string, { id }: Subscription, ended_at: Instant): OrganizationEvent => ({
  type: 'SubscriptionEnded',
  data: { organization_id, subscription_id: id, ended_at },
});

/** The end of a subscription, with the name of its plan. */
export interface Ending {
  subscription_id: string;
  end_date: Instant;
  plan_name: string;
}

/** Records that the automatic renewal of a subscription failed. @throws NotFound */
export const recordFailedRenewal = (state: Organization, ending: Ending): OrganizationEvent => ({
  type: 'SubscriptionNotRenewed',
  data: { organization_id: existing(state).id, ...ending },
});

/** The id of the subscription that a payment starts. */
export const subscriptionOf = (paymentId: string): string => derivedId(`subscription/${paymentId}`);

/** @param rest milliseconds by which it lasts longer than the purchased days */
const startSubscription = (
  state: Organization,
  id: string,
  { plan, days, paymentId }: PaidPlan,
  now: Instant,
  rest: number,
): OrganizationEvent => ({
  type: 'SubscriptionStarted',
  data: {
    organization_id: existing(state).id,
    subscription_id: id,
    plan,
    start_date: now,
    end_date: later(now, days * DAY_MS + rest),
    payment_id: paymentId,
  },
});

const extendSubscription = (
  state: Organization,
  { id, endDate }: Subscription,
  { days, paymentId }: PaidPlan,
): OrganizationEvent => ({
  type: 'SubscriptionExtended',
  data: {
    organization_id: existing(state).id,
    subscription_id: id,
    end_date: later(endDate, days * DAY_MS),
    previous: { end_date: endDate },
    payment_id: paymentId,
  },
});

/** Whether a plan equals that of the subscription, including its price and limits. */
const continues = ({ plan: { id, price, duration, limits } }: Pick<Subscription, 'plan'>, plan: Plan): boolean =>
  isDeepStrictEqual([id, price, duration, limits], [plan.id, plan.price, plan.duration, plan.limits]);

/**
 * Converts the rest of a subscription into time of another plan by their prices, milliseconds. If the plan is a newer
 * version of the same plan, the rest is not shortened. Null if the currencies differ, or the time would be too long.
 */
const restOf = (
  { plan: former, endDate }: Pick<Subscription, 'plan' | 'endDate'>,
  plan: Plan,
  now: Instant,
): number | null => {
  const left = millisecondsOf(endDate) - millisecondsOf(now);
  if (former.price.currency !== plan.price.currency || plan.price.amount === 0) {
    return former.id === plan.id ? left : null;
  }
  const worth = BigInt(left) * BigInt(former.price.amount) * BigInt(plan.duration);
  const each = BigInt(former.duration) * BigInt(plan.price.amount);
  const paid = Number((worth + each - 1n) / each);
  const rest = former.id === plan.id ? Math.max(left, paid) : paid;
  return rest > LONGEST_REST_DAYS * DAY_MS ? null : rest;
};
