import { Invalid } from '../errors.ts';
import type { Plan } from '../organization/subscription-events.ts';
import type { PaymentFields } from './events.ts';

/** The longest that can be paid for at once, and that a subscription may have left for another payment, days. */
export const LONGEST_DAYS = 3_660;

const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/**
 * How many months a plan's price pays for: 30 days are one, 365 days are twelve, and so with multiples of them. Null:
 * other durations are no number of months.
 */
export const monthsOf = (duration: number): number | null => {
  if (duration % YEAR_DAYS === 0) return (duration / YEAR_DAYS) * 12;
  return duration % MONTH_DAYS === 0 ? duration / MONTH_DAYS : null;
};

/**
 * What a payment for a plan is about.
 *
 * @param months how many are wanted; null: as many as the plan's price pays for
 * @throws Invalid the plan costs nothing, or its price does not pay for such a period
 */
export const termsOf = (plan: Plan, months: number | null): Omit<PaymentFields, 'method'> => {
  const { price, duration } = plan;
  if (price.amount === 0) {
    throw Invalid.field('plan_id', `The plan "${plan.name}" costs nothing, so it can't be bought.`);
  }
  const each = monthsOf(duration);
  const times = timesOf(months, each, duration);
  const days = times * duration;
  const amount = times * price.amount;
  if (days > Math.max(LONGEST_DAYS, duration)) {
    throw Invalid.field('period_months', `Must be at most ${LONGEST_DAYS.toString()} days together.`);
  }
  if (!Number.isSafeInteger(amount)) {
    throw Invalid.field('period_months', 'Must be fewer: the price would be larger than can be counted exactly.');
  }
  return {
    description: `${plan.name}, ${days.toString()} ${days === 1 ? 'day' : 'days'}`,
    amount: { amount, currency: price.currency },
    plan,
    period_months: each === null ? null : times * each,
    days,
  };
};

const timesOf = (months: number | null, each: number | null, duration: number): number => {
  if (months === null) return 1;
  if (each === null) {
    throw Invalid.field('period_months', `Must be left out: the plan is paid for ${duration.toString()} days.`);
  }
  if (months < 1 || months % each !== 0) {
    const ofThese = each === 1 ? 'a whole number of months' : `a multiple of ${each.toString()}`;
    throw Invalid.field('period_months', `Must be ${ofThese}: the plan is paid for ${duration.toString()} days.`);
  }
  return months / each;
};
