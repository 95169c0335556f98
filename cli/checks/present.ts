import { latestResults } from '../../queries/check-results/results.ts';
import { readAllChecks } from '../../queries/checks/all-checks.ts';
import { createSuspensionReader } from '../../queries/organizations/credits.ts';
import type { Plans } from '../../domain/organization/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { Read } from '../../projections/readers.ts';

/** A check with its newest results, as displayed. */
export interface PresentedCheck {
  id: string;
  organization_id: string;
  name: string;
  type: string;
  active: boolean;
  status: CheckDocument['status'];
  suspended_reason: string | null;
  last_checked_at: Instant | null;
  last_result: { status: string; region: string; response_time: number | null; error_message: string | null } | null;
  /** response times of the newest runs, oldest first; null for a run without a complete response */
  response_times: (number | null)[];
}

/** Number of runs whose response times are shown. */
const RUNS = 30;

/** Sort order of checks by status: checks that need attention come first. */
const RANKS: Readonly<Record<CheckDocument['status'], number>> = { down: 0, pending: 1, up: 2 };

const inOrder = (one: CheckDocument, other: CheckDocument): number =>
  RANKS[one.status] - RANKS[other.status] || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);

/** Returns all checks that are not deleted, sorted by status and name. Checks that are down come first. */
export const findChecks = async (read: Read, organization: string | null): Promise<CheckDocument[]> => {
  const found: CheckDocument[] = [];
  const where = organization === null ? {} : { organization_id: organization };
  for await (const page of readAllChecks({ read }, where)) found.push(...page);
  return found.sort(inOrder);
};

/** Returns a function that adds details to a check. @param now selects the month of credit usage */
export const presenting = (
  read: Read,
  now: Instant,
  plans: Plans,
): ((check: CheckDocument) => Promise<PresentedCheck>) => {
  const organizations = new Map<string, ReturnType<typeof createSuspensionReader>>();
  const reasonOf = (check: CheckDocument): Promise<string | null> => {
    const { organization_id: organizationId } = check;
    const known = organizations.get(organizationId) ?? createSuspensionReader({ read, organizationId, now, plans });
    organizations.set(organizationId, known);
    return known(check);
  };
  return async (check) => {
    const { id, organization_id, name, type, active, status } = check;
    const results = await latestResults({ read }, check, RUNS);
    const [last] = results;
    return {
      id,
      organization_id,
      name,
      type,
      active,
      status,
      suspended_reason: await reasonOf(check),
      last_checked_at: last?.created_at ?? null,
      last_result: last
        ? {
            status: last.status,
            region: last.region,
            response_time: last.response_time,
            error_message: last.error_message ?? null,
          }
        : null,
      response_times: results.map(({ response_time }) => response_time).reverse(),
    };
  };
};
