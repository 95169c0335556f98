import { Invalid } from '../errors.ts';
import type { Plan } from '../organization/subscription-events.ts';
import type { PaymentFields } from './events.ts';

/**
 * Maximum number of days of one payment. Also, a subscription with more remaining days than this cannot be extended.
 */
export const MAX_PAID_DAYS = 3_660;

const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/**
 * Returns a plan's duration in months. 30 days are one month, 365 days are twelve months, and multiples of these count
 * accordingly. Returns null for other durations.
 */
export const monthsOf = (duration: number): number | null => {
  if (duration % YEAR_DAYS === 0) return (duration / YEAR_DAYS) * 12;
  return duration % MONTH_DAYS === 0 ? duration / MONTH_DAYS : null;
};

/**
 * Returns the terms of a payment for a plan.
 *
 * @param months how many months to pay for; null: one period of the plan
 * @throws Invalid the plan is free, or the months are not a multiple of the plan's period
 */
export const paymentTermsOf = (plan: Plan, months: number | null): Omit<PaymentFields, 'method'> => {
  const { price, duration } = plan;
  if (price.amount === 0) {
    throw Invalid.field('plan_id', `The plan "${plan.name}" is free, so it can't be bought.`);
  }
  const each = monthsOf(duration);
  const times = timesOf(months, each, duration);
  const days = times * duration;
  const amount = times * price.amount;
  if (days > Math.max(MAX_PAID_DAYS, duration)) {
    throw Invalid.field('period_months', `Must be at most ${MAX_PAID_DAYS} days in total.`);
  }
  if (!Number.isSafeInteger(amount)) {
    throw Invalid.field('period_months', 'Must be fewer: the total price would be too large.');
  }
  return {
    description: `${plan.name}, ${days} ${days === 1 ? 'day' : 'days'}`,
    amount: { amount, currency: price.currency },
    plan,
    period_months: each === null ? null : times * each,
    days,
  };
};

const timesOf = (months: number | null, each: number | null, duration: number): number => {
  if (months === null) return 1;
  if (each === null) {
    throw Invalid.field('period_months', `Must be omitted: the period of the plan is ${duration} days.`);
  }
  if (months < 1 || months % each !== 0) {
    const required = each === 1 ? 'a whole number of months' : `a multiple of ${each}`;
    throw Invalid.field('period_months', `Must be ${required}: the period of the plan is ${duration} days.`);
  }
  return months / each;
};
