import { incidentTemplates } from '../../projections/incident-templates/projection.ts';
import { oneOf, type Match } from '../engine/filters.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { ReadScope } from '../engine/scope.ts';

/** Matches the templates that can be used on a page: templates for this page, and templates for all pages. */
const onPage: Match<string> = (_, pageId) => ({ page_id: { $in: [pageId, null] } });

const own = ownDocuments((read) => read(incidentTemplates).incident_templates, 'incident template', {
  sort: { name: 1 },
  filters: { page_id: onPage, kind: oneOf },
});

/** @throws NotFound */
export const findIncidentTemplate = own.one;

/** The incident templates of the organization, by name. */
export const listIncidentTemplates = own.list;

export const countIncidentTemplates = ({ read, organizationId }: ReadScope): Promise<number> =>
  read(incidentTemplates).incident_templates.count({ organization_id: organizationId });
