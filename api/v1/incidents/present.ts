import type { JoinedIncident } from '../../../queries/pages/incidents.ts';
import { createPresenter } from '../../presenter.ts';
import { presentComponent } from '../components/present.ts';
import { Incident, IncidentUpdate } from './schema.ts';

const present = createPresenter(Incident, ['components', 'incident_updates']);

export const presentUpdate = createPresenter(IncidentUpdate);

/** Converts an incident to its form in responses. */
export const presentIncident = ({ incident, components }: JoinedIncident): Incident =>
  present(incident, {
    components: components.map((component) => presentComponent(component)),
    incident_updates: incident.incident_updates.map((update) => presentUpdate(update)),
  });

/** Converts an incident to its form in responses, with an empty list of updates. */
export const presentWithoutUpdates = ({ incident, components }: JoinedIncident): Incident =>
  present(incident, { components: components.map((component) => presentComponent(component)), incident_updates: [] });
