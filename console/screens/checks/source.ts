import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import type { Row } from './filter.ts';

export type Rows = ReadonlyMap<string, Row>;

/** Maximum page size of the overview. */
const PAGE_SIZE = 5_000;

const ALL_TRIES = 3;

/**
 * Loads all rows that match a text. If checks are created or deleted while the pages are being read, all pages are read
 * again.
 */
const allRows = async (q: string | undefined, signal: AbortSignal): Promise<Map<string, Row>> => {
  const rows = new Map<string, Row>();
  for (let tries = 0; tries < ALL_TRIES; tries++) {
    let pagination: Schemas['PaginationUpTo5000'];
    let page = 0;
    do {
      page += 1;
      const query = { page, page_size: PAGE_SIZE, sort: 'name' as const, ...(q !== undefined && { q }) };
      const answer = await call('GET /v1/checks/overview', { query }, { signal });
      for (const row of answer.checks) rows.set(row.id, row);
      pagination = answer.pagination;
    } while (pagination.has_next);
    if (page === 1 || tries === ALL_TRIES - 1 || rows.size === pagination.total_items) break;
    rows.clear();
  }
  return rows;
};

/** All checks, by id. */
export const CHECKS: LiveSource<Rows> = {
  load: (signal) => allRows(undefined, signal),
  resources: ['check'],
  merge: (rows, changes) => {
    const merged = new Map(rows);
    for (const { id, change, row } of changes) {
      if (change === 'deleted') merged.delete(id);
      else if (row) merged.set(id, row as Row);
      else return null;
    }
    return merged;
  },
};

/** Loads the ids of the checks whose name or target contains a text. */
export const idsWith = async (text: string, signal: AbortSignal): Promise<ReadonlySet<string>> =>
  new Set((await allRows(text, signal)).keys());
