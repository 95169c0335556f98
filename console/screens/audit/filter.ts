/** The filter of the audit log, stored in the query of the URL. An empty field matches everything. */
export interface AuditFilter {
  /** id of the actor */
  actor: string;
  resourceType: string;
  resourceId: string;
  /** first and last day, in the browser's time zone: `2026-11-20` */
  from: string;
  until: string;
  /** from 1 */
  page: number;
  /**
   * time of the newest entry on page 1. Later pages exclude newer entries, so that new entries do not shift the pages.
   * Empty: unknown
   */
  asOf: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const dayIn = (text: string | null): string => (text !== null && DAY.test(text) ? text : '');

export const filterOf = (query: URLSearchParams): AuditFilter => ({
  actor: query.get('actor') ?? '',
  resourceType: query.get('type') ?? '',
  resourceId: query.get('id') ?? '',
  from: dayIn(query.get('from')),
  until: dayIn(query.get('until')),
  page: Math.max(1, Math.floor(Number(query.get('page') ?? 1)) || 1),
  asOf: query.get('as_of') ?? '',
});

/** Returns the query that represents a filter in the URL. */
export const queryOf = (filter: AuditFilter): string => {
  const query = new URLSearchParams();
  const put = (name: string, value: string): void => {
    if (value !== '') query.set(name, value);
  };
  put('actor', filter.actor);
  put('type', filter.resourceType);
  put('id', filter.resourceId);
  put('from', filter.from);
  put('until', filter.until);
  put('page', filter.page > 1 ? filter.page.toString() : '');
  put('as_of', filter.page > 1 ? filter.asOf : '');
  return query.size > 0 ? `?${query.toString()}` : '';
};

/** Returns the start of the day that is `days` after `day` in the browser's time zone, in the API's format. */
const beginningOf = (day: string, days = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + days).toISOString().slice(0, 23);
};

/** Returns a filter as query parameters of the API. The last day is included completely. */
export const requestOf = (filter: AuditFilter) => ({
  ...(filter.actor !== '' && { actor_id: filter.actor }),
  ...(filter.resourceType !== '' && { resource_type: [filter.resourceType] }),
  ...(filter.resourceId !== '' && { resource_id: filter.resourceId }),
  ...(filter.from !== '' && { start_date: beginningOf(filter.from) }),
  ...(filter.until !== '' && { end_date: beginningOf(filter.until, 1) }),
});

/** Returns the path, relative to the service's root, that downloads the filtered log. */
export const exportPath = (filter: AuditFilter, format: 'csv' | 'jsonl'): string => {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(requestOf(filter))) query.set(name, String(value));
  return `v1/audit?${query.toString()}`;
};
