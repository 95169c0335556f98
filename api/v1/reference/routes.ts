import { Type, type TSchema } from '@sinclair/typebox';
import { CHECK_TEMPLATES } from '../../../domain/check/templates/index.ts';
import { INCIDENT_IMPACTS, INCIDENT_STATUSES, MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice } from '../../schema.ts';
import { CheckTemplate } from './schema.ts';

const reference = (
  path: string,
  summary: string,
  item: TSchema,
  list: readonly unknown[],
  description?: string,
): Route =>
  route({
    methods: ['get'],
    path,
    summary,
    ...(description !== undefined && { description }),
    tag: 'Reference lists',
    access: { needs: 'reference.read' },
    responses: { 200: Type.Array(item) },
    handle: () => ok(() => list),
  });

const words = (path: string, summary: string, list: readonly string[], description?: string): Route =>
  reference(path, summary, choice(list), list, description);

export const referenceListRoutes: Route[] = [
  words(
    '/v1/component-statuses',
    'List component statuses',
    COMPONENT_STATUSES,
    'The list is sorted from best to worst.',
  ),
  words('/v1/incident-statuses', 'List incident statuses', INCIDENT_STATUSES),
  words('/v1/incident-impacts', 'List incident impacts', INCIDENT_IMPACTS),
  words('/v1/maintenance-statuses', 'List maintenance statuses', MAINTENANCE_STATUSES),
  reference(
    '/v1/checks/check-templates',
    'List check templates',
    CheckTemplate,
    CHECK_TEMPLATES,
    'Send the definition of a template to `POST /v1/checks` with your own target.',
  ),
];
