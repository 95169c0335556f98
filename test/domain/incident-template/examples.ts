import type { EventOf } from '../../../domain/event-types.ts';
import type { IncidentTemplateFields } from '../../../domain/incident-template/events.ts';
import { TEMPLATE_DEFAULTS } from '../../../domain/incident-template/template.ts';
import { ORGANIZATION } from '../check/examples.ts';
import { PAGE } from '../page/examples.ts';

export const TEMPLATE = 'temp10000001';

/** Events of one incident template, for tests. */
export const templateFields = (fields: Partial<IncidentTemplateFields> = {}): IncidentTemplateFields => ({
  ...TEMPLATE_DEFAULTS,
  name: 'Outage',
  page_id: PAGE,
  ...fields,
});

export const templateCreated = (fields: Partial<IncidentTemplateFields> = {}): EventOf<'IncidentTemplateCreated'> => ({
  type: 'IncidentTemplateCreated',
  data: { incident_template_id: TEMPLATE, organization_id: ORGANIZATION, incident_template: templateFields(fields) },
});

export const templateUpdated = (
  changes: Partial<IncidentTemplateFields>,
  previous: Partial<IncidentTemplateFields>,
): EventOf<'IncidentTemplateUpdated'> => ({
  type: 'IncidentTemplateUpdated',
  data: { incident_template_id: TEMPLATE, changes, previous },
});

export const templateDeleted: EventOf<'IncidentTemplateDeleted'> = {
  type: 'IncidentTemplateDeleted',
  data: { incident_template_id: TEMPLATE },
};
