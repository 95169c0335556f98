import { isPeriodErrors, reportPeriodOf, type PeriodInput } from '../../domain/report/period.ts';
import type { ReportPeriod } from '../../domain/report/scheduled-periods.ts';
import { RECIPIENTS } from '../../domain/report/state.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { checks } from '../../projections/checks/projection.ts';
import { pages } from '../../projections/pages/projection.ts';
import { reports } from '../../projections/reports/projection.ts';
import { openText } from '../../stores/keys/port.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';

const own = ownDocuments((read) => read(reports).reports, 'report', { sort: { created_at: -1 }, filters: {} });

/** @throws NotFound */
export const findReport = own.one;

/** The reports of the organization, newest first. */
export const listReports = own.list;

/** Decrypts the e-mail addresses of a report's recipients. */
export const decryptRecipients = (
  { keys, organizationId }: Pick<Scope, 'keys' | 'organizationId'>,
  recipients: readonly Sealed[],
): Promise<string[]> =>
  Promise.all(recipients.map((sealed) => openText(sealed, { organizationId, field: RECIPIENTS }, keys)));

/** The subject of a report, as sent by a caller. */
export interface ReportSubject extends PeriodInput {
  check_ids: readonly string[];
  /** Tag of the checks, instead of `check_ids`. */
  tag: string | null;
  page_id: string | null;
}

const NOT_BOTH = 'A report names checks or a tag, not both. Leave check_ids empty, or set the tag to null.';

/** Returns the period that a caller requests, or the errors of the report's subject, by field. */
export const resolvePeriod = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'>,
  { check_ids, tag, page_id, ...asked }: ReportSubject,
): Promise<{ period: ReportPeriod } | { errors: Record<string, string[]> }> => {
  const { read, organizationId, now } = scope;
  const isOwn = (found: { organization_id: string; deleted_at: string | null } | null | undefined): boolean =>
    found?.organization_id === organizationId && found.deleted_at === null;
  const [known, page] = await Promise.all([
    check_ids.length === 0 ? [] : read(checks).checks.getMany([...new Set(check_ids)]),
    page_id === null ? null : read(pages).pages.get(page_id),
  ]);
  const existing = new Set(known.filter(isOwn).map(({ id }) => id));
  const unknown = check_ids.flatMap((id, index) =>
    existing.has(id) ? [] : [[`check_ids.${index}`, ['Must be a check of this organization.']] as const],
  );
  const period = reportPeriodOf(asked, { from: scope.resultsFrom(), now });
  const errors: Record<string, string[]> = {
    ...Object.fromEntries(unknown),
    ...(tag !== null && check_ids.length > 0 && { tag: [NOT_BOTH] }),
    ...(page_id !== null && !isOwn(page) && { page_id: ['Must be a page of this organization.'] }),
    ...(isPeriodErrors(period) && period.errors),
  };
  return isPeriodErrors(period) || Object.keys(errors).length > 0 ? { errors } : { period };
};
