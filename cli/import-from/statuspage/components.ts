import type { Fields } from '../../../domain/fields.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../../domain/page/component-status.ts';
import { MAX_NAME, MAX_TEXT } from '../../../domain/page/rules.ts';
import { MAX_POSITION } from '../../../domain/position.ts';
import { isCalendarDay } from '../../../domain/time.ts';
import type { ComponentEntry, NamedEntry, Reference } from '../../configuration/model.ts';
import type { Documents } from './documents.ts';
import type { Remarks } from '../remarks.ts';
import { booleanOf, cut, objectsOf, oneOf, textOf } from './values.ts';

/** The components of a page, and what refers to them. */
export interface PageParts {
  component_groups: NamedEntry[];
  components: ComponentEntry[];
  /** current status by component */
  statuses: { component: Reference; status: ComponentStatus }[];
  /** references to components by their ids; the components of a group by the id of the group */
  references: ReadonlyMap<string, readonly Reference[]>;
  /** references to components by their names; several components can have the same name */
  named: ReadonlyMap<string, readonly Reference[]>;
}

/** A component or group of Statuspage. */
interface Part {
  id: string;
  fields: Fields;
  /** id of the group; null for a group and for a component without one */
  groupId: string | null;
  position: number;
}

/** Maps the groups and components of a page. */
export const partsOf = (documents: Documents, remarks: Remarks): PageParts => {
  const groups = groupsIn(documents);
  const groupOf = new Map(
    groups.flatMap(({ id, fields }) => memberIdsOf(fields).map((member): [string, string] => [member, id])),
  );
  const isGroup = new Set(groups.map(({ id }) => id));
  const components = documents.components
    .filter((fields) => fields['group'] !== true)
    .map((fields, index): Part => {
      const id = textOf(fields['id']) ?? `component ${index}`;
      const groupId = textOf(fields['group_id']) ?? groupOf.get(id) ?? groupNamed(groups, fields['group_name']);
      return {
        id,
        fields,
        groupId: groupId !== null && isGroup.has(groupId) ? groupId : null,
        position: positionOf(fields),
      };
    })
    .sort((a, b) => a.position - b.position);
  const names = new Map<string, string>();
  const unique = uniqueNames(remarks);
  for (const { id, fields } of groups) names.set(id, unique('group', textOf(fields['name']) ?? 'Group', null));
  // A component without a group gets its name last, because no group distinguishes it from others of the same name.
  for (const { id, fields, groupId } of [...components].sort((a, b) => Number(!a.groupId) - Number(!b.groupId))) {
    names.set(id, unique('component', textOf(fields['name']) ?? 'Component', groupId));
  }
  const count = new Map<string, number>();
  for (const { id } of components) count.set(names.get(id) ?? '', (count.get(names.get(id) ?? '') ?? 0) + 1);
  const referenceOf = ({ id, groupId }: Part): Reference => {
    const name = names.get(id) ?? '';
    return groupId !== null && (count.get(name) ?? 0) > 1 ? { group: names.get(groupId) ?? '', name } : name;
  };
  const named = new Map<string, Reference[]>();
  for (const part of components) {
    const name = textOf(part.fields['name']) ?? '';
    named.set(name, [...(named.get(name) ?? []), referenceOf(part)]);
    remarkOn(part.fields, names.get(part.id) ?? '', remarks);
  }
  const membersOf = (id: string): Reference[] => components.filter(({ groupId }) => groupId === id).map(referenceOf);
  return {
    component_groups: groups.map(({ id, fields, position }) => ({
      ...commonFields(fields, names.get(id) ?? ''),
      position,
    })),
    components: components.map(({ id, fields, groupId, position }) => ({
      ...commonFields(fields, names.get(id) ?? ''),
      position,
      ...(groupId !== null && { group: names.get(groupId) ?? null }),
    })),
    statuses: components.map((part) => ({
      component: referenceOf(part),
      status: oneOf(COMPONENT_STATUSES, part.fields['status']) ?? 'operational',
    })),
    references: new Map([
      ...groups.map(({ id }): [string, Reference[]] => [id, membersOf(id)]),
      ...components.map((part): [string, Reference[]] => [part.id, [referenceOf(part)]]),
    ]),
    named,
  };
};

/** Returns the groups: those of the list of groups, those among the components, and those that a CSV file names. */
const groupsIn = ({ component_groups, components }: Documents): Part[] => {
  const found = new Map<string, Part>();
  for (const fields of [...components.filter((one) => one['group'] === true), ...component_groups]) {
    const id = textOf(fields['id']) ?? `group ${found.size}`;
    found.set(id, { id, fields: { ...found.get(id)?.fields, ...fields }, groupId: null, position: positionOf(fields) });
  }
  const known = new Set([...found.values()].map(({ fields }) => fields['name']));
  for (const { group_name } of components) {
    const name = textOf(group_name);
    if (name === null || known.has(name)) continue;
    known.add(name);
    const id = `group named ${name}`;
    found.set(id, { id, fields: { name }, groupId: null, position: found.size + 1 });
  }
  return [...found.values()].sort((a, b) => a.position - b.position);
};

const groupNamed = (groups: readonly Part[], name: unknown): string | null =>
  typeof name === 'string' ? (groups.find(({ fields }) => fields['name'] === name)?.id ?? null) : null;

const memberIdsOf = ({ components }: Fields): string[] =>
  Array.isArray(components)
    ? [...components.map(textOf), ...objectsOf(components).map(({ id }) => textOf(id))].filter((id) => id !== null)
    : [];

const positionOf = ({ position }: Fields): number => {
  const number = Math.trunc(Number(position));
  return Number.isFinite(number) ? Math.min(Math.max(number, 1), MAX_POSITION) : 1;
};

const commonFields = (fields: Fields, name: string): NamedEntry => {
  const { showcase, only_show_if_degraded: hidden, start_date: start } = fields;
  const description = textOf(fields['description']);
  const day = typeof start === 'string' ? start.slice(0, 10) : '';
  return {
    name,
    description: description === null ? null : cut(description, MAX_TEXT),
    ...(booleanOf(showcase) !== null && { showcase }),
    ...(booleanOf(hidden) !== null && { only_show_if_degraded: hidden }),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(day) && isCalendarDay(day) && { start_date: day }),
  };
};

/**
 * Returns names that identify objects: a group by its name, a component by its name and the name of its group, and a
 * component without a group by its name alone. A name that is taken gets a number.
 */
const uniqueNames = (remarks: Remarks) => {
  const taken = new Set<string>();
  return (kind: 'group' | 'component', name: string, group: string | null): string => {
    const key = (candidate: string, scope = group): string => JSON.stringify([kind, scope, candidate]);
    const whole = cut(name, MAX_NAME);
    let candidate = whole;
    for (let number = 2; taken.has(key(candidate)); number++) {
      const suffix = ` (${number})`;
      candidate = `${cut(whole, MAX_NAME - suffix.length)}${suffix}`;
    }
    if (candidate !== name)
      remarks.add(`The ${kind} was renamed: names are unique and have at most ${MAX_NAME} characters.`, candidate);
    taken.add(key(candidate));
    taken.add(key(candidate, null));
    return candidate;
  };
};

const remarkOn = ({ automation_email }: Fields, name: string, remarks: Remarks): void => {
  if (textOf(automation_email) === null) return;
  remarks.add(
    'Uptrail sets no status by e-mail. Let a check watch the component and add an alert channel of type statuspage.',
    name,
  );
};
