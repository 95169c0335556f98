import type { Schemas } from '../../api/openapi.d.ts';

/** The plan of an organization, and what belongs to it. */
export interface PlanOf {
  organization: Schemas['Organization'];
  usage: Schemas['Usage'];
  plans: readonly Schemas['Plan'][];
  /** null: the role may not see them */
  subscriptions: readonly Schemas['Subscription'][] | null;
}
