import { Type, type TSchema } from '@sinclair/typebox';
import type { NewComponent } from '../../../commands/components.ts';
import type { KnownComponents } from '../../../domain/incident/named-components.ts';
import { brokenPlace, type ComponentInput } from '../../../domain/page/components.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { components } from '../../../projections/components/projection.ts';
import {
  componentWithStatus,
  findComponent,
  knownComponents,
  listComponents,
  type ComponentPlace,
} from '../../../queries/components.ts';
import type { Scope } from '../../../queries/scope.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { Component } from './schema.ts';
import { afterStatusOf } from '../incidents/fact-time.ts';
import { findNamedPage, pageParams, PageParams } from '../pages/params.ts';
import type { Sentences } from '../../../http/sentences.ts';
import { presentComponent } from './present.ts';

/**
 * One of the two families of endpoints for components: `/components` serves components and groups,
 * `/component-groups` groups only (decisions.md: Status pages, Component).
 */
export interface Family {
  /** last part of the path */
  path: string;
  tag: string;
  /** what one is called in summaries */
  one: string;
  many: string;
  groupsOnly: boolean;
  newBody: TSchema & { static: NewComponent };
  changeBody: TSchema & { static: ComponentInput };
}

/** What is wrong with the group that a body names, where it names one. */
const brokenGroup = ({ group_id: id }: Record<string, unknown>, isGroup: boolean, page: KnownComponents): Sentences =>
  typeof id === 'string' ? brokenPlace(page, isGroup, id) : {};

export const componentRoutesOf = ({ path, tag, one, many, groupsOnly, newBody, changeBody }: Family): Route[] => {
  const all = `/v1/pages/{page_id}/${path}`;
  const byId = `${all}/{component_id}`;
  const params = Type.Object({ ...pageParams, component_id: Id });

  const kinds = { groupsOnly };
  const find = (call: { params: ComponentPlace; scope: Scope }): Promise<ComponentDocument> =>
    findComponent(call.scope, call.params, kinds);
  /** The component as it is after what this request has done. */
  const show = async (scope: Scope, place: ComponentPlace): Promise<Component> =>
    presentComponent(await componentWithStatus(scope, place, kinds));

  return [
    route({
      methods: ['get'],
      path: all,
      summary: `The ${many} of a page, by position, then by name`,
      tag,
      access: { needs: 'components.read' },
      params: PageParams,
      answers: { 200: Type.Array(Component) },
      find: findNamedPage,
      handle: ({ scope, found: page }) =>
        ok(async () => (await listComponents(scope, page, kinds)).map((component) => presentComponent(component))),
    }),
    route({
      methods: ['post'],
      path: all,
      summary: `Add a ${one} to a page`,
      tag,
      access: { needs: 'components.write' },
      params: PageParams,
      body: newBody,
      answers: { 201: Component },
      find: findNamedPage,
      alsoRefused: async ({ params: { page_id }, body, scope }) =>
        brokenGroup(body, groupsOnly || body['group'] === true, await knownComponents(scope, page_id)),
      handle: async ({ params: { page_id }, body, context, commands, scope }) => {
        const input = { ...body, ...(groupsOnly && { group: true }) };
        const component_id = await commands.components.add(page_id, input, context);
        return created(`/v1/pages/${page_id}/${path}/${component_id}`, component_id, () =>
          show(scope, { page_id, component_id }),
        );
      },
    }),
    route({
      methods: ['get'],
      path: byId,
      summary: `One ${one}`,
      tag,
      access: { needs: 'components.read' },
      params,
      answers: { 200: Component },
      handle: ({ params: place, scope }) => ok(() => show(scope, place)),
    }),
    route({
      methods: ['put', 'patch'],
      path: byId,
      summary: `Change a ${one}; fields that are absent stay`,
      tag,
      access: { needs: 'components.write' },
      params,
      body: changeBody,
      answers: { 200: Component },
      find,
      alsoRefused: async ({ body, found, scope }) =>
        brokenGroup(body, found.group, await knownComponents(scope, found.page_id)),
      handle: async ({ params: place, body, context, commands, scope, found }) => {
        const { page_id, component_id } = place;
        await commands.components.update(page_id, component_id, body, found, afterStatusOf([found], context));
        return ok(() => show(scope, place));
      },
    }),
    route({
      methods: ['delete'],
      path: byId,
      summary: `Remove a ${one}${groupsOnly ? '; its components stay, in no group' : ''}`,
      tag,
      access: { needs: 'components.write' },
      params,
      answers: { 204: null },
      waitsFor: [components.name],
      find,
      handle: async ({ params: { page_id, component_id }, context, commands }) => {
        await commands.components.remove(page_id, component_id, context);
        return noContent();
      },
    }),
  ];
};
