import type { Schemas } from '../../api/openapi.d.ts';

/** The plan of an organization with related data. */
export interface PlanOf {
  organization: Schemas['Organization'];
  usage: Schemas['Usage'];
  plans: readonly Schemas['Plan'][];
  /** null: the user's role is not allowed to see the subscriptions */
  subscriptions: readonly Schemas['Subscription'][] | null;
}
