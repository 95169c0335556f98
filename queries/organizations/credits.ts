import { PARKED } from '../../domain/check/parking.ts';
import { costOf } from '../../domain/credits/costs.ts';
import { canAfford, CREDIT_LIMIT_EXCEEDED } from '../../domain/credits/credits.ts';
import { daysOf, creditPeriodOf } from '../../domain/credits/period.ts';
import { limitsOf, type PlanHolder } from '../../domain/organization/limits.ts';
import type { Instant } from '../../domain/time.ts';
import { creditDayId } from '../../projections/check-results/credit-days.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { OrganizationDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { GROUP_PAUSED, createGroupActivityReader } from '../checks/check-groups.ts';
import type { Scope } from '../engine/scope.ts';

/**
 * An organization's credit limit for a UTC month, and the credits that its results have used
 * (docs/reference/credits.md#when-a-run-is-charged).
 */
export interface CreditBalance {
  /** Null for no limit. */
  limit: number | null;
  used: number;
  period_start: Instant;
  /** First instant of the next month. */
  period_end: Instant;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now'>;

/** Returns the data of an organization that determines its limits. */
export const entitledOf = ({ plan, credit_limit }: OrganizationDocument): PlanHolder => ({
  subscription: plan && { plan },
  creditLimit: credit_limit,
});

/** Returns the maximum number of credits per month, or null if there is no limit. */
export const creditLimitOf = (organization: OrganizationDocument, plans: Scope['plans']): number | null =>
  limitsOf(entitledOf(organization), plans).limits.credits;

/** Returns the number of credits that the organization has used in the current month. */
export const readCreditsUsed = async ({ read, organizationId, now }: QueryScope): Promise<number> => {
  const ids = daysOf(creditPeriodOf(now)).map((day) => creditDayId(organizationId, day));
  return (await read(checkResults).credit_days.getMany(ids)).reduce((sum, { used }) => sum + used, 0);
};

/** Reads the data that determines the limits of all organizations, by id. */
export const readEntitlements = async ({ read }: Pick<Scope, 'read'>): Promise<Map<string, PlanHolder>> =>
  new Map((await read(organizations).organizations.find({})).map((document) => [document.id, entitledOf(document)]));

/** @param limit credit limit of the organization */
export const readCreditBalance = async (scope: QueryScope, limit: number | null): Promise<CreditBalance> => {
  const { start, end } = creditPeriodOf(scope.now);
  return { limit, used: await readCreditsUsed(scope), period_start: start, period_end: end };
};

/** Creates a function that returns why the scheduled runs of a check are suspended. Reads the credits only once. */
export const createSuspensionReader = (
  scope: QueryScope & Pick<Scope, 'plans'>,
): ((check: CheckDocument) => Promise<string | null>) => {
  let balance: Promise<CreditBalance | null> | null = null;
  const limited = async (): Promise<CreditBalance | null> => {
    const organization = await scope.read(organizations).organizations.get(scope.organizationId);
    const limit = organization && creditLimitOf(organization, scope.plans);
    return limit === null ? null : readCreditBalance(scope, limit);
  };
  const groupRuns = createGroupActivityReader(scope);
  return async (check) => {
    if (!check.active) return null;
    if (check.group_id !== null && !(await groupRuns(check.group_id))) return GROUP_PAUSED;
    if (check.parked_at !== null) return PARKED;
    const credits = await (balance ??= limited());
    return !credits || canAfford(credits.limit, credits.used, costOf(check)) ? null : CREDIT_LIMIT_EXCEEDED;
  };
};
