import { jsonArrayOf, type JsonParts } from '../../../http/json-parts.ts';
import type { IncidentList, JoinedIncident } from '../../../queries/pages/incidents.ts';
import { presenting } from '../../present.ts';
import { presentComponent } from '../components/present.ts';
import { Incident, IncidentUpdate } from './schema.ts';

const present = presenting(Incident, ['components', 'incident_updates']);

export const presentUpdate = presenting(IncidentUpdate);

/** An incident as the API shows it. */
export const presentIncident = ({ incident, components }: JoinedIncident): Incident =>
  present(incident, {
    components: components.map((component) => presentComponent(component)),
    incident_updates: incident.incident_updates.map((update) => presentUpdate(update)),
  });

/** A list of incidents as a JSON array. */
export const incidentArray = ({ incidents, version }: IncidentList): JsonParts =>
  jsonArrayOf(async function* () {
    for await (const joined of incidents()) yield presentIncident(joined);
  }, version);
