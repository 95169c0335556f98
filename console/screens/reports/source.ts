import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';

export type Report = Schemas['Report'];

const PAGE_SIZE = 50;

/** Loads the names of all status pages, by id. */
export const pageNames = async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  for (let page = 1; ; page++) {
    const { pages, pagination } = await call('GET /v1/pages', { query: { page, page_size: 100 } }, { signal });
    for (const { id, name } of pages) names.set(id, name);
    if (!pagination.has_next) return names;
  }
};

export interface ReportPage {
  reports: readonly Report[];
  pages: ReadonlyMap<string, string>;
  pagination: { page: number; total_pages: number; total_items: number };
}

/** Returns a source that loads a page of the report list, newest first. */
export const reportsOn = (page: number): LiveSource<ReportPage> => ({
  load: async (signal) => {
    const { reports, pagination } = await call(
      'GET /v1/reports',
      { query: { page, page_size: PAGE_SIZE } },
      { signal },
    );
    const total_pages = Math.ceil(pagination.total / PAGE_SIZE);
    const pages = reports.some(({ page_id }) => page_id !== null) ? await pageNames(signal) : new Map<string, string>();
    return { reports, pages, pagination: { page, total_pages, total_items: pagination.total } };
  },
  resources: ['report'],
  merge: () => null,
});
