import { Type } from '@sinclair/typebox';
import { html } from '../../../http/media/types.ts';
import { RANGES } from '../../../views/status/components.tsx';
import { pageHtml } from '../../../views/document.tsx';
import { StatusPage } from '../../../views/status/status-page.tsx';
import type { Route } from '../../route.ts';
import { cachedPage } from '../cache/cached-page.ts';
import { pageRoute } from '../page-route.ts';
import { statusView } from './status-view.ts';

/** The page itself: how everything is now. */
export const statusRoutes: readonly Route[] = [
  pageRoute({
    path: '',
    summary: 'A status page',
    produces: [html()],
    query: Type.Object({ range: Type.Optional(Type.String()) }),
    answer: (visit, { query }) => {
      const range = RANGES.find((one) => one === query.range) ?? '90d';
      return cachedPage(visit, {
        key: `status ${range}`,
        make: async () => pageHtml(StatusPage(await statusView(visit, range))),
      });
    },
  }),
];
