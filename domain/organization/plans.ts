import type { Plan, PlanLimits } from './subscription-events.ts';

/** The configured plans. An organization that bought a plan keeps the version from the time of purchase. */
export interface Plans {
  /** all plans, in the order of the configuration */
  all: readonly Plan[];
  /** the plan that applies to organizations without a subscription */
  default: Plan;
  byId: ReadonlyMap<string, Plan>;
}

/** The minimum interval of checks in any plan, in seconds. */
export const MIN_INTERVAL = 30;

export const NO_LIMITS: PlanLimits = {
  credits: null,
  checks: null,
  pages: null,
  users: null,
  shortest_interval: null,
};

/** @param standard the id of the plan that applies to organizations without a subscription */
export const plansOf = (all: readonly Plan[], standard: string): Plans => {
  const byId = new Map(all.map((plan) => [plan.id, plan]));
  const plan = byId.get(standard);
  if (!plan) throw new Error(`The default plan ${standard} does not exist.`);
  return { all, default: plan, byId };
};

/** The plans if none are configured: one free plan without limits. */
export const SELF_HOSTED: Plans = plansOf(
  [
    {
      id: 'self-hosted',
      name: 'Self-hosted',
      description: null,
      price: { amount: 0, currency: 'USD' },
      duration: 30,
      limits: NO_LIMITS,
    },
  ],
  'self-hosted',
);
