import type { Route } from '../route.ts';
import { componentRoutesOf } from './component-routes.ts';
import { GroupChange, NewGroup } from './component-schema.ts';

export const componentGroupRoutes: Route[] = componentRoutesOf({
  path: 'component-groups',
  tag: 'Component groups',
  one: 'component group',
  many: 'component groups',
  groupsOnly: true,
  newBody: NewGroup,
  changeBody: GroupChange,
});
