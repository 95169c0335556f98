import { IllegalState } from '../../domain/errors.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { ReportDocument } from '../../projections/reports/projection.ts';
import { findChecksWithTag } from '../checks/tags.ts';
import type { Scope } from '../engine/scope.ts';

type QueryScope = Pick<Scope, 'read' | 'organizationId'>;

/** Maximum number of checks, and of pages, that a report can cover. */
export const MAX_REPORT_SUBJECTS = 1_000;

/**
 * Finds the checks that a report covers, ordered by name. These are the checks that the report names, the checks with
 * its tag, the checks linked to components of its page (directly or by tag), or all checks.
 *
 * @throws IllegalState if there are too many checks
 */
export const findReportChecks = async (
  scope: QueryScope,
  report: Pick<ReportDocument, 'check_ids' | 'tag'>,
  page: PageDocument | null,
): Promise<CheckDocument[]> => {
  const { read, organizationId } = scope;
  const ids = await chosenIds(scope, report, page);
  const where = { organization_id: organizationId, deleted_at: null };
  const found =
    ids === null
      ? await read(checks).checks.find({ where, limit: MAX_REPORT_SUBJECTS + 1 })
      : (await read(checks).checks.getMany(ids)).filter(
          (one) => one.organization_id === organizationId && one.deleted_at === null,
        );
  if (found.length > MAX_REPORT_SUBJECTS) {
    throw new IllegalState(
      `There are more than ${MAX_REPORT_SUBJECTS.toLocaleString('en')} checks. Name the checks that the report should cover.`,
    );
  }
  return found.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
};

/** Returns the ids of the checks that a report covers, including deleted ones, or null for all checks. */
const chosenIds = async (
  scope: QueryScope,
  { check_ids, tag }: Pick<ReportDocument, 'check_ids' | 'tag'>,
  page: PageDocument | null,
): Promise<readonly string[] | null> => {
  if (check_ids.length > 0) return check_ids;
  if (tag !== null) return findChecksWithTag(scope, tag, MAX_REPORT_SUBJECTS + 1);
  return page && (await watchedBy(scope, page));
};

/** Returns the ids of the checks linked to components of the page, directly or by tag. */
const watchedBy = async (scope: QueryScope, { id: page_id }: PageDocument): Promise<string[]> => {
  const found = await scope.read(components).components.find({ where: { page_id } });
  const ids = new Set(found.flatMap(({ check_id }) => check_id ?? []));
  for (const tag of new Set(found.flatMap(({ check_tag }) => check_tag ?? []))) {
    for (const id of await findChecksWithTag(scope, tag, MAX_REPORT_SUBJECTS + 1)) ids.add(id);
    // Stop, because a report on so many checks is refused anyway.
    if (ids.size > MAX_REPORT_SUBJECTS) break;
  }
  return [...ids];
};
