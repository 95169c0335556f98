import {
  createIncidentTemplate,
  deleteIncidentTemplate,
  updateIncidentTemplate,
} from '../../../commands/pages/incident-templates.ts';
import { IllegalState } from '../../../domain/errors.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { incidentTemplates } from '../../../projections/incident-templates/projection.ts';
import {
  countIncidentTemplates,
  findIncidentTemplate,
  listIncidentTemplates,
} from '../../../queries/pages/incident-templates.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { createPresenter } from '../../presenter.ts';
import { resource } from '../../resource.ts';
import type { Route } from '../../route.ts';
import { templateBodyErrors, templateChangeBodyErrors } from './validation.ts';
import { IncidentTemplate, IncidentTemplateChange, NewIncidentTemplate, templateFilters } from './schema.ts';

const presentTemplate = createPresenter(IncidentTemplate);

/** Maximum number of templates of an organization (docs/reference/incident-templates.md#rules). */
const MAX_TEMPLATES = 500;

export const incidentTemplateRoutes: Route[] = resource({
  path: '/v1/incident-templates',
  id: 'incident_template_id',
  tag: 'Incident templates',
  noun: 'incident template',
  needs: { read: 'incidents.read', write: 'incidents.write' },
  revised: ({ incident_template_id }) => revisedIn('incident_template', incident_template_id),
  show: ({ scope, params }) => findIncidentTemplate(scope, params.incident_template_id),
  schema: IncidentTemplate,
  present: presentTemplate,
  list: {
    summary: 'List incident templates',
    description: 'The list is sorted by name.',
    style: pagesOfStyleA({ key: 'incident_templates', size: 20 }),
    filters: templateFilters,
    ask: ({ scope, query }, paging) => listIncidentTemplates(scope, query, paging),
  },
  create: {
    body: NewIncidentTemplate,
    alsoRefused: ({ scope, body }) => templateBodyErrors(scope, body),
    ask: async ({ body, context, commands, scope }) => {
      if ((await countIncidentTemplates(scope)) >= MAX_TEMPLATES) {
        throw new IllegalState(`An organization can have at most ${MAX_TEMPLATES} incident templates.`);
      }
      return commands.bind(createIncidentTemplate)(body, context);
    },
  },
  change: {
    body: IncidentTemplateChange,
    alsoRefused: ({ scope, body, found }) => templateChangeBodyErrors(scope, body, found),
    ask: ({ params, body, context, commands }) =>
      commands.bind(updateIncidentTemplate)(params.incident_template_id, body, context),
  },
  remove: {
    waitsFor: [incidentTemplates.name],
    ask: ({ params, context, commands }) => commands.bind(deleteIncidentTemplate)(params.incident_template_id, context),
  },
});
