import type { RecordedEvent } from '../../domain/event.ts';
import { componentsNamedIn } from '../../domain/incident/event.ts';
import type { IncidentEvent } from '../../domain/incident/events.ts';

type Events = readonly RecordedEvent[];

/** Types of events that can change the status of a component whose id is only in an earlier event of the incident. */
const CHANGING: ReadonlySet<string> = new Set([
  'IncidentStatusChanged',
  'IncidentUpdateAppended',
  'IncidentUpdateEdited',
  'IncidentUpdateRemoved',
  'IncidentDeleted',
]);

/** Returns those of the given incident events that can have changed the status of any of the given components. */
export const eventsOfIncidents = (incidents: Events, componentIds: ReadonlySet<string>): RecordedEvent[] => {
  const naming = new Set<string>();
  return incidents.filter((event) => {
    const isNamed = componentsNamedIn(event as unknown as IncidentEvent).some((id) => componentIds.has(id));
    if (isNamed) naming.add(event.stream);
    return isNamed || (naming.has(event.stream) && CHANGING.has(event.type));
  });
};

interface ComponentData {
  component_id?: string;
  component?: { group_id?: string | null };
  changes?: { group_id?: string | null };
}

/**
 * Returns the components that have been in a group, and their events. The status of the group follows from the statuses
 * of these components. Both lists are empty for a component that is not a group.
 *
 * @param page the events of the page
 */
export const childrenOf = (page: Events, groupId: string): { ids: readonly string[]; events: Events } => {
  const dataOf = ({ data }: RecordedEvent): ComponentData => data;
  const ids = new Set(
    page.flatMap((event) => {
      const { component_id: id, component, changes } = dataOf(event);
      return id !== undefined && (component ?? changes)?.group_id === groupId ? [id] : [];
    }),
  );
  return { ids: [...ids], events: page.filter((event) => ids.has(dataOf(event).component_id ?? '')) };
};
