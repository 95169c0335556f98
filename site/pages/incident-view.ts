import { shortened } from '../../messages/characters.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { visibleComponents } from '../../domain/page/visible-components.ts';
import type { IncidentDocument } from '../../projections/incidents/documents.ts';
import { visibleBody } from '../../queries/pages/incident-edits.ts';
import type { IncidentView, NamedComponent } from '../../views/status/incidents.tsx';

/** Components of a page by id, with the properties of a component that incidents show. */
export type NamedComponents = ReadonlyMap<string, NamedComponent>;

/** Returns all components of a page. Components that are currently hidden have no link. */
export const componentNamesById = (all: readonly ComponentDocument[]): NamedComponents => {
  const shown = new Set(visibleComponents(all));
  return new Map(
    all.map((one) => [one.id, { id: one.id, name: one.name, status: one.status, hasPage: shown.has(one) }]),
  );
};

/**
 * Maximum length of a text in the list of past incidents, in UTF-16 units. The incident's own page has the whole text.
 */
export const LONGEST_LISTED = 1_000;

/**
 * Returns the data of an incident that pages show, with some of its updates, newest first.
 *
 * @param longest maximum length of a text in UTF-16 units; longer texts are truncated with an ellipsis
 */
export const incidentView = (
  incident: IncidentDocument,
  named: NamedComponents,
  { skip = 0, most, longest = Infinity }: { skip?: number; most: number; longest?: number },
): IncidentView => {
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
    updates: incident_updates.slice(skip, skip + most).map((update) => ({
      id: update.id,
      status: update.status,
      body: beginning(visibleBody(update), longest),
      at: update.display_at,
    })),
    updateCount: incident_updates.length,
    components: incident.component_ids.flatMap((componentId) => named.get(componentId) ?? []),
  };
};

const beginning = (text: string | null, longest: number): string | null => text && shortened(text, longest);

/** Returns all texts of incidents, for `prepareHtml` of messages/markdown. */
export const textsOf = (incidents: readonly IncidentView[]): string[] =>
  incidents.flatMap(({ updates }) => updates.flatMap(({ body }) => (body === null || body === '' ? [] : [body])));
