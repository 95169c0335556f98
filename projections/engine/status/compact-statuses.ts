import type { CompactStatuses, ProjectionStatus } from './protocol.ts';

/**
 * Compacts statuses that are sent to another thread. Most events change only the positions of projections, so only the
 * positions are sent in this case.
 *
 * @returns a function that compacts statuses, and remembers what was sent before
 */
export const createStatusCompactor = (): ((statuses: readonly ProjectionStatus[]) => CompactStatuses) => {
  const sent = new Map<string, ProjectionStatus>();
  return (statuses) => {
    const changed: ProjectionStatus[] = [];
    const moved = new Map<bigint, string[]>();
    for (const status of statuses) {
      const { name, position } = status;
      const before = sent.get(name);
      sent.set(name, status);
      if (!before || !isSameButPosition(before, status)) changed.push(status);
      else {
        const names = moved.get(position);
        if (names) names.push(name);
        else moved.set(position, [name]);
      }
    }
    return { statuses: changed, moved: [...moved].map(([position, names]) => ({ position, names })) };
  };
};

/** Restores compacted statuses. @param of returns the previous status of a projection by name */
export const expandStatuses = (
  { statuses, moved }: CompactStatuses,
  of: (name: string) => ProjectionStatus,
): ProjectionStatus[] => [
  ...statuses,
  ...moved.flatMap(({ position, names }) => names.map((name) => ({ ...of(name), position }))),
];

const isSameButPosition = (one: ProjectionStatus, other: ProjectionStatus): boolean =>
  one.state === other.state &&
  one.generation === other.generation &&
  one.oldest === null &&
  other.oldest === null &&
  one.error === null &&
  other.error === null &&
  one.set_aside === other.set_aside;
