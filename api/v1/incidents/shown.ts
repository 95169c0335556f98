import { NotFound } from '../../../domain/errors.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { components } from '../../../projections/components/projection.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { presenting } from '../../present.ts';
import type { Component } from '../components/schema.ts';
import { findPage, type Looking as LookingForPage } from '../pages/find-page.ts';
import { Incident, IncidentUpdate } from './schema.ts';
import { shownComponent } from '../components/shown.ts';

const shownIncident = presenting(Incident, ['components', 'incident_updates']);
export const shownUpdate = presenting(IncidentUpdate);

export interface Looking extends LookingForPage {
  params: { page_id: string; incident_id: string };
}

/** The incident that a path names, on its page. @throws NotFound */
export const findIncident = async ({ params, context, read }: Looking): Promise<IncidentDocument> => {
  const [, incident] = await Promise.all([
    findPage({ params, context, read }),
    read(incidents).incidents.get(params.incident_id),
  ]);
  if (incident?.page_id !== params.page_id) throw new NotFound('There is no such incident.');
  return incident;
};

/** Incidents as the API shows them, with the components that they have touched and that are still there. */
export const shownIncidents = async (documents: readonly IncidentDocument[], read: Read): Promise<Incident[]> => {
  const ids = [...new Set(documents.flatMap(({ component_ids }) => component_ids))];
  const found = ids.length === 0 ? [] : await read(components).components.getMany(ids);
  const byId = new Map(found.sort(byPosition).map((component) => [component.id, shownComponent(component, [])]));
  return documents.map((document) => {
    const named = new Set(document.component_ids);
    const touched: Component[] = [];
    for (const [id, component] of byId) if (named.has(id)) touched.push(component);
    return shownIncident(document, {
      components: touched,
      incident_updates: document.incident_updates.map(shownUpdate),
    });
  });
};

/** One incident as it is after what this request has done. @throws NotFound */
export const showIncident = async (looking: Looking): Promise<Incident> => {
  const [incident] = await shownIncidents([await findIncident(looking)], looking.read);
  if (!incident) throw new NotFound('There is no such incident.');
  return incident;
};

const byPosition = (a: ComponentDocument, b: ComponentDocument): number =>
  a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1);
