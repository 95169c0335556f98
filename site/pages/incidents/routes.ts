import { Type } from '@sinclair/typebox';
import { IncidentPage } from '../../../views/status/incident-page.tsx';
import type { Route } from '../../route.ts';
import { HTML_PAGE, htmlPage } from '../html-page.ts';
import { pageRoute } from '../page-route.ts';
import { incidentPageView } from './incident-page-view.ts';

const KINDS = [
  { path: '/incidents/{incident_id}', kind: 'regular', summary: 'An incident with all of its updates' },
  { path: '/maintenances/{incident_id}', kind: 'maintenance', summary: 'A maintenance with all of its updates' },
] as const;

/** The pages of incidents and maintenances. */
export const incidentRoutes: readonly Route[] = KINDS.map(({ path, kind, summary }) =>
  pageRoute({
    path,
    summary,
    produces: [HTML_PAGE],
    asOf: true,
    query: Type.Object({ page: Type.Optional(Type.String()) }),
    answer: (visit, { params: { incident_id: id = '' }, query }) => {
      const page = /^[1-9]\d{0,3}$/.test(query.page ?? '') ? Number(query.page) : 1;
      return htmlPage(visit, {
        key: `${kind} ${id} ${page}`,
        view: async (framed) => IncidentPage(await incidentPageView(visit, kind, { id, page }, framed)),
      });
    },
  }),
);
