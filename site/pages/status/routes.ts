import { Type } from '@sinclair/typebox';
import { RANGES } from '../../../views/status/components.tsx';
import { StatusPage } from '../../../views/status/status-page.tsx';
import type { Route } from '../../route.ts';
import { HTML_PAGE, htmlPage } from '../html-page.ts';
import { pageRoute } from '../page-route.ts';
import { statusView } from './status-view.ts';

/** The root page, with the current status. */
export const statusRoutes: readonly Route[] = [
  pageRoute({
    path: '',
    summary: 'A status page',
    produces: [HTML_PAGE],
    asOf: true,
    query: Type.Object({ range: Type.Optional(Type.String()) }),
    answer: (visit, { query }) => {
      const range = RANGES.find((one) => one === query.range) ?? '90d';
      return htmlPage(visit, {
        key: `status ${range}`,
        view: async (framed) => StatusPage(await statusView(visit, range, framed)),
      });
    },
  }),
];
