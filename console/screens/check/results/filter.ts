import type { RequestOf } from '../../../api/request.ts';
import { PAGE_SIZE, pageOf } from '../query.ts';

/** The filter of a result list. */
export interface ResultsFilter {
  isFailuresOnly: boolean;
  region: string | null;
  /** API times (UTC without a designator); null: no limit */
  from: string | null;
  to: string | null;
  page: number;
}

type Query = NonNullable<RequestOf<'GET /v1/checks/{check_id}/results'>['query']>;

const instantIn = (text: string | null): string | null =>
  text === null || Number.isNaN(Date.parse(`${text}Z`)) ? null : text;

export const filterOf = (query: URLSearchParams): ResultsFilter => ({
  isFailuresOnly: query.get('failures') === '1',
  region: query.get('of') ?? null,
  from: instantIn(query.get('from')),
  to: instantIn(query.get('to')),
  page: pageOf(query),
});

/** Returns whether the list shows the newest results, without any filter. */
export const isUnfiltered = ({ isFailuresOnly, region, from, to, page }: ResultsFilter): boolean =>
  !isFailuresOnly && region === null && from === null && to === null && page === 1;

/** Returns the filter as API parameters. */
export const requestOf = ({ isFailuresOnly, region, from, to, page }: ResultsFilter): Query => ({
  page,
  page_size: PAGE_SIZE,
  ...(isFailuresOnly && { failed_only: true }),
  ...(region !== null && { region }),
  ...(from !== null && { start_date: `${from}Z` }),
  ...(to !== null && { end_date: `${to}Z` }),
});
