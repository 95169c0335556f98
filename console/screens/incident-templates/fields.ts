import type { Schemas } from '../../api/openapi.d.ts';
import { kindOf } from '../incident/editor/draft.ts';

type Template = Schemas['IncidentTemplate'];

/** The fields of a template. */
export type TemplateFields = Pick<
  Template,
  'name' | 'page_id' | 'kind' | 'incident_name' | 'status' | 'impact' | 'body' | 'components' | 'deliver_notifications'
>;

export const NEW_FIELDS: TemplateFields = {
  name: '',
  page_id: null,
  kind: 'incident',
  incident_name: null,
  status: null,
  impact: null,
  body: null,
  components: {},
  deliver_notifications: true,
};

/** Maximum length of a template name. */
const MOST_NAME = 100;

/**
 * Returns the fields of a template that repeats the first update of an incident, including the component statuses of
 * that update.
 */
export const fieldsOfIncident = (incident: Schemas['Incident']): TemplateFields => {
  const first = incident.incident_updates.at(-1);
  const known = new Set(incident.components.map(({ id }) => id));
  return {
    ...NEW_FIELDS,
    name: Array.from(incident.name).slice(0, MOST_NAME).join(''),
    page_id: incident.page_id,
    kind: kindOf(incident),
    incident_name: incident.name,
    status: first?.status ?? null,
    body: first?.body ? first.body : null,
    components: Object.fromEntries(Object.entries(first?.components ?? {}).filter(([id]) => known.has(id))),
  };
};

/** Returns null for an empty text. A field that is null is filled in by the user of the template. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);
