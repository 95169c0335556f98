import { Forbidden } from '../errors.ts';
import type { Plans } from './plans.ts';
import type { Plan, PlanLimits } from './subscription-events.ts';

/** The parts of an organization that determine its limits. They come from its state (state.ts) or from a read model. */
export interface PlanHolder {
  /** the organization's subscription with the purchased version of the plan; null: the default plan applies */
  subscription: { plan: Plan } | null;
  /** the monthly credit limit that the operator set; null: the limit of the plan applies */
  creditLimit: number | null;
}

/**
 * Returns the plan of an organization, and its limits: the limits of the plan, with the operator's credit limit if set.
 */
export const limitsOf = (
  { subscription, creditLimit }: PlanHolder,
  plans: Pick<Plans, 'default'>,
): { plan: Plan; limits: PlanLimits } => {
  const plan = subscription?.plan ?? plans.default;
  return { plan, limits: creditLimit === null ? plan.limits : { ...plan.limits, credits: creditLimit } };
};

/** Resources whose number is limited by plans. */
export type CountedResource = 'checks' | 'pages' | 'users';

const counted = (count: number, many: CountedResource): string => `${count} ${count === 1 ? many.slice(0, -1) : many}`;

/** Returns a 403 error: the limit of the plan is reached. */
export const planLimitError = (plan: Pick<Plan, 'name'>, what: CountedResource, limit: number): Forbidden =>
  new Forbidden(
    limit === 0
      ? `The plan "${plan.name}" allows no ${what}.`
      : `The plan "${plan.name}" allows ${counted(limit, what)}, and the organization already has that many.`,
  );

/** Returns a 403 error: the plan does not allow such a short interval. @param shortest seconds */
export const intervalLimitError = (plan: Pick<Plan, 'name'>, shortest: number): Forbidden =>
  new Forbidden(`The plan "${plan.name}" allows intervals of ${shortest} seconds or more.`);
