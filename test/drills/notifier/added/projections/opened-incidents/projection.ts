import type { Cause, Priority } from '../../domain/delivery/events.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** An opened incident, about which a message is sent to each component of the incident's page. */
export interface OpenedIncidentDocument {
  /** the id of the incident */
  id: string;
  organization_id: string;
  cause: Cause;
  caused_at: Instant;
  series: string | null;
  priority: Priority;
  page_id: string;
  name: string;
  changed_position: number;
}

export const openedIncidents = defineProjection({
  name: 'opened_incidents',
  version: 1,
  log: 'main',
  collections: { opened_incidents: collection<OpenedIncidentDocument>({ indexes: [{ changed_position: 1 }] }) },
  documents: ({ data: { incident_id } }) => ({ opened_incidents: [incident_id] }),
  on: {
    IncidentOpened: ({ data, metadata, position }, { opened_incidents }) => {
      const { incident_id: id, page_id, incident } = data;
      opened_incidents.put({
        id,
        organization_id: metadata.organization_id ?? '',
        cause: { kind: 'incident_opened', id },
        caused_at: metadata.recorded_at,
        series: id,
        priority: 'page',
        page_id,
        name: incident.name,
        changed_position: Number(position),
      });
    },
  },
});
