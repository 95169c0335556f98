import { Invalid } from '../errors.ts';
import type { Instant } from '../time.ts';
import { limitsOf } from './limits.ts';
import type { Plans } from './plans.ts';
import type { OrganizationEvent } from './events.ts';
import { existing, organizationDecider, type Organization } from './state.ts';

/** The credits that an organization has used in a UTC month. */
export interface CreditUsage {
  /** the first instant of the month */
  period_start: Instant;
  used: number;
}

/**
 * Sets the monthly credit limit of an organization, which overrides the limit of its plan. If the current usage already
 * reaches the new limit, this is recorded too.
 *
 * @param limit null: the limit of the plan applies
 * @throws NotFound the organization does not exist
 * @throws Invalid the limit is not a whole number of 0 or more
 */
export const changeCreditLimit = (
  organization: Organization,
  limit: number | null,
  usage: CreditUsage,
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

/** Records that the usage has reached the limit. Returns an event only once per month and limit. @throws NotFound */
export const reachCreditLimit = (
  organization: Organization,
  { period_start, used }: CreditUsage,
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
