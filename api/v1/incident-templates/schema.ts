import { Type } from '@sinclair/typebox';
import { TEMPLATE_DEFAULTS, TEMPLATE_KINDS } from '../../../domain/incident-template/template.ts';
import {
  choice,
  commaList,
  withDefaults,
  Id,
  InstantOut,
  ManagedBy,
  namedSchema,
  nullable,
  partial,
  Revision,
  text,
} from '../../schema.ts';
import { body, ComponentMap, deliverNotifications, impact, name, status } from '../incidents/schema.ts';

/** The fields of an incident template that a client can set (docs/reference/incident-templates.md#fields). */
const fields = {
  name: text(100, { min: 1, description: 'The name of the template, which need not be unique.' }),
  page_id: nullable({ ...Id, description: 'Null if the template is for all pages.' }),
  kind: choice(TEMPLATE_KINDS),
  incident_name: nullable({ ...name, description: 'The `name` of the incident.' }),
  status: nullable(status),
  impact: nullable(impact),
  body: nullable({ ...body, description: 'In Markdown.' }),
  components: ComponentMap,
  deliver_notifications: deliverNotifications,
  managed_by: ManagedBy,
};

export const NewIncidentTemplate = Type.Object({ ...withDefaults(fields, TEMPLATE_DEFAULTS), name: fields.name });
export const IncidentTemplateChange = partial(Type.Object(fields));

export const templateFilters = {
  page_id: { ...Id, description: 'Only templates for this page, and those for all pages.' },
  kind: commaList(fields.kind),
};

export const IncidentTemplate = namedSchema(
  'IncidentTemplate',
  Type.Object({ id: Id, ...fields, revision: Revision, created_at: InstantOut, updated_at: InstantOut }),
);
