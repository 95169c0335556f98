import { isDeepStrictEqual } from 'node:util';
import { derivedId } from '../identity.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, type Organization, type Subscription } from './state.ts';
import type { Plan } from './subscription-events.ts';

const DAY_MS = 86_400_000;

/** A plan that somebody pays for, or that the operator gives (`paymentId` null), for so many days. */
export interface Bought {
  plan: Plan;
  days: number;
  paymentId: string | null;
}

/** What another plan's rest is worth may last no longer than this, days: the new plan then starts after it. */
const LONGEST_REST_DAYS = 3_660;

/**
 * What a paid plan makes of an organization's subscription, so that nothing that was paid is lost (docs/decisions.md:
 * Payments). The same plan is continued; another one starts at once, and lasts longer by what the rest of the one before
 * is worth.
 *
 * @param id of a subscription that starts
 * @returns nothing while the plan has to wait (see {@link waitsUntil})
 * @throws NotFound there is no such organization
 */
export const subscribe = (state: Organization, id: string, bought: Bought, now: Instant): OrganizationEvent[] => {
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

/** The end of the subscription that a plan which was paid for has to wait for; null: it has not to. */
export const waitsUntil = (state: Organization, plan: Plan, now: Instant): Instant | null => {
  const { subscription } = existing(state);
  return subscription && mustWaitFor(subscription, plan, now) ? subscription.endDate : null;
};

/** Whether a plan that was paid for starts only when a subscription has ended. */
export const mustWaitFor = (subscription: Pick<Subscription, 'plan' | 'endDate'>, plan: Plan, now: Instant): boolean =>
  subscription.endDate > now && !continues(subscription, plan) && restOf(subscription, plan, now) === null;

/** When a plan that was bought for so many days from an instant on ends. */
export const endOf = (start: Instant, days: number): Instant => instantOf(millisecondsOf(start) + days * DAY_MS);

/** Ends the subscription whose time is over, as of its end; nothing while it lasts, or without one. @throws NotFound */
export const endSubscription = (state: Organization, now: Instant): OrganizationEvent[] => {
  const { id: organization_id, subscription } = existing(state);
  if (!subscription || subscription.endDate > now) return [];
  return [ended(organization_id, subscription, subscription.endDate)];
};

const ended = (organization_id: string, { id }: Subscription, ended_at: Instant): OrganizationEvent => ({
  type: 'SubscriptionEnded',
  data: { organization_id, subscription_id: id, ended_at },
});

/** The end of a subscription, and what its plan is called. */
export interface Ending {
  subscription_id: string;
  end_date: Instant;
  plan_name: string;
}

/** A subscription that was to be continued by itself is not. @throws NotFound */
export const notRenewed = (state: Organization, ending: Ending): OrganizationEvent => ({
  type: 'SubscriptionNotRenewed',
  data: { organization_id: existing(state).id, ...ending },
});

/** Id of the subscription that a payment starts. */
export const subscriptionOf = (paymentId: string): string => derivedId(`subscription/${paymentId}`);

/** @param rest milliseconds that it lasts longer than what was bought */
const startSubscription = (
  state: Organization,
  id: string,
  { plan, days, paymentId }: Bought,
  now: Instant,
  rest: number,
): OrganizationEvent => ({
  type: 'SubscriptionStarted',
  data: {
    organization_id: existing(state).id,
    subscription_id: id,
    plan,
    start_date: now,
    end_date: instantOf(millisecondsOf(now) + days * DAY_MS + rest),
    payment_id: paymentId,
  },
});

const extendSubscription = (
  state: Organization,
  { id, endDate }: Subscription,
  { days, paymentId }: Bought,
): OrganizationEvent => ({
  type: 'SubscriptionExtended',
  data: {
    organization_id: existing(state).id,
    subscription_id: id,
    end_date: instantOf(millisecondsOf(endDate) + days * DAY_MS),
    previous: { end_date: endDate },
    payment_id: paymentId,
  },
});

/** Whether a plan is that of the subscription, at the same price and with the same limits. */
const continues = ({ plan: { id, price, duration, limits } }: Pick<Subscription, 'plan'>, plan: Plan): boolean =>
  isDeepStrictEqual([id, price, duration, limits], [plan.id, plan.price, plan.duration, plan.limits]);

/**
 * How long another plan lasts for what is left of a subscription, milliseconds: as long as its price pays for. Days of
 * the same plan, which has become another one meanwhile, stay days at least. Null: there is no such time, since the
 * currencies differ, or it is too long.
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
