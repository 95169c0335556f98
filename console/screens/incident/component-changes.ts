import type { ComponentStatus, Incident } from './editor/draft.ts';

/** A status that an update set for a component, with the time. */
export interface ComponentStatusChange {
  at: string;
  status: ComponentStatus;
}

/** Returns a map from the id of each component of an incident to its status changes, oldest first. */
export const statusChangesOf = ({
  incident_updates,
}: Pick<Incident, 'incident_updates'>): ReadonlyMap<string, readonly ComponentStatusChange[]> => {
  const course = new Map<string, ComponentStatusChange[]>();
  for (const { created_at: at, components } of [...incident_updates].reverse()) {
    for (const [id, status] of Object.entries(components)) {
      const steps = course.get(id) ?? [];
      if (steps.at(-1)?.status !== status) steps.push({ at, status });
      course.set(id, steps);
    }
  }
  return course;
};
