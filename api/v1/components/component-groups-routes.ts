import type { Route } from '../../route.ts';
import { componentRoutesOf } from './route-family.ts';
import { GroupChange, NewGroup } from './schema.ts';

export const componentGroupRoutes: Route[] = componentRoutesOf({
  path: 'component-groups',
  tag: 'Component groups',
  noun: 'component group',
  pluralNoun: 'component groups',
  groupsOnly: true,
  newBody: NewGroup,
  changeBody: GroupChange,
});
