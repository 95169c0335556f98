import { Invalid } from '../errors.ts';
import type { Instant } from '../time.ts';
import { limitsOf } from './limits.ts';
import type { Plans } from './plans.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, organizationDecider, type Organization } from './state.ts';

/** What an organization has used in a month. */
export interface Usage {
  /** first instant of the month */
  period_start: Instant;
  used: number;
}

/**
 * Allows an organization so many credits per month, whatever its plan says; null: as many as the plan does. What it has
 * already used may reach the new limit.
 *
 * @throws NotFound there is no such organization
 * @throws Invalid the limit is not a whole number
 */
export const changeCreditLimit = (
  organization: Organization,
  limit: number | null,
  usage: Usage,
  plans: Plans,
): OrganizationEvent[] => {
  const { id, creditLimit } = existing(organization);
  if (limit !== null && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw Invalid.field('credit_limit', 'Must be a whole number of 0 or more.');
  }
  if (limit === creditLimit) return [];
  const changed: OrganizationEvent = {
    type: 'OrganizationCreditLimitChanged',
    data: { organization_id: id, changes: { credit_limit: limit }, previous: { credit_limit: creditLimit } },
  };
  return [changed, ...reachCreditLimit(organizationDecider.evolve(organization, changed), usage, plans)];
};

/** Whether usage has reached the limit; recorded once per month and limit. @throws NotFound */
export const reachCreditLimit = (
  organization: Organization,
  { period_start, used }: Usage,
  plans: Plans,
): OrganizationEvent[] => {
  const there = existing(organization);
  const { id, reachedIn } = there;
  const { credits } = limitsOf(there, plans).limits;
  if (credits === null || used < credits || reachedIn === period_start) return [];
  return [
    {
      type: 'CreditLimitReached',
      data: { organization_id: id, period_start, credit_limit: credits, used },
    },
  ];
};
