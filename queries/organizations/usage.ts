import { creditPeriodOf } from '../../domain/credits/period.ts';
import { limitsOf } from '../../domain/organization/limits.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import type { Instant } from '../../domain/time.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { emptyUsage, usage } from '../../projections/usage/projection.ts';
import { readCreditsUsed, entitledOf } from './credits.ts';
import { findOrganization } from './organizations.ts';
import type { Scope } from '../engine/scope.ts';

/** The usage of a kind of resource. `limit` is null if there is no limit. */
export interface ResourceUsage {
  used: number;
  limit: number | null;
}

/** The limits of an organization and its usage. */
export interface OrganizationUsage {
  plan: Plan;
  /** Start of the UTC month in which credits are counted. */
  period_start: Instant;
  /** First instant of the next month. */
  period_end: Instant;
  credits: ResourceUsage;
  checks: ResourceUsage;
  pages: ResourceUsage;
  users: ResourceUsage;
  /** Minimum interval of checks, in seconds. Null if there is no minimum. */
  shortest_interval: number | null;
}

/** @throws NotFound */
export const readOrganizationUsage = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now' | 'plans'>,
): Promise<OrganizationUsage> => {
  const { read, organizationId, now, plans } = scope;
  const { plan, limits } = limitsOf(entitledOf(await findOrganization(scope, organizationId)), plans);
  const { start, end } = creditPeriodOf(now);
  const counted = (await read(usage).usage.get(organizationId)) ?? emptyUsage(organizationId);
  const users = await read(organizations).users.count({ organization_id: organizationId, status: { $ne: 'disabled' } });
  return {
    plan,
    period_start: start,
    period_end: end,
    credits: { used: await readCreditsUsed(scope), limit: limits.credits },
    checks: { used: counted.checks, limit: limits.checks },
    pages: { used: counted.pages, limit: limits.pages },
    users: { used: users, limit: limits.users },
    shortest_interval: limits.shortest_interval,
  };
};
