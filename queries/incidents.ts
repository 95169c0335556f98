import type { MaintenanceStatus } from '../domain/incident/statuses.ts';
import { found, noSuch } from '../domain/lifecycle.ts';
import type { ComponentDocument } from '../projections/components/documents.ts';
import { components } from '../projections/components/projection.ts';
import type { IncidentDocument, IncidentUpdateView } from '../projections/incidents/documents.ts';
import { incidents } from '../projections/incidents/projection.ts';
import type { PageDocument } from '../projections/pages/documents.ts';
import type { Where } from '../stores/read-store/port.ts';
import { withoutDeletedChecks, withStatus } from './components.ts';
import { anyOf } from './filters.ts';
import { findPage } from './pages.ts';
import type { Reading } from './scope.ts';

/** An incident and its page, by id. */
export interface IncidentPlace {
  page_id: string;
  incident_id: string;
}

export interface UpdatePlace extends IncidentPlace {
  incident_update_id: string;
}

/** An incident with the components that it named and that still exist, by position. */
export interface JoinedIncident {
  incident: IncidentDocument;
  components: readonly ComponentDocument[];
}

/** @throws NotFound */
export const findIncident = async (
  scope: Reading,
  { page_id, incident_id }: IncidentPlace,
): Promise<IncidentDocument> => {
  const [, incident] = await Promise.all([findPage(scope, page_id), scope.read(incidents).incidents.get(incident_id)]);
  if (incident?.page_id !== page_id) throw noSuch('incident');
  return incident;
};

/** @throws NotFound */
export const incidentWithComponents = async (scope: Reading, place: IncidentPlace): Promise<JoinedIncident> => {
  const incident = await findIncident(scope, place);
  return (await joining(scope, [incident]))(incident);
};

/** An update, with the ids of all components that its incident named. @throws NotFound */
export const findUpdate = async (
  scope: Reading,
  place: UpdatePlace,
): Promise<{ update: IncidentUpdateView; named: readonly string[] }> => {
  const { incident_updates, component_ids: named } = await findIncident(scope, place);
  const update = incident_updates.find(({ id }) => id === place.incident_update_id);
  return { update: found(update, 'incident update'), named };
};

const NEWEST_FIRST = { created_at: -1 } as const;

/** The regular incidents of a page, newest first; only those of one component if given. */
export const listIncidents = async (
  scope: Pick<Reading, 'read'>,
  { id: page_id }: PageDocument,
  componentId?: string,
): Promise<JoinedIncident[]> => {
  if (componentId === undefined) return listed(scope, { page_id, kind: 'regular' });
  const model = scope.read(incidents);
  const where = { page_id, component_id: componentId, kind: 'regular' };
  const links = await model.incident_components.find({ where, sort: NEWEST_FIRST });
  const found = await model.incidents.getMany(links.map(({ incident_id }) => incident_id));
  return found.map(await joining(scope, found));
};

/** The open incidents of a page, newest first; only those of one component if given. */
export const listUnresolved = (
  scope: Pick<Reading, 'read'>,
  { id: page_id }: PageDocument,
  componentId?: string,
): Promise<JoinedIncident[]> => listed(scope, { page_id, kind: 'regular', resolved_at: null }, componentId);

/** The maintenances of a page in any of these statuses, newest first; only those of one component if given. */
export const listMaintenances = (
  scope: Pick<Reading, 'read'>,
  { id: page_id }: PageDocument,
  statuses: readonly MaintenanceStatus[],
  componentId?: string,
): Promise<JoinedIncident[]> => listed(scope, { page_id, kind: 'maintenance', status: anyOf(statuses) }, componentId);

/** @param componentId only incidents that name it; such a list is always read whole */
const listed = async (scope: Pick<Reading, 'read'>, where: Where, componentId?: string): Promise<JoinedIncident[]> => {
  const found = await scope.read(incidents).incidents.find({ where, sort: NEWEST_FIRST });
  const wanted = componentId === undefined ? found : found.filter((one) => one.component_ids.includes(componentId));
  return wanted.map(await joining(scope, wanted));
};

/** Joins incidents with their components, which are read once for all of them. */
const joining = async (
  scope: Pick<Reading, 'read'>,
  documents: readonly IncidentDocument[],
): Promise<(document: IncidentDocument) => JoinedIncident> => {
  const ids = [...new Set(documents.flatMap(({ component_ids }) => component_ids))];
  const found = ids.length === 0 ? [] : await scope.read(components).components.getMany(ids);
  const inOrder = (await withoutDeletedChecks(scope, found.sort(byPosition))).map((component) =>
    withStatus(component, []),
  );
  return (incident) => {
    const named = new Set(incident.component_ids);
    // Beside the document, not in a copy of it: V8 copies one of so many fields into a slow dictionary.
    return { incident, components: inOrder.filter(({ id }) => named.has(id)) };
  };
};

const byPosition = (a: ComponentDocument, b: ComponentDocument): number =>
  a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1);
