/** The properties that determine the order of groups: position, then name. */
export interface Positioned {
  id: string;
  position: number;
}

/**
 * Returns the smallest set of position changes that moves a group, the change nearest to the end of the list first. If
 * the changes are applied one by one in this order, no two other groups swap places.
 *
 * @param groups all groups, in order
 * @param to new index of the group, from 0
 */
export const positionsFor = (groups: readonly Positioned[], id: string, to: number): Positioned[] => {
  const from = groups.findIndex((group) => group.id === id);
  const moved = groups[from];
  if (!moved || from === to) return [];
  const order = groups.filter((group) => group !== moved);
  order.splice(to, 0, moved);
  const changes: Positioned[] = [];
  let last = order[to - 1]?.position ?? 0;
  for (const group of order.slice(to)) {
    const next = order[to + 1]?.position ?? last + 2;
    // The moved group gets a position between those of its neighbours, if one is free.
    const wanted = group === moved ? Math.max(last + 1, Math.floor((last + next) / 2)) : group.position;
    const position = Math.max(last + 1, wanted);
    if (position !== group.position) changes.push({ id: group.id, position });
    last = position;
  }
  return changes.reverse();
};

/** Returns groups with new positions, sorted accordingly. */
export const withPositions = <Group extends Positioned & { name: string }>(
  groups: readonly Group[],
  changes: readonly Positioned[],
): Group[] => {
  const positions = new Map(changes.map(({ id, position }) => [id, position]));
  return groups
    .map((group) => ({ ...group, position: positions.get(group.id) ?? group.position }))
    .sort((one, other) => one.position - other.position || one.name.localeCompare(other.name));
};
