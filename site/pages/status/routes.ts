import { html } from '../../../http/media/types.ts';
import { ok } from '../../../http/routes/route.ts';
import { listComponents } from '../../../queries/pages/components.ts';
import { pageHtml } from '../../../views/document.tsx';
import { StatusPage } from '../../../views/status/status-page.tsx';
import type { Route } from '../../route.ts';
import { frameOf } from '../frame.ts';
import { pageRoute } from '../page-route.ts';

/** The page itself: how everything is now. */
export const statusRoutes: readonly Route[] = [
  pageRoute({
    path: '',
    summary: 'A status page',
    produces: [html()],
    answer: async (visit) => {
      const components = await listComponents(visit.scope, visit.page);
      return ok(() => pageHtml(StatusPage({ frame: frameOf(visit), components })));
    },
  }),
];
