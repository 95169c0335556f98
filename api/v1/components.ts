import type { Route } from '../route.ts';
import { componentRoutesOf } from './component-routes.ts';
import { ComponentChange, NewComponent } from './component-schema.ts';

export const componentRoutes: Route[] = componentRoutesOf({
  path: 'components',
  tag: 'Components',
  one: 'component',
  many: 'components and component groups',
  groupsOnly: false,
  newBody: NewComponent,
  changeBody: ComponentChange,
});
