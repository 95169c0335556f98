import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { ComponentMap } from '../incident/fields.ts';
import { IncidentImpact, IncidentStatus } from '../incident/statuses.ts';
import { managedBy } from '../managed/managed-by.ts';

/** The fields of an incident template. If a field is null, the user who writes the incident fills it in. */
export const IncidentTemplateFields = Type.Object({
  /** name of the template */
  name: Type.String(),
  /** the page that can use the template; null for all pages of the organization */
  page_id: Type.Union([Type.String(), Type.Null()]),
  kind: Type.Union([Type.Literal('incident'), Type.Literal('maintenance')]),
  /** `name` of the incident */
  incident_name: Type.Union([Type.String(), Type.Null()]),
  /** a status of an incident or a maintenance, depending on `kind` */
  status: Type.Union([IncidentStatus, Type.Null()]),
  impact: Type.Union([IncidentImpact, Type.Null()]),
  /** Markdown */
  body: Type.Union([Type.String(), Type.Null()]),
  /** statuses of components of the page; empty if `page_id` is null */
  components: ComponentMap,
  deliver_notifications: Type.Boolean(),
  ...managedBy,
});
export type IncidentTemplateFields = Static<typeof IncidentTemplateFields>;

const ids = { incident_template_id: Type.String() };
const Changes = Type.Partial(IncidentTemplateFields);

/** Events of an incident template, in its stream `incident_template-{incident_template_id}`. */
export const incidentTemplateEvents = {
  IncidentTemplateCreated: {
    version: 2,
    data: Type.Object({ ...ids, organization_id: Type.String(), incident_template: IncidentTemplateFields }),
  },
  IncidentTemplateUpdated: { version: 2, data: Type.Object({ ...ids, changes: Changes, previous: Changes }) },
  IncidentTemplateDeleted: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type IncidentTemplateEvent = EventsOf<typeof incidentTemplateEvents>;
