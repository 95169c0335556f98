import { isDeepStrictEqual } from 'node:util';
import { derivedId } from '../identity.ts';
import { DAY_MS, later, millisecondsOf, type Instant } from '../time.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, type Organization, type Subscription } from './state.ts';
import type { Plan } from './subscription-events.ts';

/** A plan for a number of days that was paid for, or that the operator granted (`paymentId` is null). */
export interface PaidPlan {
  plan: Plan;
  days: number;
  paymentId: string | null;
}

/**
 * When an organization changes its plan, the remaining time of the previous plan is converted to days of the new plan.
 * If the result exceeds this maximum, the new plan starts after the end of the previous plan instead.
 */
const LONGEST_REST_DAYS = 3_660;

/**
 * Applies a paid plan to an organization's subscription, so that no paid time is lost
 * (docs/reference/plans.md#change-of-plan). If the plan is the same, the subscription is extended. A different plan
 * starts immediately, and the remaining time of the previous plan is converted at the ratio of the prices and added to
 * the new plan.
 *
 * @param id the id for a new subscription
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

/**
 * Returns the end of the current subscription if a paid plan must wait for this end; null if the plan can start now.
 */
export const waitsUntil = (state: Organization, plan: Plan, now: Instant): Instant | null => {
  const { subscription } = existing(state);
  return subscription && startsAfter(subscription, plan, now) ? subscription.endDate : null;
};

/** Whether a paid plan can start only after a subscription has ended. */
export const startsAfter = (subscription: Pick<Subscription, 'plan' | 'endDate'>, plan: Plan, now: Instant): boolean =>
  subscription.endDate > now && !continues(subscription, plan) && restOf(subscription, plan, now) === null;

/** Returns the end of a plan that starts at `start` and lasts `days`. */
export const endOf = (start: Instant, days: number): Instant => later(start, days * DAY_MS);
/**
 * Ends an expired subscription. The recorded end is the end date of the subscription, not `now`. Returns no event if
 * the subscription has not expired, or if there is none.
 *
 * @throws NotFound
 */
export const endSubscription = (state: Organization, now: Instant): OrganizationEvent[] => {
  const { id: organization_id, subscription } = existing(state);
  if (!subscription || subscription.endDate > now) return [];
  return [ended(organization_id, subscription, subscription.endDate)];
};

const ended = (organization_id: string, { id }: Subscription, ended_at: Instant): OrganizationEvent => ({
  type: 'SubscriptionEnded',
  data: { organization_id, subscription_id: id, ended_at },
});

/** The end of a subscription, and the name of its plan. */
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

/** Returns the id of the subscription that a payment starts. */
export const subscriptionOf = (paymentId: string): string => derivedId(`subscription/${paymentId}`);

/** @param rest milliseconds that are added to the purchased days */
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

/** Whether a plan is equal to the plan of the subscription, including price and limits. */
const continues = ({ plan: { id, price, duration, limits } }: Pick<Subscription, 'plan'>, plan: Plan): boolean =>
  isDeepStrictEqual([id, price, duration, limits], [plan.id, plan.price, plan.duration, plan.limits]);

/**
 * Converts the remaining time of a subscription into time of another plan by the prices of the two plans, in
 * milliseconds. If the other plan is a newer version of the subscription's plan, the remaining time is not shortened.
 * Returns null if the currencies differ, or if the converted time would be too long.
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
