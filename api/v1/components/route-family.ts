import type { TSchema } from '@sinclair/typebox';
import {
  addComponent,
  removeComponent,
  updateComponent,
  type NewComponent,
} from '../../../commands/pages/components.ts';
import { brokenResponseTimes, brokenTag, brokenWatch } from '../../../domain/page/component-checks.ts';
import { brokenPlace, type ComponentInput } from '../../../domain/page/components.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { components } from '../../../projections/components/projection.ts';
import { hasCheck } from '../../../queries/checks/find.ts';
import {
  componentWithStatus,
  findComponent,
  knownComponents,
  listShownComponents,
} from '../../../queries/pages/components.ts';
import type { Reading } from '../../../queries/engine/scope.ts';
import { wholeList } from '../../pagination.ts';
import { resource } from '../../resource.ts';
import type { Route } from '../../route.ts';
import { Component } from './schema.ts';
import { findNamedPage, pageParams } from '../pages/params.ts';
import type { Sentences } from '../../../http/validation-messages.ts';
import { presentComponent } from './present.ts';

/**
 * One of the two families of component endpoints: `/components` serves components and groups, `/component-groups`
 * groups only (decisions.md: Status pages, Component).
 */
export interface Family {
  /** last segment of the path */
  path: string;
  tag: string;
  /** singular for summaries */
  one: string;
  many: string;
  groupsOnly: boolean;
  newBody: TSchema & { static: NewComponent };
  changeBody: TSchema & { static: ComponentInput };
}

/** Errors in the references of a body (group, check, tag) and in its display settings, by field. */
const brokenNames = async (
  { group_id, check_id, check_tag, show_response_times }: Record<string, unknown>,
  isGroup: boolean,
  scope: Reading,
  pageId: string,
): Promise<Sentences> => {
  const broken: Sentences = {
    ...(typeof group_id === 'string' &&
      brokenPlace(await knownComponents(scope, pageId, [group_id]), isGroup, group_id)),
    ...brokenTag(isGroup, {
      check_id: typeof check_id === 'string' ? check_id : null,
      check_tag: typeof check_tag === 'string' ? check_tag : null,
    }),
    ...brokenResponseTimes(isGroup, show_response_times === true),
  };
  if (typeof check_id !== 'string') return broken;
  return { ...broken, ...brokenWatch(isGroup, check_id, await hasCheck(scope, check_id)) };
};

export const componentRoutesOf = ({ path, tag, one, many, groupsOnly, newBody, changeBody }: Family): Route[] => {
  const kinds = { groupsOnly };
  return resource({
    path: `/v1/pages/{page_id}/${path}`,
    id: 'component_id',
    tag,
    one,
    needs: { read: 'components.read', write: 'components.write' },
    above: { params: pageParams, find: findNamedPage },
    revised: ({ page_id, component_id }) => revisedIn('page', page_id, component_id),
    find: ({ params, scope }) => findComponent(scope, params, kinds),
    show: ({ params, scope }) => componentWithStatus(scope, params, kinds),
    answer: Component,
    present: presentComponent,
    list: {
      summary: `List ${many}`,
      description: 'The list is sorted by position, then by name.',
      style: wholeList,
      ask: ({ scope, found: page }) => listShownComponents(scope, page, kinds),
    },
    create: {
      summary: `Add a ${one}`,
      body: newBody,
      alsoRefused: ({ params: { page_id }, body, scope }) =>
        brokenNames(body, groupsOnly || body['group'] === true, scope, page_id),
      ask: ({ params: { page_id }, body, context, commands }) =>
        commands.ask(addComponent)(page_id, { ...body, ...(groupsOnly && { group: true }) }, context),
    },
    change: {
      body: changeBody,
      alsoRefused: ({ body, found, scope }) => brokenNames(body, found.group, scope, found.page_id),
      ask: ({ params: { page_id, component_id }, body, context, commands, found }) =>
        commands.ask(updateComponent)(page_id, component_id, body, found, context),
    },
    remove: {
      summary: `Remove a ${one}`,
      ...(groupsOnly && { description: 'Its components remain, without a group.' }),
      waitsFor: [components.name],
      ask: ({ params: { page_id, component_id }, context, commands }) =>
        commands.ask(removeComponent)(page_id, component_id, context),
    },
  });
};
