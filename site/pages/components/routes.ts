import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { visibleComponents } from '../../../domain/page/visible-components.ts';
import { listComponents } from '../../../queries/pages/components.ts';
import { ComponentPage } from '../../../views/status/component-page.tsx';
import { RANGES, type RangeName } from '../../../views/status/components.tsx';
import { GroupPage, type GroupPageProps } from '../../../views/status/group-page.tsx';
import type { Route } from '../../route.ts';
import { HTML_PAGE, htmlPage, type FrameFactory } from '../html-page.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { componentViews } from '../status/component-views.ts';
import { componentPageView } from './component-page-view.ts';

/** The pages of components and groups. */
export const componentRoutes: readonly Route[] = [
  pageRoute({
    path: '/components/{component_id}',
    summary: 'A component, day by day',
    produces: [HTML_PAGE],
    asOf: true,
    answer: (visit, { params: { component_id: id = '' } }) =>
      htmlPage(visit, {
        key: `component ${id}`,
        view: async (framed) => ComponentPage(await componentPageView(visit, id, framed)),
      }),
  }),
  pageRoute({
    path: '/groups/{group_id}',
    summary: 'A group of components',
    produces: [HTML_PAGE],
    asOf: true,
    query: Type.Object({ range: Type.Optional(Type.String()) }),
    answer: (visit, { params: { group_id: id = '' }, query }) => {
      const range = RANGES.find((one) => one === query.range) ?? '90d';
      return htmlPage(visit, {
        key: `group ${id} ${range}`,
        view: async (framed) => GroupPage(await groupPageView(visit, id, range, framed)),
      });
    },
  }),
];

/** Returns the view model of a group's page. @throws NotFound */
const groupPageView = async (
  visit: PageVisit,
  id: string,
  range: RangeName,
  framed: FrameFactory,
): Promise<GroupPageProps> => {
  const all = visibleComponents(await listComponents(visit.scope, visit.page));
  const shown = all.filter((one) => (one.group ? one.id === id : one.group_id === id));
  const found = shown.find(({ group }) => group);
  if (!found) throw new NotFound('Not found.');
  const frame = framed({
    path: `groups/${id}`,
    title: found.name,
    about: { kind: 'group', id, name: found.name },
  });
  const { sections, list } = await componentViews(visit, frame, shown, range);
  const [group] = sections;
  if (!group || !('components' in group)) throw new NotFound('Not found.');
  return { frame, group, components: list };
};
