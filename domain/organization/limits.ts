import { Forbidden } from '../errors.ts';
import type { Plans } from './plans.ts';
import type { Plan, PlanLimits } from './subscription-events.ts';

/** What says how much an organization may have: its state (state.ts), or what is read of it. */
export interface Entitled {
  /** with its plan as it was bought; null: the default plan applies */
  subscription: { plan: Plan } | null;
  /** credits in a month that the operator allows; null: as many as the plan does */
  creditLimit: number | null;
}

/** The plan of an organization, and what it may have: what the plan says, but the operator's credits, if any. */
export const limitsOf = (
  { subscription, creditLimit }: Entitled,
  plans: Pick<Plans, 'default'>,
): { plan: Plan; limits: PlanLimits } => {
  const plan = subscription?.plan ?? plans.default;
  return { plan, limits: creditLimit === null ? plan.limits : { ...plan.limits, credits: creditLimit } };
};

/** What an organization has a number of. */
export type Counted = 'checks' | 'pages' | 'users';

const counted = (count: number, many: Counted): string =>
  `${count.toString()} ${count === 1 ? many.slice(0, -1) : many}`;

/** 403: there are as many as the plan allows. What is there stays. */
export const limitReached = (plan: Pick<Plan, 'name'>, what: Counted, limit: number): Forbidden =>
  new Forbidden(
    limit === 0
      ? `The plan "${plan.name}" allows no ${what}.`
      : `The plan "${plan.name}" allows ${counted(limit, what)}, and there are as many.`,
  );

/** 403: checks of the plan run less often. */
export const intervalTooShort = (plan: Pick<Plan, 'name'>, shortest: number): Forbidden =>
  new Forbidden(`The plan "${plan.name}" allows intervals of ${shortest.toString()} seconds or more.`);
