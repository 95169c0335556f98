import type { Schemas } from '../../../api/openapi.d.ts';

export type Component = Schemas['Component'];

/** An ungrouped component, or a group with its components, in the page's order. */
export interface Branch {
  component: Component;
  members: readonly Component[];
}
export type Tree = readonly Branch[];

const byPlace = (a: Component, b: Component): number =>
  a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1);

/** Arranges components and groups as a tree. */
export const treeOf = (components: readonly Component[]): Tree => {
  const sorted = [...components].sort(byPlace);
  const groups = new Set(components.filter(({ group }) => group).map(({ id }) => id));
  const isTop = ({ group_id }: Component): boolean => group_id === null || !groups.has(group_id);
  return sorted.filter(isTop).map((component) => ({
    component,
    members: sorted.filter(({ group_id }) => component.group && group_id === component.id),
  }));
};

/** A position in a tree. `group`: id of the group, or null for the top level. `index` counts from 0. */
export interface TreePosition {
  group: string | null;
  index: number;
}

/** Returns the position of a component, or null if the component is not in the tree. */
export const treePositionOf = (tree: Tree, id: string): TreePosition | null => {
  const index = tree.findIndex(({ component }) => component.id === id);
  if (index >= 0) return { group: null, index };
  for (const { component, members } of tree) {
    const at = members.findIndex((member) => member.id === id);
    if (at >= 0) return { group: component.id, index: at };
  }
  return null;
};

/**
 * Returns the position of a component after it was moved up or down by one step. A step moves the component past its
 * neighbour or into an adjacent group. If the component is at an end of its group, the step moves the component out of
 * the group.
 *
 * @returns the position in the tree from which the component has been removed, or null if the component can't move
 * further
 */
export const stepOf = (tree: Tree, id: string, direction: -1 | 1): TreePosition | null => {
  const spot = treePositionOf(tree, id);
  if (!spot) return null;
  const { group, index } = spot;
  if (group === null) {
    const neighbour = tree[index + direction];
    if (!neighbour) return null;
    const enters = neighbour.component.group && !tree[index]?.component.group;
    if (!enters) return { group: null, index: index + direction };
    return { group: neighbour.component.id, index: direction < 0 ? neighbour.members.length : 0 };
  }
  const own = tree.findIndex(({ component }) => component.id === group);
  const next = index + direction;
  if (next >= 0 && next < (tree[own]?.members.length ?? 0)) return { group, index: next };
  return { group: null, index: direction < 0 ? own : own + 1 };
};

const inserted = <T>(list: readonly T[], index: number, item: T): T[] => [
  ...list.slice(0, index),
  item,
  ...list.slice(index),
];

/**
 * Moves a component to another position in the tree. A group stays at the top level.
 *
 * @param to position in the tree without the component
 */
export const movedTo = (tree: Tree, id: string, to: TreePosition): Tree => {
  const branch = tree.find(({ component }) => component.id === id);
  const component = branch?.component ?? tree.flatMap(({ members }) => members).find((one) => one.id === id);
  if (!component || (component.group && to.group !== null)) return tree;
  const rest = tree
    .filter((one) => one !== branch)
    .map((one) => ({ ...one, members: one.members.filter((member) => member.id !== id) }));
  const moved = { ...component, group_id: to.group };
  if (to.group === null) return inserted(rest, to.index, { component: moved, members: branch?.members ?? [] });
  return rest.map((one) =>
    one.component.id === to.group ? { ...one, members: inserted(one.members, to.index, moved) } : one,
  );
};

/** A change to send for a component after a move. */
export interface ComponentMove {
  id: string;
  group_id: string | null;
  position: number;
}

/**
 * Returns the changes that give siblings their new order. The moved sibling gets the position number after that of its
 * predecessor. The other siblings keep their position numbers if the order allows it.
 */
const placedIn = (
  siblings: readonly Component[],
  group: string | null,
  before: ReadonlyMap<string, Component>,
  movedId: string,
): ComponentMove[] => {
  let last = 0;
  return siblings.flatMap(({ id }) => {
    const was = before.get(id);
    const own = id === movedId ? 0 : (was?.position ?? 0);
    last = own > last ? own : last + 1;
    const isSame = was?.position === last && (was.group || was.group_id === group);
    return isSame ? [] : [{ id, group_id: group, position: last }];
  });
};

/**
 * Returns the requests that give the page's components the order of `tree`, in which one component was moved.
 *
 * @param components the components in their stored order
 */
export const componentMoves = (components: readonly Component[], tree: Tree, movedId: string): ComponentMove[] => {
  const before = new Map(components.map((component) => [component.id, component]));
  const top = tree.map(({ component }) => component);
  return [
    ...placedIn(top, null, before, movedId),
    ...tree.flatMap(({ component, members }) =>
      component.group ? placedIn(members, component.id, before, movedId) : [],
    ),
  ];
};

/** Applies changes to components, as the service does. */
export const withMoves = (components: readonly Component[], all: readonly ComponentMove[]): Component[] => {
  const byId = new Map(all.map((placing) => [placing.id, placing]));
  return components.map((component) => ({ ...component, ...byId.get(component.id) }));
};
