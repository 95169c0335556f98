import type { Schemas } from '../../api/openapi.d.ts';

/** The plan of an organization with related data. */
export interface PlanOf {
  organization: Schemas['Organization'];
  usage: Schemas['Usage'];
  plans: readonly Schemas['Plan'][];
  /** null: hidden from the role */
  subscriptions: readonly Schemas['Subscription'][] | null;
}
