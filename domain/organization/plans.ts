import type { Plan, PlanLimits } from './subscription-events.ts';

/** The plans that can be had now. One that was bought holds as it was then, whatever is said here later. */
export interface Plans {
  /** in the order of the configuration */
  all: readonly Plan[];
  /** of organizations without a subscription */
  default: Plan;
  byId: ReadonlyMap<string, Plan>;
}

/** The shortest interval that a plan can ask for, seconds: every check has this at least. */
export const SHORTEST_INTERVAL = 30;

export const NO_LIMITS: PlanLimits = {
  credits: null,
  checks: null,
  pages: null,
  users: null,
  shortest_interval: null,
};

/** @param standard the id of the one that holds without a subscription */
export const plansOf = (all: readonly Plan[], standard: string): Plans => {
  const byId = new Map(all.map((plan) => [plan.id, plan]));
  const plan = byId.get(standard);
  if (!plan) throw new Error(`There is no plan ${standard}.`);
  return { all, default: plan, byId };
};

/** What there is where nobody has configured plans: everything, for nothing. */
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
