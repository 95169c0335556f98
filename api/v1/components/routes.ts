import type { Route } from '../../route.ts';
import { componentRoutesOf } from './route-family.ts';
import { ComponentChange, NewComponent } from './schema.ts';

export const componentRoutes: Route[] = componentRoutesOf({
  path: 'components',
  tag: 'Components',
  noun: 'component',
  pluralNoun: 'components and component groups',
  groupsOnly: false,
  newBody: NewComponent,
  changeBody: ComponentChange,
});
