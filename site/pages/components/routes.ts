import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { visibleComponents } from '../../../domain/page/visible.ts';
import { html } from '../../../http/media/types.ts';
import { ok } from '../../../http/routes/route.ts';
import { listComponents } from '../../../queries/pages/components.ts';
import { pageHtml } from '../../../views/document.tsx';
import { ComponentPage } from '../../../views/status/component-page.tsx';
import { RANGES } from '../../../views/status/components.tsx';
import { GroupPage } from '../../../views/status/group-page.tsx';
import type { Route } from '../../route.ts';
import { frameOf } from '../frame.ts';
import { pageRoute } from '../page-route.ts';
import { componentViews } from '../status/component-views.ts';
import { componentPageView } from './component-page-view.ts';

/** The pages of components and groups. */
export const componentRoutes: readonly Route[] = [
  pageRoute({
    path: '/components/{component_id}',
    summary: 'A component, day by day',
    produces: [html()],
    answer: async (visit, { params: { component_id: id = '' } }) => {
      const view = await componentPageView(visit, id);
      return ok(() => pageHtml(ComponentPage(view)));
    },
  }),
  pageRoute({
    path: '/groups/{group_id}',
    summary: 'A group of components',
    produces: [html()],
    query: Type.Object({ range: Type.Optional(Type.String()) }),
    answer: async (visit, { params: { group_id: id = '' }, query }) => {
      const all = visibleComponents(await listComponents(visit.scope, visit.page));
      const shown = all.filter((one) => (one.group ? one.id === id : one.group_id === id));
      const frame = frameOf(visit);
      const range = RANGES.find((one) => one === query.range) ?? '90d';
      const { sections, list, barCount } = await componentViews(visit, frame, shown, range);
      const [group] = sections;
      if (!group || !('components' in group)) throw new NotFound('Not found.');
      return ok(() => pageHtml(GroupPage({ frame, group, components: list, barCount })));
    },
  }),
];
