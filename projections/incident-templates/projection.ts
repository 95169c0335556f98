import type { IncidentTemplateFields } from '../../domain/incident-template/events.ts';
import { revisionOf } from '../../domain/revision.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** An incident template in the form of API responses. */
export interface IncidentTemplateDocument extends IncidentTemplateFields {
  id: string;
  organization_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
}

/**
 * Existing incident templates. When a page is deleted, its templates become templates for all pages, without
 * components. When a component is removed, it is removed from the templates of its page.
 */
export const incidentTemplates = defineProjection({
  name: 'incident_templates',
  version: 1,
  log: 'main',
  collections: {
    incident_templates: collection<IncidentTemplateDocument>({
      indexes: [{ organization_id: 1, name: 1 }, { page_id: 1 }],
    }),
  },
  documents: (event) =>
    'incident_template_id' in event.data ? { incident_templates: [event.data.incident_template_id] } : {},
  searches: {
    PageDeleted: ({ data: { page_id } }) => ({ incident_templates: { where: { page_id } } }),
    ComponentRemoved: ({ data: { page_id } }) => ({ incident_templates: { where: { page_id } } }),
  },
  on: {
    IncidentTemplateCreated: (event, { incident_templates }) => {
      const { data, metadata } = event;
      incident_templates.put({
        id: data.incident_template_id,
        organization_id: data.organization_id,
        ...data.incident_template,
        revision: revisionOf(event),
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
      });
    },
    IncidentTemplateUpdated: (event, { incident_templates }) => {
      const { data, metadata } = event;
      const template = incident_templates.get(data.incident_template_id);
      if (!template) return;
      const updated = { revision: revisionOf(event), updated_at: metadata.recorded_at };
      incident_templates.put({ ...template, ...data.changes, ...updated });
    },
    IncidentTemplateDeleted: ({ data }, { incident_templates }) => {
      incident_templates.delete(data.incident_template_id);
    },
    PageDeleted: (_, { incident_templates }) => {
      for (const template of incident_templates.found) {
        incident_templates.put({ ...template, page_id: null, components: {} });
      }
    },
    ComponentRemoved: ({ data: { component_id } }, { incident_templates }) => {
      for (const template of incident_templates.found) {
        const { [component_id]: removed, ...components } = template.components;
        if (removed !== undefined) incident_templates.put({ ...template, components });
      }
    },
  },
});
