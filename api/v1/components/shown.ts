import { worstStatus } from '../../../domain/page/component-status.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { presenting } from '../../present.ts';
import { Component } from './schema.ts';

const shown = presenting(Component);

/**
 * A component as the API shows it. A group is as bad as the worst of its components
 * (decisions.md: Status pages, Component), which are to be found in `members`.
 */
export const shownComponent = (component: ComponentDocument, members: readonly ComponentDocument[]): Component => {
  if (!component.group) return shown(component);
  const statuses = members.filter(({ group_id }) => group_id === component.id).map(({ status }) => status);
  return shown({ ...component, status: worstStatus(statuses) });
};

/** All components and groups of a page, as the API shows them. */
export const shownComponents = (components: readonly ComponentDocument[]): Component[] => {
  const statuses = new Map<string, ComponentDocument[]>();
  for (const component of components) {
    if (component.group_id === null) continue;
    const members = statuses.get(component.group_id);
    if (members) members.push(component);
    else statuses.set(component.group_id, [component]);
  }
  return components.map((component) => shownComponent(component, statuses.get(component.id) ?? []));
};
