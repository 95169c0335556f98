import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

const PATIENCE_MS = 1_000;

/** An incident for which a line is due. It leaves the list when the incident is deleted. */
export interface OpenIncidentDocument {
  /** the id of the incident */
  id: string;
  name: string;
  due_at: Instant;
  changed_position: number;
}

export const openIncidents = defineProjection({
  name: 'open_incidents',
  version: 1,
  log: 'main',
  collections: {
    open_incidents: collection<OpenIncidentDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
  },
  documents: ({ data: { incident_id } }) => ({ open_incidents: [incident_id] }),
  on: {
    IncidentOpened: ({ data: { incident_id: id, incident }, metadata, position }, { open_incidents }) => {
      const due_at = instantOf(millisecondsOf(metadata.recorded_at) + PATIENCE_MS);
      open_incidents.put({ id, name: incident.name, due_at, changed_position: Number(position) });
    },
    IncidentDeleted: ({ data }, { open_incidents }) => {
      open_incidents.delete(data.incident_id);
    },
  },
});
