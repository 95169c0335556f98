import { Type } from '@sinclair/typebox';
import { html } from '../../../http/media/types.ts';
import { ok } from '../../../http/routes/route.ts';
import { pageHtml } from '../../../views/document.tsx';
import { HistoryPage } from '../../../views/status/history-page.tsx';
import type { Route } from '../../route.ts';
import { pageRoute } from '../page-route.ts';
import { historyView } from './history-view.ts';

const Text = Type.Optional(Type.String());

/** What happened, by month. */
export const historyRoutes: readonly Route[] = [
  pageRoute({
    path: '/history',
    summary: 'The incidents of a month, or those that match a search',
    produces: [html()],
    query: Type.Object({ month: Text, component: Text, impact: Text, q: Text }),
    answer: async (visit, { query }) => {
      const view = await historyView(visit, query);
      return ok(() => pageHtml(HistoryPage(view)));
    },
  }),
];
