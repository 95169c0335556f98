import { Type } from '@sinclair/typebox';
import { calendarOf } from '../../../domain/uptime/days.ts';
import { addressLimitKey } from '../../../http/routes/caller.ts';
import { HistoryPage } from '../../../views/status/history-page.tsx';
import type { Route } from '../../route.ts';
import { HTML_PAGE, htmlPage } from '../html-page.ts';
import { pageRoute } from '../page-route.ts';
import { historyView, monthOf } from './history-view.ts';

const Text = Type.Optional(Type.String());

/** The route of the history, which shows one month at a time. */
export const historyRoutes: readonly Route[] = [
  pageRoute({
    path: '/history',
    summary: 'The incidents of a month, or those that match a search',
    produces: [HTML_PAGE],
    asOf: true,
    query: Type.Object({ month: Text, component: Text, impact: Text, q: Text }),
    answer: (visit, { query }, call) => {
      const { month, ...filter } = query;
      const isFiltered = Object.values(filter).some((value) => value !== '');
      if (isFiltered) call.limits.searches(addressLimitKey(call.clientAddress ?? undefined));
      const today = calendarOf(visit.page.time_zone).dayOf(visit.scope.now);
      return htmlPage(visit, {
        key: isFiltered ? null : `history ${monthOf(month, today)}`,
        view: async (framed) => HistoryPage(await historyView(visit, query, framed)),
      });
    },
  }),
];
