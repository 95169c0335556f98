import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';
import { SEVERITIES, type Severity } from '../../parts/severity.ts';

export type Row = Schemas['AlertRow'];

/** Status filters; `active` means firing or acknowledged. */
export const STATUSES = ['active', 'firing', 'acknowledged', 'resolved', 'all'] as const;
export type Status = (typeof STATUSES)[number];

/** The filter of the alert list, from the query of the URL. */
export interface Filter {
  status: Status;
  /** severities to show; empty: all */
  severities: readonly Severity[];
  check_id: string | null;
  rule_id: string | null;
  /** text contained in the title, or in the name of the check or rule */
  text: string;
  /** from 1 */
  page: number;
}

/** Page size of the alert list. */
export const PAGE_SIZE = 100;

/** Parses the query of a URL; unknown parts are ignored. */
export const filterOf = (query: URLSearchParams): Filter => {
  const severities = (query.get('severity') ?? '').split(',');
  const page = Number(query.get('page') ?? 1);
  return {
    status: STATUSES.find((one) => one === query.get('status')) ?? 'active',
    severities: SEVERITIES.filter((one) => severities.includes(one)),
    check_id: query.get('check_id') || null,
    rule_id: query.get('rule_id') || null,
    text: query.get('q') ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

/** Returns the path of the list with a filter: `/alerts?status=resolved&severity=critical`. */
export const alertListPath = ({ status, severities, check_id, rule_id, text, page }: Filter): string => {
  const query = new URLSearchParams({
    ...(status !== 'active' && { status }),
    ...(severities.length > 0 && { severity: severities.join(',') }),
    ...(check_id !== null && { check_id }),
    ...(rule_id !== null && { rule_id }),
    ...(text.trim() !== '' && { q: text.trim() }),
    ...(page > 1 && { page: page.toString() }),
  });
  return query.size === 0 ? '/alerts' : `/alerts?${query.toString()}`;
};

type Conditions = Omit<NonNullable<RequestOf<'GET /v1/alerts'>['query']>, 'page' | 'per_page' | 'created_until'>;

/** Returns the filter as API parameters, for the list and for bulk changes. */
export const conditionsOf = ({ status, severities, check_id, rule_id, text }: Filter): Conditions => ({
  ...(status !== 'all' && { status: [status] }),
  ...(severities.length > 0 && { severity: severities }),
  ...(check_id !== null && { check_id }),
  ...(rule_id !== null && { rule_id }),
  ...(text.trim() !== '' && { q: text.trim() }),
});

const isIn = (row: Row, status: Status): boolean =>
  status === 'all' || (status === 'active' ? row.is_active : row.status === status);

/** Returns whether an alert matches a filter, by the same rules as the API. */
export const alertMatches = (row: Row, { status, severities, check_id, rule_id, text }: Filter): boolean => {
  const wanted = text.trim().toLowerCase();
  return (
    isIn(row, status) &&
    (severities.length === 0 || severities.includes(row.severity)) &&
    (check_id === null || row.check_id === check_id) &&
    (rule_id === null || row.rule_id === rule_id) &&
    [row.title, row.check_name ?? '', row.rule_name].some((one) => one.toLowerCase().includes(wanted))
  );
};

/**
 * Returns the filter with a severity added, or removed if the filter contains it. The page is reset to the first one.
 */
export const withSeverity = (filter: Filter, severity: Severity): Filter => ({
  ...filter,
  page: 1,
  severities: SEVERITIES.filter((one) => (one === severity) !== filter.severities.includes(one)),
});
