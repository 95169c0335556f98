import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import { conditionsOf, PAGE_SIZE, type Filter, type Row } from './filter.ts';
import { withRows, type AlertPage } from './page.ts';

/** Returns the page of alerts that a filter selects. */
export const pageOf = (filter: Filter): LiveSource<AlertPage> => ({
  load: async (signal) => {
    const query = { ...conditionsOf(filter), page: filter.page, per_page: PAGE_SIZE };
    const { alerts, pagination } = await call('GET /v1/alerts', { query }, { signal });
    return {
      rows: new Map(alerts.map((alert) => [alert.id, alert])),
      total: pagination.total,
      hasNext: pagination.has_next,
    };
  },
  resources: ['alert'],
  merge: (page, changes) => {
    const rows: Row[] = [];
    for (const { change, row } of changes) {
      if (change !== 'deleted' && !row) return null;
      if (row) rows.push(row as Row);
    }
    return withRows(page, rows, filter);
  },
});
