import type { ComponentDocument } from '../../projections/components/documents.ts';
import type { IncidentDocument } from '../../projections/incidents/documents.ts';
import type { IncidentView } from '../../views/status/incidents.tsx';

/** Components of a page by id, as visitors see them. */
export type Visible = ReadonlyMap<string, Pick<ComponentDocument, 'id' | 'name' | 'status'>>;

/**
 * An incident as pages show it.
 *
 * @param most updates that are shown, the newest ones
 */
export const incidentView = (incident: IncidentDocument, visible: Visible, most: number): IncidentView => {
  const { id, kind, name, impact, status, resolved_at, scheduled_for, scheduled_until, incident_updates } = incident;
  return {
    id,
    kind,
    name,
    impact,
    status,
    startedAt: incident_updates.at(-1)?.created_at ?? incident.created_at,
    resolvedAt: resolved_at,
    scheduledFor: scheduled_for,
    scheduledUntil: scheduled_until,
    updates: incident_updates.slice(0, most).map((update) => ({
      id: update.id,
      status: update.status,
      body: update.body,
      at: update.display_at,
    })),
    updateCount: incident_updates.length,
    components: incident.component_ids.flatMap((componentId) => visible.get(componentId) ?? []),
  };
};
