import { Type, type TSchema } from '@sinclair/typebox';
import type { NewComponent } from '../../../commands/components.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { NotFound } from '../../../domain/errors.ts';
import type { KnownComponents } from '../../../domain/incident/named-components.ts';
import { brokenPlace, type ComponentInput } from '../../../domain/page/components.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { components } from '../../../projections/components/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { Component } from './schema.ts';
import { afterStatusOf } from '../incidents/fact-time.ts';
import { findPage, pageParams, PageParams } from '../pages/find-page.ts';
import { knownComponents } from '../incidents/refusals.ts';
import type { Sentences } from '../../../http/sentences.ts';
import { shownComponent, shownComponents } from './shown.ts';

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

interface Looking {
  params: { page_id: string; component_id: string };
  context: CommandContext;
  read: Read;
}

export const componentRoutesOf = ({ path, tag, one, many, groupsOnly, newBody, changeBody }: Family): Route[] => {
  const all = `/v1/pages/{page_id}/${path}`;
  const byId = `${all}/{component_id}`;
  const params = Type.Object({ ...pageParams, component_id: Id });

  const find = async ({ params: { page_id, component_id }, context, read }: Looking): Promise<ComponentDocument> => {
    await findPage({ params: { page_id }, context, read });
    const component = await read(components).components.get(component_id);
    const there = component?.page_id === page_id && (component.group || !groupsOnly);
    if (!there) throw new NotFound(`There is no such ${one}.`);
    return component;
  };

  const list = async (pageId: string, read: Read): Promise<Component[]> => {
    const found = await read(components).components.find({
      where: { page_id: pageId },
      sort: { position: 1, name: 1 },
    });
    return shownComponents(found).filter(({ group }) => group || !groupsOnly);
  };

  const show = async (looking: Looking): Promise<Component> => {
    const component = await find(looking);
    if (!component.group) return shownComponent(component, []);
    const members = await looking.read(components).components.find({ where: { group_id: component.id } });
    return shownComponent(component, members);
  };

  return [
    route({
      methods: ['get'],
      path: all,
      summary: `The ${many} of a page, by position, then by name`,
      tag,
      access: { needs: 'components.read' },
      params: PageParams,
      answers: { 200: Type.Array(Component) },
      find: findPage,
      handle: ({ params: { page_id }, read }) => ok(() => list(page_id, read)),
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
      find: findPage,
      alsoRefused: async ({ params: { page_id }, body, read }) =>
        brokenGroup(body, groupsOnly || body['group'] === true, await knownComponents(page_id, read)),
      handle: async ({ params: { page_id }, body, context, commands, read }) => {
        const input = { ...body, ...(groupsOnly && { group: true }) };
        const component_id = await commands.components.add(page_id, input, context);
        return created(`/v1/pages/${page_id}/${path}/${component_id}`, component_id, () =>
          show({ params: { page_id, component_id }, context, read }),
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
      handle: (call) => ok(() => show(call)),
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
      alsoRefused: async ({ params: asked, body, found, read }) =>
        brokenGroup(body, found.group, await knownComponents(asked.page_id, read)),
      handle: async ({ params: asked, body, context, commands, read, found }) => {
        const { page_id, component_id } = asked;
        await commands.components.update(page_id, component_id, body, found, afterStatusOf([found], context));
        return ok(() => show({ params: asked, context, read }));
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
