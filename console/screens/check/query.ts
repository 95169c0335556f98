/**
 * Number of items per page of a list. The first page of results is large enough for the newest result of every region.
 */
export const PAGE_SIZE = 20;

/** Tabs in the lower half of the screen. The tab, the filter and the page number are stored in the query of the URL. */
export const TABS = ['results', 'alerts', 'history'] as const;
export type Tab = (typeof TABS)[number];

export const tabOf = (query: URLSearchParams): Tab => TABS.find((tab) => tab === query.get('tab')) ?? 'results';

/** Returns the page number in the query, from 1. */
export const pageOf = (query: URLSearchParams): number => {
  const page = Number(query.get('page') ?? 1);
  return Number.isInteger(page) && page > 0 ? page : 1;
};
