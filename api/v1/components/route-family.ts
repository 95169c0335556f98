import type { TSchema } from '@sinclair/typebox';
import {
  addComponent,
  removeComponent,
  updateComponent,
  type NewComponent,
} from '../../../commands/pages/components.ts';
import { responseTimesErrors, tagErrors, sourceErrors } from '../../../domain/page/component-checks.ts';
import { positionErrors, type ComponentInput } from '../../../domain/page/components.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { components } from '../../../projections/components/projection.ts';
import { hasCheck } from '../../../queries/checks/find.ts';
import {
  componentWithStatus,
  findComponent,
  knownComponents,
  listShownComponents,
} from '../../../queries/pages/components.ts';
import type { ReadScope } from '../../../queries/engine/scope.ts';
import { unpaginated } from '../../pagination.ts';
import { resource } from '../../resource.ts';
import type { Route } from '../../route.ts';
import { Component } from './schema.ts';
import { findPageInPath, pageParams } from '../pages/params.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { presentComponent } from './present.ts';

/**
 * One of the two families of component endpoints: `/components` serves components and groups, `/component-groups`
 * groups only (docs/reference/components.md#groups).
 */
export interface ComponentRouteFamily {
  /** last segment of the path */
  path: string;
  tag: string;
  /** Singular noun for summaries. */
  noun: string;
  pluralNoun: string;
  groupsOnly: boolean;
  newBody: TSchema & { static: NewComponent };
  changeBody: TSchema & { static: ComponentInput };
}

/** Returns the errors in the references of a body (group, check, tag) and in its display settings, by field. */
const brokenNames = async (
  { group_id, check_id, check_tag, show_response_times }: Record<string, unknown>,
  isGroup: boolean,
  scope: ReadScope,
  pageId: string,
): Promise<FieldMessages> => {
  const broken: FieldMessages = {
    ...(typeof group_id === 'string' &&
      positionErrors(await knownComponents(scope, pageId, [group_id]), isGroup, group_id)),
    ...tagErrors(isGroup, {
      check_id: typeof check_id === 'string' ? check_id : null,
      check_tag: typeof check_tag === 'string' ? check_tag : null,
    }),
    ...responseTimesErrors(isGroup, show_response_times === true),
  };
  if (typeof check_id !== 'string') return broken;
  return { ...broken, ...sourceErrors(isGroup, check_id, await hasCheck(scope, check_id)) };
};

export const componentRoutesOf = ({
  path,
  tag,
  noun,
  pluralNoun,
  groupsOnly,
  newBody,
  changeBody,
}: ComponentRouteFamily): Route[] => {
  const kinds = { groupsOnly };
  return resource({
    path: `/v1/pages/{page_id}/${path}`,
    id: 'component_id',
    tag,
    noun,
    needs: { read: 'components.read', write: 'components.write' },
    parent: { params: pageParams, find: findPageInPath },
    revised: ({ page_id, component_id }) => revisedIn('page', page_id, component_id),
    find: ({ params, scope }) => findComponent(scope, params, kinds),
    show: ({ params, scope }) => componentWithStatus(scope, params, kinds),
    schema: Component,
    present: presentComponent,
    list: {
      summary: `List ${pluralNoun}`,
      description: 'The list is sorted by position, then by name.',
      style: unpaginated,
      ask: ({ scope, found: page }) => listShownComponents(scope, page, kinds),
    },
    create: {
      summary: `Add a ${noun}`,
      body: newBody,
      alsoRefused: ({ params: { page_id }, body, scope }) =>
        brokenNames(body, groupsOnly || body['group'] === true, scope, page_id),
      ask: ({ params: { page_id }, body, context, commands }) =>
        commands.bind(addComponent)(page_id, { ...body, ...(groupsOnly && { group: true }) }, context),
    },
    change: {
      body: changeBody,
      alsoRefused: ({ body, found, scope }) => brokenNames(body, found.group, scope, found.page_id),
      ask: ({ params: { page_id, component_id }, body, context, commands, found }) =>
        commands.bind(updateComponent)(page_id, component_id, body, found, context),
    },
    remove: {
      summary: `Remove a ${noun}`,
      ...(groupsOnly && { description: 'Its components remain, without a group.' }),
      waitsFor: [components.name],
      ask: ({ params: { page_id, component_id }, context, commands }) =>
        commands.bind(removeComponent)(page_id, component_id, context),
    },
  });
};
